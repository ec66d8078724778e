//! Ports that count their calls, so that a request can say how many it made.

use crate::{
    failure::Failure,
    ports::{Archive, Log, Parameter, Statement, Views},
    shard::{Ask, Reply},
};
use grantlog_events::{ClientId, Place, Subject};
use grantlog_projections::read_model::Table;
use std::{cell::Cell, rc::Rc};

/// A port of the isolate's, counted for one request.
pub struct Counted<P: 'static> {
    port: &'static P,
    calls: Rc<Cell<u32>>,
}

impl<P> Counted<P> {
    pub(super) fn new(port: &'static P, calls: &Rc<Cell<u32>>) -> Self {
        Self { port, calls: Rc::clone(calls) }
    }

    fn port(&self) -> &'static P {
        self.calls.set(self.calls.get() + 1);
        self.port
    }
}

impl<P: Log> Log for Counted<P> {
    fn ask(&self, place: Place, ask: &Ask) -> impl Future<Output = Result<Reply, Failure>> {
        self.port().ask(place, ask)
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
