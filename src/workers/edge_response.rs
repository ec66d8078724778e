//! Writes a response into JavaScript.

use ::http::Response;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::{Headers, ResponseInit};

pub(super) fn write(response: &Response<Vec<u8>>) -> Result<web_sys::Response, JsValue> {
    let headers = Headers::new()?;
    for (name, value) in response.headers() {
        headers.append(name.as_str(), &String::from_utf8_lossy(value.as_bytes()))?;
    }
    let init = ResponseInit::new();
    init.set_status(response.status().as_u16());
    init.set_headers(&headers);
    // A body of no bytes is still a body, which some statuses forbid.
    let body = Some(response.body()).filter(|body| !body.is_empty()).map(|body| Uint8Array::from(body.as_slice()));
    web_sys::Response::new_with_opt_buffer_source_and_init(body.as_deref(), &init)
}
