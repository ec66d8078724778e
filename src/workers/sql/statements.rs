//! The statements on the tables of fixed name. The runtime keeps prepared statements by their exact
//! text, so each text is made once, as JavaScript has it.

use super::{javascript::Sql, rows};
use js_sys::JsString;
use std::{cell::RefCell, collections::BTreeMap};
use wasm_bindgen::JsValue;

const NAME: &str = "SELECT value FROM meta WHERE name = 'origin'";
const SET_NAME: &str = "INSERT INTO meta (name, value) VALUES ('origin', ?1)";
const UNDER: &str = "SELECT key, value FROM state WHERE key >= ?1 AND key < ?2 ORDER BY key";

/// Comes after every text that may follow a prefix.
const LAST: char = char::MAX;

pub(super) struct Statements {
    pub(super) name: JsString,
    pub(super) set_name: JsString,
    pub(super) state: KeyedBlobs,
    pub(super) secrets: KeyedBlobs,
    under: JsString,
    rows: RefCell<BTreeMap<usize, JsString>>,
}

impl Statements {
    pub(super) fn new() -> Self {
        Self {
            name: NAME.into(),
            set_name: SET_NAME.into(),
            state: KeyedBlobs::of("state", "key"),
            secrets: KeyedBlobs::of("secrets", "name"),
            under: UNDER.into(),
            rows: RefCell::default(),
        }
    }

    /// Reads the rows under as many keys.
    pub(super) fn rows(&self, keys: usize) -> JsString {
        let mut texts = self.rows.borrow_mut();
        let text = texts.entry(keys).or_insert_with(|| {
            let places = vec!["?"; keys].join(",");
            format!("SELECT key, value FROM state WHERE key IN ({places})").into()
        });
        text.clone()
    }

    pub(super) fn rows_under(&self, sql: &Sql, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, JsValue> {
        let end = format!("{prefix}{LAST}");
        rows::all(&sql.exec_text_text(&self.under, prefix, &end)?, rows::pair)
    }
}

/// A table of blobs by a text key.
pub(super) struct KeyedBlobs {
    read: JsString,
    put: JsString,
    delete: JsString,
}

impl KeyedBlobs {
    fn of(table: &str, key: &str) -> Self {
        let put = format!(
            "INSERT INTO {table} ({key}, value) VALUES (?1, ?2) ON CONFLICT ({key}) DO UPDATE SET value = excluded.value"
        );
        Self {
            read: format!("SELECT value FROM {table} WHERE {key} = ?1").into(),
            put: put.into(),
            delete: format!("DELETE FROM {table} WHERE {key} = ?1").into(),
        }
    }

    pub(super) fn read(&self, sql: &Sql, key: &str) -> Result<Option<Vec<u8>>, JsValue> {
        rows::first(&sql.exec_text(&self.read, key)?, rows::bytes)
    }

    /// Replaces, or with no value deletes; answers with the rows written.
    pub(super) fn write(&self, sql: &Sql, key: &str, value: Option<&[u8]>) -> Result<u64, JsValue> {
        let cursor = match value {
            Some(bytes) => sql.exec_text_bytes(&self.put, key, bytes)?,
            None => sql.exec_text(&self.delete, key)?,
        };
        rows::written(&cursor)
    }
}
