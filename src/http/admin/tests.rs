#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod over_http;

use super::*;

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

#[test]
fn exactly_one_target_is_taken() {
    let client = target(&object(&json!({ "client_id": "c-1", "reason": "x", "jti": null })));
    assert_eq!(client.unwrap(), Some(Target::Client(ClientId::parse("c-1").unwrap())));
    for none_or_two in
        [json!({}), json!({ "reason": "x" }), json!({ "client_id": "c-1", "kid": "k" }), json!({ "kid": 7 })]
    {
        assert!(
            matches!(target(&object(&none_or_two)), Err(Stop::Error(OAuthError::InvalidRequest, _))),
            "{none_or_two}"
        );
    }
}

/// V12: each way to name what is to end, and nothing that only looks like one.
#[test]
fn what_has_not_the_form_of_its_kind_is_nothing_that_could_be_revoked() {
    for (kind, good, bad) in [
        ("subject", "1-AAAAAAAAAAAAAAAAAAAAAA", "ada"),
        ("client_id", "c-1", "1-AAAAAAAAAAAAAAAAAAAAAA"),
        ("grant", "1.2.3", "1-2-3"),
        ("sid", "1-2-3", "1.2.3"),
        ("jti", "1-2-3-0123abcd", "1-2-3"),
        ("kid", "k", ""),
    ] {
        assert!(target(&object(&json!({ kind: good }))).unwrap().is_some(), "{kind}");
        assert!(target(&object(&json!({ kind: bad }))).unwrap().is_none(), "{kind}");
    }
    assert!(target(&object(&json!({ "sid": "1-2-3-0123abcd" }))).unwrap().is_none());
}

/// E17: a reason goes into the log in clear.
#[test]
fn a_reason_is_short_printable_and_no_address() {
    assert_eq!(reason(&object(&json!({}))).unwrap(), "");
    assert_eq!(
        reason(&object(&json!({ "reason": "lost laptop – see ticket 7" }))).unwrap(),
        "lost laptop – see ticket 7"
    );
    for bad in [json!("ada@example.org"), json!("two\nlines"), json!("x".repeat(201)), json!(7)] {
        assert!(reason(&object(&json!({ "reason": bad }))).is_err(), "{bad}");
    }
}
