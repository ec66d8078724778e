//! `oidcc-basic`: what must be refused, and how.

use crate::{Cast, cast};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

#[test]
fn oidcc_response_type_missing() {
    let Cast { party, browser, .. } = cast();
    let page = party.authorize(&browser, &[("response_type", "")]);
    assert_eq!(page.sent("error").as_deref(), Some("invalid_request"));
}

#[test]
fn oidcc_ensure_registered_redirect_uri() {
    let Cast { party, browser, .. } = cast();
    for uri in ["https://client.example/other", "https://client.example/callback/", "https://evil.example/callback"] {
        let page = party.authorize(&browser, &[("redirect_uri", uri)]);
        assert_eq!(page.answer.status, 400);
        assert!(page.answer.header("location").is_empty());
    }
}

#[test]
fn oidcc_request_uri_unsigned_supported_correctly_or_rejected_as_unsupported() {
    let Cast { party, browser, .. } = cast();
    let page = party.authorize(&browser, &[("request_uri", "https://client.example/request.jwt")]);
    assert_eq!(page.sent("error").as_deref(), Some("request_uri_not_supported"));
}

fn request_object(claims: &serde_json::Value) -> String {
    let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.", part(&json!({ "alg": "none" })), part(claims))
}

#[test]
fn oidcc_unsigned_request_object_supported_correctly_or_rejected_as_unsupported() {
    let Cast { party, browser, .. } = cast();
    let page = party.authorize(&browser, &[("request", &request_object(&json!({ "nonce": "another" })))]);
    assert_eq!(page.sent("error").as_deref(), Some("request_not_supported"));
}

#[test]
fn oidcc_ensure_request_object_with_redirect_uri() {
    let Cast { party, browser, .. } = cast();
    let object = request_object(&json!({ "redirect_uri": "https://evil.example/" }));
    let page = party.authorize(&browser, &[("request", &object)]);
    assert!(page.location().starts_with(&party.redirect_uri), "{}", page.location());
    assert_eq!(page.sent("error").as_deref(), Some("request_not_supported"));
}
