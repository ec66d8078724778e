//! Families of refresh tokens: each stands apart, and each can be ended in every way there is.

use crate::cast;
use grantlog_tests::{Browser, Person, Registration, RelyingParty, Service, relying_party::Tokens};
use serde_json::json;

/// RB: a second device is a second grant.
#[test]
fn a_second_device_does_not_touch_the_first() {
    let service = Service::shared();
    let (party, person, phone) = cast(&service);
    let laptop = Browser::new(&service);
    let first = party.tokens(&phone, &person, &[]);
    let second = party.tokens(&laptop, &person, &[]);
    let rotated = Tokens(party.refresh(second.refresh()).expect(200).json());
    let _ = party.client.form("revocation_endpoint", &[("token", rotated.refresh())]).send().expect(200);
    party.refresh(rotated.refresh()).must_refuse(400, "invalid_grant");
    assert!(!party.is_active(rotated.access()));
    let first = Tokens(party.refresh(first.refresh()).expect(200).json());
    assert!(party.is_active(first.access()));
}

/// R3: revoking one ends what came by its grace too, and rotating one of them hurts no other.
#[test]
fn what_came_by_grace_is_one_token_with_what_came_first() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let tokens = party.tokens(&browser, &person, &[]);
    let first = Tokens(party.refresh(tokens.refresh()).expect(200).json());
    let grace = Tokens(party.refresh(tokens.refresh()).expect(200).json());
    let next = Tokens(party.refresh(grace.refresh()).expect(200).json());
    assert!(party.is_active(first.access()) && party.is_active(next.access()));
    let _ = party.client.form("revocation_endpoint", &[("token", next.refresh())]).send().expect(200);
    for token in [first.access(), grace.access(), next.access()] {
        assert!(!party.is_active(token));
    }
}

/// V12, VC: everything of a person, rotated or not, at every client.
#[test]
fn revoking_a_person_ends_every_family_and_session() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let other = RelyingParty::register(&service);
    let fresh = party.tokens(&browser, &person, &[]);
    let rotated = other.tokens(&browser, &person, &[]);
    let rotated = Tokens(other.refresh(rotated.refresh()).expect(200).json());
    assert_eq!(service.revoke_all(&json!({ "subject": person.user.id, "reason": "stolen" })).status, 200);
    party.refresh(fresh.refresh()).must_refuse(400, "invalid_grant");
    other.refresh(rotated.refresh()).must_refuse(400, "invalid_grant");
    assert!(!party.is_active(fresh.access()) && !other.is_active(rotated.access()));
    service.userinfo(rotated.access()).send().must_challenge(401, "invalid_token");
    let silent = party.authorize(&browser, &[("prompt", "none")]);
    assert_eq!(silent.sent("error").as_deref(), Some("login_required"));
    // They may come again.
    let again = party.tokens(&browser, &person, &[]);
    assert!(party.is_active(again.access()));
}

/// V10: the access token's life is its own.
#[test]
fn an_access_token_and_a_refresh_token_expire_apart() {
    let service = Service::shared();
    let registration = Registration::relying_party("Short", &[grantlog_tests::relying_party::REDIRECT])
        .with("access_token_lifetime", json!(1))
        .with("refresh_token_lifetime", json!(3));
    let party = RelyingParty::with(&service, &registration);
    let (person, browser) = (Person::create(&service), Browser::new(&service));
    let tokens = party.tokens(&browser, &person, &[]);
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    assert!(!party.is_active(tokens.access()));
    let refreshed = Tokens(party.refresh(tokens.refresh()).expect(200).json());
    std::thread::sleep(std::time::Duration::from_millis(3_100));
    party.refresh(refreshed.refresh()).must_refuse(400, "invalid_grant");

    let registration = Registration::relying_party("Long", &[grantlog_tests::relying_party::REDIRECT])
        .with("access_token_lifetime", json!(60))
        .with("refresh_token_lifetime", json!(60));
    let party = RelyingParty::with(&service, &registration);
    let tokens = party.tokens(&browser, &person, &[]);
    assert!(party.is_active(tokens.access()), "its life does not hang on the refresh token's");
}

/// XA: neither an ID token nor a refresh token nor a code is an access token.
#[test]
fn other_kinds_of_token_are_no_access_tokens() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let code = party.code(&browser, &person, &[]);
    let tokens = party.tokens(&browser, &person, &[]);
    let backend = Registration::exchanger("Backend", &["api"]).scope("openid").register(&service);
    for token in [tokens.id(), tokens.refresh(), &code] {
        backend.exchange(token).audience("api").send().must_refuse(400, "invalid_request");
        service.userinfo(token).send().must_challenge(401, "invalid_token");
    }
    assert!(!backend.introspect(tokens.id()).is_active());
}

/// Delegation from a person's login: the child dies with the session that the parent hung on.
#[test]
fn what_was_exchanged_from_a_login_ends_with_its_session() {
    let service = Service::shared();
    let (party, person, browser) = cast(&service);
    let bound = party.tokens(&browser, &person, &[("scope", "openid profile")]);
    let backend = Registration::exchanger("Backend", &[&service.issuer]).scope("openid profile").register(&service);
    let child = backend.exchange(bound.access()).audience(&service.issuer).send().expect(200).access_token();
    assert!(backend.introspect(&child).is_active());
    let hint = format!("{}?id_token_hint={}", service.endpoint("end_session_endpoint"), bound.id());
    assert_eq!(browser.go(&hint).answer.status, 200);
    assert!(!backend.introspect(&child).is_active());
    service.userinfo(&child).send().must_challenge(401, "invalid_token");
    backend.exchange(&child).audience(&service.issuer).send().must_refuse(400, "invalid_request");
}
