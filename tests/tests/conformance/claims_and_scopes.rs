//! `oidcc-basic`: what scopes and the `claims` parameter open at `/userinfo`.

use crate::{Cast, cast};
use serde_json::Value;

#[track_caller]
fn userinfo_with(more: &[(&str, &str)]) -> Value {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, more);
    service.userinfo(tokens.access()).send().expect(200).json()
}

#[track_caller]
fn opens(scope: &str, claims: &[&str]) {
    let userinfo = userinfo_with(&[("scope", scope)]);
    for claim in claims {
        assert!(userinfo.get(*claim).is_some(), "{scope} opens {claim}: {userinfo}");
    }
    let others = ["given_name", "email", "phone_number", "address"];
    for other in others.iter().filter(|other| !claims.contains(other)) {
        assert!(userinfo.get(*other).is_none(), "{scope} does not open {other}: {userinfo}");
    }
}

const PROFILE: [&str; 6] = ["name", "given_name", "family_name", "preferred_username", "locale", "zoneinfo"];

#[test]
fn oidcc_scope_profile() {
    opens("openid profile", &PROFILE);
}

#[test]
fn oidcc_scope_email() {
    opens("openid email", &["email", "email_verified"]);
}

#[test]
fn oidcc_scope_address() {
    opens("openid address", &["address"]);
}

#[test]
fn oidcc_scope_phone() {
    opens("openid phone", &["phone_number"]);
}

#[test]
fn oidcc_scope_all() {
    let all = ["email", "address", "phone_number"];
    opens("openid profile email address phone", &[&PROFILE[..], &all].concat());
}

#[test]
fn oidcc_claims_essential() {
    let claims = r#"{"userinfo":{"name":{"essential":true}},"id_token":{"email":null}}"#;
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[("scope", "openid"), ("claims", claims)]);
    let userinfo = service.userinfo(tokens.access()).send().expect(200).json();
    assert!(userinfo["name"].is_string() && userinfo.get("given_name").is_none(), "{userinfo}");
    assert!(tokens.claims()["email"].is_string());
    // A claim asked for by name is consented to like its scope.
    let silent = party.authorize(&browser, &[("scope", "openid profile"), ("prompt", "none")]);
    assert!(silent.sent("code").is_some(), "{}", silent.location());
}
