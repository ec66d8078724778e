#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use super::*;
use serde_json::json;

fn patched(operations: &Value) -> Result<Value, String> {
    let Value::Object(mut user) = json!({
        "userName": "ada", "active": true, "name": { "givenName": "Ada" },
        "emails": [{ "type": "work", "value": "w@example.org", "primary": true }, { "type": "home", "value": "h@example.org" }],
    }) else {
        unreachable!()
    };
    let Value::Object(body) =
        json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": operations })
    else {
        unreachable!()
    };
    match apply(&body, &mut user) {
        Ok(()) => Ok(Value::Object(user)),
        Err(Stop::Plain(response)) => {
            let error: Value = serde_json::from_slice(response.body()).unwrap();
            Err(error["scimType"].as_str().unwrap_or_default().to_owned())
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_person_is_suspended_in_each_way_directories_write_it() {
    for operations in [
        json!([{ "op": "replace", "path": "active", "value": false }]),
        json!([{ "op": "Replace", "path": "active", "value": false }]),
        json!([{ "op": "replace", "value": { "active": false } }]),
        json!([{ "op": "add", "path": "urn:ietf:params:scim:schemas:core:2.0:User:active", "value": false }]),
    ] {
        assert_eq!(patched(&operations).unwrap()["active"], false, "{operations}");
    }
}

#[test]
fn parts_and_chosen_values_change_alone() {
    let user = patched(&json!([
        { "op": "replace", "path": "name.familyName", "value": "Lovelace" },
        { "op": "replace", "path": "emails[type eq \"work\"].value", "value": "new@example.org" },
        { "op": "add", "path": "phoneNumbers[type eq \"mobile\"].value", "value": "+44" },
        { "op": "replace", "value": { "name.middleName": "King", "unknown": 1 } },
    ]))
    .unwrap();
    assert_eq!(user["name"], json!({ "givenName": "Ada", "familyName": "Lovelace", "middleName": "King" }));
    assert_eq!(user["emails"][0], json!({ "type": "work", "value": "new@example.org", "primary": true }));
    assert_eq!(user["emails"][1]["value"], "h@example.org");
    assert_eq!(user["phoneNumbers"], json!([{ "type": "mobile", "value": "+44" }]));
}

#[test]
fn adding_a_primary_value_takes_that_from_the_one_that_was() {
    let user =
        patched(&json!([{ "op": "add", "path": "emails", "value": [{ "value": "n@example.org", "primary": true }] }]))
            .unwrap();
    let primaries: Vec<&Value> = user["emails"].as_array().unwrap().iter().map(|email| &email["primary"]).collect();
    assert_eq!(primaries, [&Value::Null, &Value::Null, &json!(true)]);
}

#[test]
fn what_is_removed_is_gone_and_the_rest_stays() {
    let user = patched(&json!([
        { "op": "remove", "path": "emails[type eq \"work\"]" },
        { "op": "remove", "path": "name.givenName" },
        { "op": "remove", "path": "phoneNumbers[type eq \"none\"]" },
    ]))
    .unwrap();
    assert_eq!(user["emails"], json!([{ "type": "home", "value": "h@example.org" }]));
    assert_eq!(user["name"], json!({}));
    let user =
        patched(&json!([{ "op": "remove", "path": "emails", "value": [{ "value": "h@example.org" }] }])).unwrap();
    assert_eq!(user["emails"].as_array().map(Vec::len), Some(1));
}

#[test]
fn each_mistake_has_its_scim_type() {
    for (operations, expected) in [
        (json!([]), "invalidSyntax"),
        (json!([1]), "invalidSyntax"),
        (json!([{ "op": "move", "path": "active" }]), "invalidSyntax"),
        (json!([{ "op": "replace", "value": "x" }]), "invalidSyntax"),
        (json!([{ "op": "remove" }]), "noTarget"),
        (json!([{ "op": "replace", "path": "shoeSize", "value": 1 }]), "invalidPath"),
        (json!([{ "op": "replace", "path": 7, "value": 1 }]), "invalidPath"),
        (json!([{ "op": "replace", "path": "emails[type co \"w\"].value", "value": "x" }]), "invalidPath"),
        (json!([{ "op": "replace", "path": "emails[type eq \"other\"].value", "value": "x" }]), "noTarget"),
        (json!([{ "op": "replace", "path": "emails[type eq \"work\"]", "value": "x" }]), "invalidValue"),
        (json!([{ "op": "replace", "path": "id", "value": "x" }]), "mutability"),
        (json!([{ "op": "replace", "path": "meta.created", "value": "x" }]), "mutability"),
        (json!([{ "op": "remove", "path": "password" }]), "mutability"),
    ] {
        assert_eq!(patched(&operations), Err(expected.to_owned()), "{operations}");
    }
}
