//! CORS where browsers call: any origin, no credentials. Tokens travel in headers, never in cookies.

use super::{Response, answer};
use http::{HeaderValue, StatusCode, header};

/// Whether pages of other origins may call this path.
pub(super) fn is_open(path: &str) -> bool {
    matches!(path, "/token" | "/userinfo" | "/revoke" | "/introspect" | "/.well-known/jwks.json")
        || path.starts_with("/.well-known/")
}

/// Lets any page read the response.
pub(super) fn allow(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("WWW-Authenticate, Retry-After"));
}

/// The answer to a preflight.
pub(super) fn preflight() -> Response {
    let mut response = answer::empty(StatusCode::NO_CONTENT);
    allow(&mut response);
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Authorization, Content-Type, DPoP"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}
