//! The views in memory. The read model is a recorder with the real one's rule: no gap, all or nothing.

use super::Faults;
use crate::{
    failure::Failure,
    ports::{Parameter, Statement, Views},
};
use grantlog_events::{ClientId, Place, Subject};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Values by key, and what was written to the read model.
#[derive(Debug, Default)]
pub struct MemoryViews {
    values: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    read_model: Rc<RefCell<ReadModel>>,
    faults: Rc<Faults>,
    from_edge: bool,
}

/// What the read model was told.
#[derive(Debug, Default)]
struct ReadModel {
    positions: BTreeMap<String, u64>,
    statements: Vec<Statement>,
}

impl MemoryViews {
    /// Empty views, as the edge sees them.
    pub fn new(faults: Rc<Faults>) -> Self {
        Self { faults, from_edge: true, ..Self::default() }
    }

    /// The same views, as a shard sees them.
    pub(super) fn inside(&self) -> Self {
        Self {
            values: Rc::clone(&self.values),
            read_model: Rc::clone(&self.read_model),
            faults: Rc::clone(&self.faults),
            from_edge: false,
        }
    }

    /// A value as it is stored now.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        self.values.borrow().get(key).cloned()
    }

    /// Every value.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Vec<u8>> {
        self.values.borrow().clone()
    }

    /// Every statement that the read model took, in order.
    #[must_use]
    pub fn statements(&self) -> Vec<Statement> {
        self.read_model.borrow().statements.clone()
    }

    async fn read(&self, name: &'static str, key: String) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass(name, self.from_edge, async { Ok(self.values.borrow().get(&key).cloned()) }).await
    }

    async fn write(&self, name: &'static str, key: String, value: Option<&[u8]>) -> Result<(), Failure> {
        let write = async {
            match value {
                Some(value) => self.values.borrow_mut().insert(key, value.to_vec()),
                None => self.values.borrow_mut().remove(&key),
            };
            Ok(())
        };
        self.faults.pass(name, self.from_edge, write).await
    }
}

impl Views for MemoryViews {
    async fn user(&self, subject: &Subject) -> Result<Option<Vec<u8>>, Failure> {
        self.read("views.user", format!("user:{subject}")).await
    }

    async fn put_user(&self, subject: &Subject, view: Option<&[u8]>) -> Result<(), Failure> {
        self.write("views.put_user", format!("user:{subject}"), view).await
    }

    async fn client(&self, client: &ClientId) -> Result<Option<Vec<u8>>, Failure> {
        self.read("views.client", format!("client:{client}")).await
    }

    async fn put_client(&self, client: &ClientId, view: &[u8]) -> Result<(), Failure> {
        self.write("views.put_client", format!("client:{client}"), Some(view)).await
    }

    async fn read_model_position(&self, place: Place) -> Result<Option<u64>, Failure> {
        let log = format!("{}/{}", place.epoch, place.shard);
        let read = async { Ok(self.read_model.borrow().positions.get(&log).copied()) };
        self.faults.pass("views.read_model_position", self.from_edge, read).await
    }

    async fn write_read_model(&self, batch: &[Statement]) -> Result<(), Failure> {
        let write = async { self.read_model.borrow_mut().take(batch) };
        self.faults.pass("views.write_read_model", self.from_edge, write).await
    }
}

impl ReadModel {
    /// Takes a batch whose last statement moves the position from where it stands.
    fn take(&mut self, batch: &[Statement]) -> Result<(), Failure> {
        let gap = || Failure::lasting("writing the read model", "gap in the log");
        let parameters = batch.last().map(|statement| statement.parameters.as_slice());
        let Some([Parameter::Text(log), Parameter::Integer(from), Parameter::Integer(seq)]) = parameters else {
            return Err(gap());
        };
        if *from != self.positions.get(log).map_or(0, |seq| seq + 1) {
            return Err(gap());
        }
        self.positions.insert(log.clone(), *seq);
        self.statements.extend(batch.iter().cloned());
        Ok(())
    }
}
