//! Brings an object's schema up to date when it wakes: each numbered file once, in order, each in a
//! transaction of its own together with the version that it makes.

use super::{
    javascript::{Sql, Storage},
    rows,
};
use js_sys::JsString;
use wasm_bindgen::JsValue;

/// Append only: a released file is never edited.
const MIGRATIONS: [&str; 1] = [include_str!("../../../migrations/log_shard/0001_log.sql")];

const HAS_META: &str = "SELECT name AS key FROM sqlite_master WHERE type = 'table' AND name = 'meta'";
const VERSION: &str = "SELECT value FROM meta WHERE name = 'schema'";
const SET_VERSION: &str =
    "INSERT INTO meta (name, value) VALUES ('schema', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

pub(super) fn run(storage: &Storage, sql: &Sql) -> Result<(), JsValue> {
    for (version, migration) in (1_u32..).zip(MIGRATIONS).skip(version(sql)?) {
        storage.transaction_sync(&mut || {
            sql.exec(&JsString::from(migration))?;
            sql.exec_seq(&JsString::from(SET_VERSION), f64::from(version)).map(JsValue::from)
        })?;
    }
    Ok(())
}

/// How many migrations this storage has seen.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
fn version(sql: &Sql) -> Result<usize, JsValue> {
    let has_meta = sql.exec(&JsString::from(HAS_META))?.to_array()?.length() > 0;
    if !has_meta {
        return Ok(0);
    }
    let version = rows::first(&sql.exec(&JsString::from(VERSION))?, |row| row.value().as_f64())?;
    Ok(version.flatten().map_or(0, |number| number as usize))
}
