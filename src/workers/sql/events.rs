//! The tables of events, 65,536 rows each, so that old events are dropped by the table.
//!
//! A table is made in the transaction of its first event, so an existing one is never empty.

use super::{javascript::Sql, rows};
use js_sys::JsString;
use std::{cell::RefCell, collections::BTreeMap};
use wasm_bindgen::JsValue;

/// Positions per table.
const EVENTS_PER_TABLE: u64 = 65_536;

const TABLES: &str = "SELECT name AS key FROM sqlite_master WHERE type = 'table' AND name GLOB 'events_[0-9]*'";

/// The tables that exist, each with its statements.
pub(super) struct Events {
    tables: RefCell<BTreeMap<u64, Statements>>,
}

/// The texts for one table: the runtime keeps prepared statements by their exact text.
#[derive(Clone)]
struct Statements {
    last: JsString,
    at: JsString,
    from: JsString,
    insert: JsString,
}

impl Events {
    /// Reads which tables there are.
    pub(super) fn open(sql: &Sql) -> Result<Self, JsValue> {
        let names = rows::all(&sql.exec(&JsString::from(TABLES))?, |row| row.key().as_string())?;
        let numbers = names.iter().flatten().filter_map(|name| name.strip_prefix("events_")?.parse().ok());
        let tables = numbers.map(|number| (number, Statements::on(number))).collect();
        Ok(Self { tables: RefCell::new(tables) })
    }

    pub(super) fn last(&self, sql: &Sql) -> Result<Option<Vec<u8>>, JsValue> {
        let tables = self.tables.borrow();
        let Some((_, newest)) = tables.last_key_value() else { return Ok(None) };
        rows::first(&sql.exec(&newest.last)?, rows::bytes)
    }

    pub(super) fn at(&self, sql: &Sql, seq: u64) -> Result<Option<Vec<u8>>, JsValue> {
        let tables = self.tables.borrow();
        let Some(table) = tables.get(&table_of(seq)) else { return Ok(None) };
        rows::first(&sql.exec_seq(&table.at, number(seq))?, rows::bytes)
    }

    pub(super) fn from(&self, sql: &Sql, seq: u64, limit: u32) -> Result<Vec<Vec<u8>>, JsValue> {
        let mut events = Vec::new();
        for table in self.tables.borrow().range(table_of(seq)..).map(|(_, table)| table) {
            let wanted = limit.saturating_sub(u32::try_from(events.len()).unwrap_or(limit));
            if wanted == 0 {
                break;
            }
            events.extend(rows::all(&sql.exec_seq_limit(&table.from, number(seq), wanted)?, rows::bytes)?);
        }
        Ok(events)
    }

    pub(super) fn have_table_for(&self, seq: u64) -> bool {
        self.tables.borrow().contains_key(&table_of(seq))
    }

    /// Writes one event, after making its table if there is none; answers with the rows written.
    /// What was made is remembered by [`Self::keep`], once the transaction holds.
    pub(super) fn insert(&self, sql: &Sql, seq: u64, event: &[u8]) -> Result<u64, JsValue> {
        let table = table_of(seq);
        let known = self.tables.borrow().get(&table).map(|table| table.insert.clone());
        let (made, insert) = match known {
            Some(insert) => (0, insert),
            None => (make(sql, table)?, Statements::on(table).insert),
        };
        Ok(made + rows::written(&sql.exec_seq_bytes(&insert, number(seq), event)?)?)
    }

    /// Remembers the tables of these positions.
    pub(super) fn keep(&self, positions: impl Iterator<Item = u64>) {
        let mut tables = self.tables.borrow_mut();
        for number in positions.map(table_of) {
            tables.entry(number).or_insert_with(|| Statements::on(number));
        }
    }
}

fn make(sql: &Sql, table: u64) -> Result<u64, JsValue> {
    let create = format!("CREATE TABLE IF NOT EXISTS events_{table} (seq INTEGER PRIMARY KEY, event BLOB NOT NULL)");
    rows::written(&sql.exec(&JsString::from(create))?)
}

impl Statements {
    fn on(table: u64) -> Self {
        let select = format!("SELECT event AS value FROM events_{table}");
        Self {
            last: format!("{select} ORDER BY seq DESC LIMIT 1").into(),
            at: format!("{select} WHERE seq = ?1").into(),
            from: format!("{select} WHERE seq >= ?1 ORDER BY seq LIMIT ?2").into(),
            insert: format!("INSERT INTO events_{table} (seq, event) VALUES (?1, ?2)").into(),
        }
    }
}

fn table_of(seq: u64) -> u64 {
    seq / EVENTS_PER_TABLE
}

#[allow(clippy::cast_precision_loss, reason = "positions stay below 2^53")]
fn number(seq: u64) -> f64 {
    seq as f64
}
