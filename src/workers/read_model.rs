//! The read model in D1: one batch is one transaction.

use super::thrown::{settled, while_doing};
use crate::{
    failure::Failure,
    ports::{Parameter, Statement},
    shard::rows_of,
};
use grantlog_events::Place;
use grantlog_projections::read_model::Table;
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

const READING: &str = "reading the read model";
const WRITING: &str = "writing the read model";

const POSITION: &str = "SELECT seq FROM positions WHERE log = ?1";

#[wasm_bindgen]
extern "C" {
    /// The binding to the database.
    pub type Database;
    type Prepared;

    #[wasm_bindgen(method, catch)]
    fn prepare(this: &Database, sql: &str) -> Result<Prepared, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn batch(this: &Database, statements: &Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, variadic)]
    fn bind(this: &Prepared, parameters: &Array) -> Result<Prepared, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn first(this: &Prepared, column: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn raw(this: &Prepared) -> Result<Promise, JsValue>;
}

pub(super) struct ReadModel {
    database: Database,
}

impl ReadModel {
    pub(super) fn new(database: Database) -> Self {
        Self { database }
    }

    pub(super) async fn position(&self, place: Place) -> Result<Option<u64>, Failure> {
        let log = Parameter::Text(format!("{}/{}", place.epoch, place.shard));
        let statement = self.prepared(POSITION, &[log]).map_err(while_doing(READING))?;
        let seq = settled(READING, statement.first("seq")).await?;
        Ok(seq.as_f64().map(integer))
    }

    pub(super) async fn rows(&self, place: Place, table: Table) -> Result<Vec<Vec<Parameter>>, Failure> {
        let log = Parameter::Text(format!("{}/{}", place.epoch, place.shard));
        let statement = self.prepared(rows_of(table), &[log]).map_err(while_doing(READING))?;
        let rows: Array = settled(READING, statement.raw()).await?.unchecked_into();
        Ok(rows
            .iter()
            .map(|row| row.unchecked_into::<Array>().iter().map(|field| parameter(&field)).collect())
            .collect())
    }

    pub(super) async fn write(&self, batch: &[Statement]) -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let prepared = batch.iter().map(|statement| self.prepared(statement.sql, &statement.parameters));
        let statements = prepared.collect::<Result<Vec<_>, _>>().map_err(while_doing(WRITING))?;
        let statements = statements.into_iter().map(JsValue::from).collect::<Array>();
        settled(WRITING, self.database.batch(&statements)).await.map(drop)
    }

    fn prepared(&self, sql: &str, parameters: &[Parameter]) -> Result<Prepared, JsValue> {
        let parameters = parameters.iter().map(javascript).collect::<Array>();
        self.database.prepare(sql)?.bind(&parameters)
    }
}

fn parameter(field: &JsValue) -> Parameter {
    match (field.as_f64(), field.as_string()) {
        (Some(number), _) => Parameter::Integer(integer(number)),
        (None, Some(text)) => Parameter::Text(text),
        (None, None) => Parameter::Null,
    }
}

/// Integers go as numbers: `worker`'s own way allows no more than 32 bits.
#[allow(clippy::cast_precision_loss, reason = "the contract keeps integers below 2^53")]
fn javascript(parameter: &Parameter) -> JsValue {
    match parameter {
        Parameter::Integer(number) => JsValue::from_f64(*number as f64),
        Parameter::Text(text) => JsValue::from_str(text),
        Parameter::Null => JsValue::NULL,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positions are whole and below 2^53")]
fn integer(number: f64) -> u64 {
    number as u64
}
