//! What JavaScript throws, or rejects a promise with, becomes a [`Failure`].

use crate::failure::Failure;
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A failure with what was thrown while doing something.
pub(super) fn while_doing(doing: &'static str) -> impl Fn(JsValue) -> Failure {
    move |thrown| Failure::passing(doing, sentence(&thrown))
}

/// Waits for what a call promised, if it did not throw at once.
pub(super) async fn settled(doing: &'static str, called: Result<Promise, JsValue>) -> Result<JsValue, Failure> {
    let promise = called.map_err(while_doing(doing))?;
    JsFuture::from(promise).await.map_err(while_doing(doing))
}

/// What was thrown, in words.
pub(super) fn sentence(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => thrown.as_string().unwrap_or_else(|| "something that is no error was thrown".to_owned()),
    }
}

/// The bytes of a buffer, copied out of JavaScript.
pub(super) fn bytes_of(buffer: &JsValue) -> Vec<u8> {
    Uint8Array::new(buffer).to_vec()
}
