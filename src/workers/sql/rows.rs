//! What a cursor holds, copied out of JavaScript.

use super::javascript::{Cursor, Row};
use crate::workers::thrown::bytes_of;
use wasm_bindgen::{JsCast, JsValue};

/// Every row, as `take` reads it.
pub(super) fn all<T>(cursor: &Cursor, take: impl Fn(&Row) -> T) -> Result<Vec<T>, JsValue> {
    let rows = cursor.to_array()?;
    Ok(rows.iter().map(|row| take(row.unchecked_ref())).collect())
}

/// The first row, as `take` reads it.
pub(super) fn first<T>(cursor: &Cursor, take: impl Fn(&Row) -> T) -> Result<Option<T>, JsValue> {
    all(cursor, take).map(|rows| rows.into_iter().next())
}

/// The row's `value`, a blob.
pub(super) fn bytes(row: &Row) -> Vec<u8> {
    bytes_of(&row.value())
}

/// The row's `key` and `value`.
pub(super) fn pair(row: &Row) -> (String, Vec<u8>) {
    (row.key().as_string().unwrap_or_default(), bytes(row))
}

/// The rows that a statement wrote, as they are billed.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
pub(super) fn written(cursor: &Cursor) -> Result<u64, JsValue> {
    cursor.rows_written().map(|rows| rows as u64)
}
