//! The one stylesheet. Its path names its bytes, so it may be kept for ever.

use crate::http::Response;
use http::{HeaderValue, header};
use sha2::{Digest, Sha256};
use std::{fmt::Write, sync::LazyLock};

const STYLE: &[u8] = include_bytes!("style.css");

/// The first four bytes of the stylesheet's SHA-256, in hex, between our words.
static PATH: LazyLock<String> = LazyLock::new(|| {
    let mut path = "/assets/style-".to_owned();
    for byte in Sha256::digest(STYLE).iter().take(4) {
        // Writing to a string cannot fail.
        let _ = write!(path, "{byte:02x}");
    }
    path + ".css"
});

/// Path and bytes of the stylesheet that every page links to.
#[must_use]
pub fn stylesheet() -> (&'static str, &'static [u8]) {
    (&PATH, STYLE)
}

/// The response to a `GET` of the stylesheet's path.
#[must_use]
pub fn stylesheet_response() -> Response {
    let mut response = Response::new(STYLE.to_vec());
    for (name, value) in [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
