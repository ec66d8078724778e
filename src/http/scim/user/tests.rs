#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use super::*;
use serde_json::json;

fn parsed(value: &Value) -> Result<User, Stop> {
    let Value::Object(object) = value else { panic!("not an object") };
    User::parse(object)
}

fn refused(value: &Value) -> (u16, Value) {
    match parsed(value) {
        Err(Stop::Plain(response)) => (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn attributes_are_kept_in_one_spelling_and_what_is_not_kept_is_ignored() {
    let user = parsed(&json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "id": "x", "meta": {},
        "USERNAME": "ada", "Name": { "GivenName": "Ada", "shoeSize": "38" }, "favouriteColour": "red",
        "emails": [{ "Value": "ada@example.org", "primary": "True" }, {}], "phoneNumbers": [], "nickName": null,
    }));
    let expected = json!({
        "userName": "ada", "name": { "givenName": "Ada" }, "emails": [{ "value": "ada@example.org", "primary": true }],
    });
    assert_eq!(Value::Object(user.unwrap().attributes), expected);
}

/// E17: what would show in a log line shows nothing of the person.
#[test]
fn debug_output_holds_nothing_personal() {
    let user = parsed(&json!({ "userName": "ada-canary", "password": "pw-canary" })).unwrap();
    assert!(!format!("{user:?}").contains("canary"));
}

#[test]
fn the_password_is_not_among_the_attributes() {
    let user = parsed(&json!({ "userName": "ada", "password": "correct horse" })).unwrap();
    assert_eq!(user.password.as_deref(), Some("correct horse"));
    assert!(!String::from_utf8(user.personal()).unwrap().contains("horse"));
}

#[test]
fn standing_and_entitlement_are_read() {
    let user =
        parsed(&json!({ "userName": "ada", "active": "False", "entitlements": [{ "value": "audit" }] })).unwrap();
    assert_eq!(user.profile(false), SubjectProfile { suspended: true, auditor: true, password: false });
    let user = parsed(&json!({ "userName": "ada", "entitlements": [{ "value": "auditor" }] })).unwrap();
    assert_eq!(user.profile(true), SubjectProfile { suspended: false, auditor: false, password: true });
}

#[test]
fn values_of_the_wrong_form_are_refused_without_repeating_them() {
    for value in [
        json!({}),
        json!({ "userName": "" }),
        json!({ "userName": "  " }),
        json!({ "userName": 7 }),
        json!({ "userName": "canary\nname" }),
        json!({ "userName": "x".repeat(1025) }),
        json!({ "userName": "canary", "active": "yes" }),
        json!({ "userName": "canary", "password": "" }),
        json!({ "userName": "canary", "name": "Ada" }),
        json!({ "userName": "canary", "name": { "givenName": 1 } }),
        json!({ "userName": "canary", "emails": { "value": "x" } }),
        json!({ "userName": "canary", "emails": ["canary@example.org"] }),
        json!({ "userName": "canary", "emails": [{ "value": "a", "primary": true }, { "value": "b", "primary": true }] }),
    ] {
        let (status, body) = refused(&value);
        assert_eq!((status, &body["scimType"]), (400, &json!("invalidValue")), "{value}");
        assert!(!body.to_string().contains("canary"), "{value}");
    }
}

#[test]
fn more_than_a_view_could_hold_is_refused_up_front() {
    let groups = |number: usize, length: usize| {
        let group = |number: usize| json!({ "display": format!("{number:0length$}") });
        json!({ "userName": "ada", "groups": (0..number).map(group).collect::<Vec<Value>>() })
    };
    assert!(parsed(&groups(10_000, 20)).is_ok());
    assert_eq!(refused(&groups(10_001, 20)).0, 400);
    assert_eq!(refused(&groups(10_000, 100)).0, 413);
}
