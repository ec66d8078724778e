//! Responses: a body with its type, not cached unless said otherwise.

use super::Response;
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;

/// A response that nobody may cache.
#[must_use]
pub(super) fn with(status: StatusCode, content_type: &'static str, body: Vec<u8>) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// 200 with JSON.
#[must_use]
pub(super) fn json(value: &Value) -> Response {
    with(StatusCode::OK, "application/json", value.to_string().into_bytes())
}

/// Another status with JSON.
#[must_use]
pub(super) fn json_with(status: StatusCode, value: &Value) -> Response {
    with(status, "application/json", value.to_string().into_bytes())
}

/// A status and nothing else.
#[must_use]
pub(super) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
