//! Ports that count their calls, so that a request can say how many it made and how many rows its logs wrote.

use super::Objects;
use crate::{
    failure::Failure,
    ports::{Archive, Log, Parameter, Statement, Views},
    shard::{Ask, Reply},
};
use grantlog_events::{ClientId, Place, Subject};
use grantlog_projections::read_model::Table;
use std::{cell::Cell, rc::Rc};

/// What one request did.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Calls to logs, views and archive.
    pub(super) calls: Cell<u32>,
    /// Rows that the logs' engines wrote for it; `None` unless somebody asks to see it.
    pub(super) rows: Cell<Option<u64>>,
}

/// A port of the isolate's, counted for one request.
pub struct Counted<P: 'static> {
    port: &'static P,
    tally: Rc<Tally>,
}

impl<P> Counted<P> {
    pub(super) fn new(port: &'static P, tally: &Rc<Tally>) -> Self {
        Self { port, tally: Rc::clone(tally) }
    }

    fn port(&self) -> &'static P {
        self.tally.calls.set(self.tally.calls.get() + 1);
        self.port
    }
}

impl Log for Counted<Objects> {
    async fn ask(&self, place: Place, ask: &Ask) -> Result<Reply, Failure> {
        if self.tally.rows.get().is_none() {
            return self.port().ask(place, ask).await;
        }
        let (reply, rows) = self.port().ask_with_rows(place, ask).await?;
        self.tally.rows.set(self.tally.rows.get().map(|written| written + rows));
        Ok(reply)
    }
}

impl<P: Views> Views for Counted<P> {
    fn user(&self, subject: &Subject) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>> {
        self.port().user(subject)
    }
    fn put_user(&self, subject: &Subject, view: Option<&[u8]>) -> impl Future<Output = Result<(), Failure>> {
        self.port().put_user(subject, view)
    }
    fn client(&self, client: &ClientId) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>> {
        self.port().client(client)
    }
    fn put_client(&self, client: &ClientId, view: &[u8]) -> impl Future<Output = Result<(), Failure>> {
        self.port().put_client(client, view)
    }
    fn read_model_position(&self, place: Place) -> impl Future<Output = Result<Option<u64>, Failure>> {
        self.port().read_model_position(place)
    }
    fn read_model_rows(
        &self,
        place: Place,
        table: Table,
    ) -> impl Future<Output = Result<Vec<Vec<Parameter>>, Failure>> {
        self.port().read_model_rows(place, table)
    }
    fn write_read_model(&self, batch: &[Statement]) -> impl Future<Output = Result<(), Failure>> {
        self.port().write_read_model(batch)
    }
}

impl<P: Archive> Archive for Counted<P> {
    fn read(&self, name: &str) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>> {
        self.port().read(name)
    }
    fn create(&self, name: &str, bytes: &[u8]) -> impl Future<Output = Result<bool, Failure>> {
        self.port().create(name, bytes)
    }
    fn delete(&self, name: &str) -> impl Future<Output = Result<(), Failure>> {
        self.port().delete(name)
    }
}
