//! A log's storage in its object's `SQLite`.
//!
//! Everything here is synchronous, so one turn is one transaction, and the runtime holds back what the
//! object says until it is durable. If that commit fails the runtime resets the object with its memory.

mod alarm;
mod events;
mod javascript;
mod migrations;
mod rows;
mod statements;

pub(super) use self::javascript::Storage;
use self::{
    alarm::Alarm,
    events::Events,
    javascript::{Row, Sql},
    statements::Statements,
};
use super::thrown::while_doing;
use crate::{
    failure::Failure,
    shard::{Batch, Store},
};
use grantlog_events::{Timestamp, state::Key};
use js_sys::Array;
use std::cell::Cell;
use wasm_bindgen::JsValue;

const OPENING: &str = "opening a log's storage";
const READING: &str = "reading a log's storage";
const WRITING: &str = "writing a log's storage";

/// The runtime binds at most 100 parameters to a statement.
const MOST_KEYS: usize = 90;

/// [`Store`] over an object's `SQLite`.
pub struct SqlStore {
    storage: Storage,
    sql: Sql,
    events: Events,
    alarm: Alarm,
    statements: Statements,
    /// Rows that the engine said it wrote, since this instance woke.
    written: Cell<u64>,
}

impl SqlStore {
    /// Rows that the engine said it wrote, since this instance woke.
    pub(super) fn rows_written(&self) -> u64 {
        self.written.get()
    }

    /// Opens the storage, bringing its schema up to date.
    pub(super) async fn open(storage: Storage) -> Result<Self, Failure> {
        let sql = storage.sql().map_err(while_doing(OPENING))?;
        migrations::run(&storage, &sql).map_err(while_doing(OPENING))?;
        Ok(Self {
            events: Events::open(&sql).map_err(while_doing(OPENING))?,
            alarm: Alarm::open(&storage).await?,
            statements: Statements::new(),
            written: Cell::new(0),
            storage,
            sql,
        })
    }

    /// The log's name, if it was told one.
    pub(super) fn name(&self) -> Result<Option<String>, Failure> {
        let name = self.sql.exec(&self.statements.name).and_then(|cursor| rows::first(&cursor, Row::value));
        Ok(name.map_err(while_doing(READING))?.and_then(|name| name.as_string()))
    }

    /// Remembers the log's name.
    pub(super) fn set_name(&self, name: &str) -> Result<(), Failure> {
        self.sql.exec_text(&self.statements.set_name, name).map(drop).map_err(while_doing(WRITING))
    }

    /// The alarm has rung: sets the next one, so that a crash from here on is not the end.
    pub(super) fn alarm_rang(&self) -> Result<(), Failure> {
        self.alarm.rang();
        self.set_alarm()
    }

    /// Something is left to do: sets the alarm for soon, unless one is pending.
    pub(super) fn set_alarm(&self) -> Result<(), Failure> {
        self.alarm.set(&self.storage).map(drop).map_err(while_doing(WRITING))
    }

    /// Something is to be done at this instant: sees to it that the alarm rings by then.
    pub(super) fn set_alarm_no_later(&self, at: Timestamp) -> Result<(), Failure> {
        self.alarm.set_no_later(&self.storage, at).map(drop).map_err(while_doing(WRITING))
    }

    /// Nothing is left to do before this instant.
    pub(super) fn put_off_alarm(&self, until: Timestamp) -> Result<(), Failure> {
        self.alarm.put_off(&self.storage, until)
    }

    /// Nothing is left to do that the alarm would have to look after.
    pub(super) fn clear_alarm(&self) -> Result<(), Failure> {
        self.alarm.clear(&self.storage)
    }

    fn read_rows(&self, keys: &[Key]) -> Result<Vec<(String, Vec<u8>)>, JsValue> {
        let mut found = Vec::with_capacity(keys.len());
        for keys in keys.chunks(MOST_KEYS) {
            let texts = keys.iter().map(|key| JsValue::from_str(key.as_str())).collect::<Array>();
            let cursor = self.sql.exec_all(&self.statements.rows(keys.len()), &texts)?;
            found.append(&mut rows::all(&cursor, rows::pair)?);
        }
        Ok(found)
    }

    /// The alarm comes first: set for a batch that then fails, it does no harm.
    fn write_batch(&self, batch: &Batch) -> Result<u64, JsValue> {
        let alarm = if batch.follow_up { self.alarm.set(&self.storage)? } else { 0 };
        let written =
            if self.is_one_statement(batch) { self.write_each(batch)? } else { self.write_all_or_nothing(batch)? };
        self.events.keep(batch.events.iter().map(|(seq, _)| *seq));
        self.written.set(self.written.get() + alarm + written);
        Ok(alarm + written)
    }

    fn is_one_statement(&self, batch: &Batch) -> bool {
        let statements = batch.events.len() + batch.rows.len() + batch.secrets.len();
        statements == 1 && batch.events.iter().all(|(seq, _)| self.events.have_table_for(*seq))
    }

    /// Without this, a statement that fails would leave those before it in the turn's transaction.
    fn write_all_or_nothing(&self, batch: &Batch) -> Result<u64, JsValue> {
        let written = Cell::new(0);
        self.storage.transaction_sync(&mut || {
            written.set(self.write_each(batch)?);
            Ok(JsValue::UNDEFINED)
        })?;
        Ok(written.get())
    }

    fn write_each(&self, batch: &Batch) -> Result<u64, JsValue> {
        let mut written = 0;
        for (seq, event) in &batch.events {
            written += self.events.insert(&self.sql, *seq, event)?;
        }
        for (key, value) in &batch.rows {
            written += self.statements.state.write(&self.sql, key.as_str(), value.as_deref())?;
        }
        for (name, value) in &batch.secrets {
            written += self.statements.secrets.write(&self.sql, name, value.as_deref())?;
        }
        Ok(written)
    }
}

impl Store for SqlStore {
    fn last_event(&self) -> Result<Option<Vec<u8>>, Failure> {
        self.events.last(&self.sql).map_err(while_doing(READING))
    }

    fn event(&self, seq: u64) -> Result<Option<Vec<u8>>, Failure> {
        self.events.at(&self.sql, seq).map_err(while_doing(READING))
    }

    fn events_from(&self, seq: u64, limit: u32) -> Result<Vec<Vec<u8>>, Failure> {
        self.events.from(&self.sql, seq, limit).map_err(while_doing(READING))
    }

    fn rows(&self, keys: &[Key]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        self.read_rows(keys).map_err(while_doing(READING))
    }

    fn rows_under(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        self.statements.rows_under(&self.sql, prefix).map_err(while_doing(READING))
    }

    fn secret(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.statements.secrets.read(&self.sql, name).map_err(while_doing(READING))
    }

    fn write(&self, batch: &Batch) -> Result<u64, Failure> {
        self.write_batch(batch).map_err(while_doing(WRITING))
    }
}
