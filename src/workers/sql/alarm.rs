//! The one alarm of an object. Setting it is a row written, so it is set only if none is pending that is as early.

use super::javascript::Storage;
use crate::{
    failure::Failure,
    workers::{
        thrown::{settled, while_doing},
        world::now,
    },
};
use grantlog_events::Timestamp;
use js_sys::Promise;
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// Milliseconds until the alarm looks whether what follows from an event was done.
const DELAY: f64 = 5_000.0;

const READING: &str = "reading the alarm";
const SETTING: &str = "setting the alarm";
const CLEARING: &str = "clearing the alarm";

/// When the pending alarm rings, in milliseconds since 1970, as far as this instance knows.
pub(super) struct Alarm {
    pending: Cell<Option<f64>>,
}

impl Alarm {
    pub(super) async fn open(storage: &Storage) -> Result<Self, Failure> {
        let at = settled(READING, storage.get_alarm()).await?;
        Ok(Self { pending: Cell::new(at.as_f64()) })
    }

    /// Sets the alarm for soon, in the transaction that is open; answers with the rows
    /// written. Should that transaction fail, the alarm finds nothing to do.
    pub(super) fn set(&self, storage: &Storage) -> Result<u64, JsValue> {
        self.set_by(storage, milliseconds(now()) + DELAY)
    }

    /// Sees to it that the alarm rings at this instant or before.
    pub(super) fn set_no_later(&self, storage: &Storage, at: Timestamp) -> Result<u64, JsValue> {
        self.set_by(storage, milliseconds(at))
    }

    fn set_by(&self, storage: &Storage, at: f64) -> Result<u64, JsValue> {
        if self.pending.get().is_some_and(|pending| pending <= at) {
            return Ok(0);
        }
        self.put(storage, at)
    }

    /// Nothing is left to do before this instant.
    pub(super) fn put_off(&self, storage: &Storage, until: Timestamp) -> Result<(), Failure> {
        self.put(storage, milliseconds(until)).map(drop).map_err(while_doing(SETTING))
    }

    fn put(&self, storage: &Storage, at: f64) -> Result<u64, JsValue> {
        // The write is done when the call returns; the promise only holds back a writer that is too fast.
        let _: Promise = storage.set_alarm(at)?;
        self.pending.set(Some(at));
        Ok(1)
    }

    /// The alarm has rung, so none is pending.
    pub(super) fn rang(&self) {
        self.pending.set(None);
    }

    pub(super) fn clear(&self, storage: &Storage) -> Result<(), Failure> {
        let _: Promise = storage.delete_alarm().map_err(while_doing(CLEARING))?;
        self.pending.set(None);
        Ok(())
    }
}

#[allow(clippy::cast_precision_loss, reason = "milliseconds since 1970 are below 2^53")]
fn milliseconds(at: Timestamp) -> f64 {
    at.0 as f64
}
