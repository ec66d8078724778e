//! The Worker's bindings by name, as wrangler.toml has them.

use crate::config::Misconfigured;
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;

/// A binding to a service; its absence stops the start as a missing value does.
pub(super) fn service<T: JsCast>(env: &Env, name: &str) -> Result<T, Misconfigured> {
    value(env, name).map(JsCast::unchecked_into).ok_or_else(|| Misconfigured(format!("The binding {name} is missing.")))
}

/// A var or secret.
pub(super) fn text(env: &Env, name: &str) -> Option<String> {
    value(env, name)?.as_string()
}

fn value(env: &Env, name: &str) -> Option<JsValue> {
    Reflect::get(env, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}
