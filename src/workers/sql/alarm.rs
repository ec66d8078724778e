//! The one alarm of an object. Setting it is a row written, so it is set only if none is pending.

use super::javascript::Storage;
use crate::{
    failure::Failure,
    workers::{
        thrown::{settled, while_doing},
        world::now,
    },
};
use js_sys::Promise;
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// Milliseconds until the alarm looks whether what follows from an event was done.
const DELAY: f64 = 5_000.0;

const READING: &str = "reading the alarm";
const CLEARING: &str = "clearing the alarm";

/// Whether the alarm is pending, as far as this instance knows.
pub(super) struct Alarm {
    pending: Cell<bool>,
}

impl Alarm {
    pub(super) async fn open(storage: &Storage) -> Result<Self, Failure> {
        let at = settled(READING, storage.get_alarm()).await?;
        Ok(Self { pending: Cell::new(!at.is_null()) })
    }

    /// Sets the alarm if none is pending, in the transaction that is open; answers with the rows
    /// written. Should that transaction fail, the alarm finds nothing to do.
    #[allow(clippy::cast_precision_loss, reason = "milliseconds since 1970 are below 2^53")]
    pub(super) fn set(&self, storage: &Storage) -> Result<u64, JsValue> {
        if self.pending.get() {
            return Ok(0);
        }
        // The write is done when the call returns; the promise only holds back a writer that is too fast.
        let _: Promise = storage.set_alarm(now().0 as f64 + DELAY)?;
        self.pending.set(true);
        Ok(1)
    }

    /// The alarm has rung, so none is pending.
    pub(super) fn rang(&self) {
        self.pending.set(false);
    }

    pub(super) fn clear(&self, storage: &Storage) -> Result<(), Failure> {
        let _: Promise = storage.delete_alarm().map_err(while_doing(CLEARING))?;
        self.pending.set(false);
        Ok(())
    }
}
