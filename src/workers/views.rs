//! The views: users and clients in KV, the read model in D1.

use super::{
    read_model::{Database, ReadModel},
    thrown::{bytes_of, settled},
};
use crate::{
    failure::Failure,
    ports::{Parameter, Statement, Views},
};
use grantlog_events::{ClientId, Place, Subject};
use grantlog_projections::read_model::Table;
use js_sys::{JsString, Promise, Uint8Array};
use wasm_bindgen::prelude::*;

const READING: &str = "reading a view";
const WRITING: &str = "writing a view";

/// In what KV says of a write that it refused for coming too often.
const TOO_OFTEN: &str = "429 Too Many Requests";

#[wasm_bindgen]
extern "C" {
    /// The binding to the KV namespace.
    pub type Kv;

    #[wasm_bindgen(method, catch)]
    fn get(this: &Kv, key: &str, kind: &JsString) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn put(this: &Kv, key: &str, value: &Uint8Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &Kv, key: &str) -> Result<Promise, JsValue>;
}

/// [`Views`] over KV and D1. A write refused for coming too often fails and may be repeated.
pub struct KvD1 {
    kv: Kv,
    read_model: ReadModel,
    array_buffer: JsString,
}

impl KvD1 {
    pub(super) fn new(kv: Kv, database: Database) -> Self {
        Self { kv, read_model: ReadModel::new(database), array_buffer: JsString::from("arrayBuffer") }
    }

    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>, Failure> {
        let value = settled(READING, self.kv.get(key, &self.array_buffer)).await?;
        Ok((!value.is_null()).then(|| bytes_of(&value)))
    }

    async fn write(&self, key: &str, value: Option<&[u8]>) -> Result<(), Failure> {
        let written = match value {
            Some(bytes) => self.kv.put(key, &Uint8Array::from(bytes)),
            None => self.kv.delete(key),
        };
        match settled(WRITING, written).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.detail.contains(TOO_OFTEN) => Err(Failure::undone(WRITING, failure.detail)),
            Err(failure) => Err(failure),
        }
    }
}

impl Views for KvD1 {
    async fn user(&self, subject: &Subject) -> Result<Option<Vec<u8>>, Failure> {
        self.read(&user(subject)).await
    }

    async fn put_user(&self, subject: &Subject, view: Option<&[u8]>) -> Result<(), Failure> {
        self.write(&user(subject), view).await
    }

    async fn client(&self, id: &ClientId) -> Result<Option<Vec<u8>>, Failure> {
        self.read(&client(id)).await
    }

    async fn put_client(&self, id: &ClientId, view: &[u8]) -> Result<(), Failure> {
        self.write(&client(id), Some(view)).await
    }

    async fn read_model_position(&self, place: Place) -> Result<Option<u64>, Failure> {
        self.read_model.position(place).await
    }

    async fn read_model_rows(&self, place: Place, table: Table) -> Result<Vec<Vec<Parameter>>, Failure> {
        self.read_model.rows(place, table).await
    }

    async fn write_read_model(&self, batch: &[Statement]) -> Result<(), Failure> {
        self.read_model.write(batch).await
    }
}

fn user(subject: &Subject) -> String {
    format!("user:{subject}")
}

fn client(id: &ClientId) -> String {
    format!("client:{id}")
}
