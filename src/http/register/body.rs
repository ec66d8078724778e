//! A JSON request body: an object, declared as JSON.

use crate::http::{OAuthError, Request, Stop, stop::because};
use http::header;
use serde_json::{Map, Value};

/// Reads an `application/json` body that is an object.
pub(in crate::http) fn object(request: &Request) -> Result<Map<String, Value>, Stop> {
    if !is_of_type(request, &["application/json"]) {
        return because(OAuthError::UnsupportedMediaType, "The body must be application/json.");
    }
    match serde_json::from_slice(request.body()) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => because(OAuthError::InvalidRequest, "The body must be a JSON object."),
        Err(_) => because(OAuthError::InvalidRequest, "The body is not well-formed JSON."),
    }
}

/// Whether the request says that its body is of one of these types.
pub(in crate::http) fn is_of_type(request: &Request, types: &[&str]) -> bool {
    let content_type =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    types.iter().any(|name| essence.eq_ignore_ascii_case(name))
}
