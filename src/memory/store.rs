//! One log's storage in memory.

use super::Faults;
use crate::{
    failure::Failure,
    shard::{Batch, Store},
};
use grantlog_events::state::Key;
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Events, rows and secrets of one log.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: RefCell<Tables>,
    faults: Rc<Faults>,
}

#[derive(Debug, Default)]
struct Tables {
    events: BTreeMap<u64, Vec<u8>>,
    rows: BTreeMap<String, Vec<u8>>,
    secrets: BTreeMap<String, Vec<u8>>,
}

impl MemoryStore {
    /// Empty storage.
    pub fn new(faults: Rc<Faults>) -> Self {
        Self { tables: RefCell::default(), faults }
    }

    /// Every row of state, as bytes.
    pub fn all_rows(&self) -> BTreeMap<String, Vec<u8>> {
        self.tables.borrow().rows.clone()
    }

    /// Every secret.
    pub fn all_secrets(&self) -> BTreeMap<String, Vec<u8>> {
        self.tables.borrow().secrets.clone()
    }

    /// Every event, as bytes.
    pub fn all_events(&self) -> Vec<Vec<u8>> {
        self.tables.borrow().events.values().cloned().collect()
    }
}

impl Store for MemoryStore {
    fn last_event(&self) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass_now("reading the log", || Ok(self.tables.borrow().events.values().next_back().cloned()))
    }

    fn event(&self, seq: u64) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass_now("reading the log", || Ok(self.tables.borrow().events.get(&seq).cloned()))
    }

    fn events_from(&self, seq: u64, limit: u32) -> Result<Vec<Vec<u8>>, Failure> {
        self.faults.pass_now("reading the log", || {
            let tables = self.tables.borrow();
            Ok(tables.events.range(seq..).take(limit as usize).map(|(_, event)| event.clone()).collect())
        })
    }

    fn rows(&self, keys: &[Key]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        self.faults.pass_now("reading state", || {
            let tables = self.tables.borrow();
            let found = keys.iter().filter_map(|key| tables.rows.get_key_value(key.as_str()));
            Ok(found.map(|(key, row)| (key.clone(), row.clone())).collect())
        })
    }

    fn rows_under(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        self.faults.pass_now("reading state", || {
            let tables = self.tables.borrow();
            let found = tables.rows.range(prefix.to_owned()..).take_while(|(key, _)| key.starts_with(prefix));
            Ok(found.map(|(key, row)| (key.clone(), row.clone())).collect())
        })
    }

    fn secret(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass_now("reading a secret", || Ok(self.tables.borrow().secrets.get(name).cloned()))
    }

    fn write(&self, batch: &Batch) -> Result<u64, Failure> {
        self.faults.pass_now("appending", || {
            let mut tables = self.tables.borrow_mut();
            tables.events.extend(batch.events.iter().cloned());
            put_all(&mut tables.rows, batch.rows.iter().map(|(key, row)| (key.as_str(), row)));
            put_all(&mut tables.secrets, batch.secrets.iter().map(|(name, secret)| (name.as_str(), secret)));
            let rows = (batch.events.len() + batch.rows.len() + batch.secrets.len()) as u64;
            self.faults.wrote(rows);
            Ok(rows)
        })
    }
}

fn put_all<'a>(table: &mut BTreeMap<String, Vec<u8>>, changes: impl Iterator<Item = (&'a str, &'a Option<Vec<u8>>)>) {
    for (key, value) in changes {
        match value {
            Some(value) => table.insert(key.to_owned(), value.clone()),
            None => table.remove(key),
        };
    }
}
