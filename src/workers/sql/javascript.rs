//! The object's storage as JavaScript has it, every call with `catch`.
//!
//! Blobs are handed over as views of this instance's memory, without a copy: a statement that writes
//! has run to its end when `exec` returns, and does not look at its parameters again.

use js_sys::{Array, JsString, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// `ctx.storage`.
    pub type Storage;
    /// `ctx.storage.sql`.
    pub type Sql;
    pub type Cursor;
    /// A row with the columns that our statements name.
    pub type Row;

    #[wasm_bindgen(method, catch, getter)]
    pub fn sql(this: &Storage) -> Result<Sql, JsValue>;
    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    pub fn transaction_sync(
        this: &Storage,
        body: &mut dyn FnMut() -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = getAlarm)]
    pub fn get_alarm(this: &Storage) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAlarm)]
    pub fn set_alarm(this: &Storage, at: f64) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = deleteAlarm)]
    pub fn delete_alarm(this: &Storage) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub fn exec(this: &Sql, query: &JsString) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_seq(this: &Sql, query: &JsString, seq: f64) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_seq_limit(this: &Sql, query: &JsString, seq: f64, limit: u32) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_seq_bytes(this: &Sql, query: &JsString, seq: f64, bytes: &[u8]) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_text(this: &Sql, query: &JsString, text: &str) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_text_text(this: &Sql, query: &JsString, first: &str, second: &str) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, js_name = exec)]
    pub fn exec_text_bytes(this: &Sql, query: &JsString, text: &str, bytes: &[u8]) -> Result<Cursor, JsValue>;
    #[wasm_bindgen(method, catch, variadic, js_name = exec)]
    pub fn exec_all(this: &Sql, query: &JsString, texts: &Array) -> Result<Cursor, JsValue>;

    #[wasm_bindgen(method, catch, js_name = toArray)]
    pub fn to_array(this: &Cursor) -> Result<Array, JsValue>;
    #[wasm_bindgen(method, catch, getter, js_name = rowsWritten)]
    pub fn rows_written(this: &Cursor) -> Result<f64, JsValue>;

    #[wasm_bindgen(method, getter)]
    pub fn key(this: &Row) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &Row) -> JsValue;
}
