//! Revocation by those who hold the token, and by operators who do not (V9, V12).

use grantlog_tests::{
    Client, Registration,
    audit::Auditor,
    jwt,
    party::{Cast, SCOPE},
};
use serde_json::{Value, json};

/// V9: an unknown token is 200 and inactive, whatever the hint says.
#[test]
fn an_unknown_token_is_inactive_and_a_hint_is_no_more_than_a_hint() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    for hint in ["access_token", "refresh_token", "nonsense"] {
        let asked = |text: &str| {
            cast.frontend.form("introspection_endpoint", &[("token", text), ("token_type_hint", hint)]).send()
        };
        assert!(asked(&token).is_active());
        asked("no-such-token").must_be_inactive();
    }
    cast.frontend.introspect("x").must_be_inactive();
}

/// RFC 7662 §4, DESIGN §8: who has no business with a token is told that it is inactive.
#[test]
fn introspection_tells_a_stranger_nothing() {
    let cast = Cast::on_shared();
    let stranger = Registration::machine("stranger").scope("openid").register(&cast.service);
    stranger.introspect(&cast.first_token()).must_be_inactive();
}

/// RFC 7662 §2.2: what introspection says is what the token says.
#[test]
fn introspection_agrees_with_the_token() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let (claims, said) = (jwt::claims(&token), cast.frontend.introspect(&token).json());
    for member in ["sub", "aud", "iss", "exp", "iat", "jti", "client_id", "scope"] {
        assert_eq!(said[member], claims[member], "{member}");
    }
    assert_eq!(said["token_type"], "Bearer");
}

/// RFC 7009 §2.1 and §2.2: only the token's client may revoke it; an unknown token is 200; twice is once.
#[test]
fn a_token_is_revoked_by_its_own_client_and_unknown_ones_are_no_error() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let answer = cast.backend.revoke(&token);
    assert!(answer.status == 400 && answer.error().is_some(), "{answer:?}");
    assert!(cast.frontend.introspect(&token).is_active());
    assert_eq!(cast.frontend.revoke("no-such-token").status, 200);
    assert_eq!(cast.frontend.revoke(&token).status, 200);
    assert_eq!(cast.frontend.revoke(&token).status, 200);
    cast.must_be_dead(&cast.frontend, &token);
    let history = Auditor::of(&cast.service).history(&jwt::jti(&token));
    let ends = history["events"].as_array().unwrap().iter().filter(|event| event["type"] == "token_revoked");
    assert_eq!(ends.count(), 1, "revoking twice is revoking once");
}

/// V12: without holding any of their tokens, all of a person's; new ones may be had.
#[test]
fn an_operator_revokes_everything_of_a_person() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let child = cast.delegated(&first);
    revoked(&cast, &json!({ "subject": cast.user.id, "reason": "a lost telephone" }));
    cast.must_be_dead(&cast.frontend, &first);
    cast.must_be_dead(&cast.backend, &child);
    cast.must_live(&cast.frontend, &cast.first_token());
    assert_eq!(Auditor::of(&cast.service).history(&jwt::jti(&first))["reason"], "a lost telephone");
}

/// V12: all that was issued to a client, not what others obtained with it; new ones may be had.
#[test]
fn an_operator_revokes_everything_of_a_client() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let child = cast.delegated(&first);
    let machine = cast.actor.own_token("openid");
    revoked(&cast, &json!({ "client_id": cast.frontend.id, "reason": "a leak" }));
    cast.must_be_dead(&cast.frontend, &first);
    cast.must_live(&cast.backend, &child);
    assert!(cast.actor.introspect(&machine).is_active());
    cast.must_live(&cast.frontend, &cast.first_token());
    revoked(&cast, &json!({ "client_id": cast.actor.id, "reason": "a leak" }));
    cast.actor.introspect(&machine).must_be_inactive();
    assert!(cast.actor.introspect(&cast.actor.own_token("openid")).is_active());
}

/// V12: one grant, by its address, and with it every descendant; another login stays.
#[test]
fn an_operator_revokes_a_grant() {
    let cast = Cast::on_shared();
    let (first, other) = (cast.first_token(), cast.first_token());
    let child = cast.delegated(&first);
    let grant = Auditor::of(&cast.service).history(&jwt::jti(&child))["grant"].clone();
    revoked(&cast, &json!({ "grant": grant, "reason": "logged out by support" }));
    cast.must_be_dead(&cast.frontend, &first);
    cast.must_be_dead(&cast.backend, &child);
    cast.must_live(&cast.frontend, &other);
}

/// V12: one token, by its `jti`, and with it its subtree.
#[test]
fn an_operator_revokes_a_token_by_its_jti() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let (child, sibling) = (cast.delegated(&first), cast.delegated(&first));
    revoked(&cast, &json!({ "jti": jwt::jti(&child), "reason": "seen in a log file" }));
    cast.must_be_dead(&cast.backend, &child);
    cast.must_live(&cast.backend, &sibling);
    cast.must_live(&cast.frontend, &first);
}

/// V12 asks for exactly one target, and for a reason; what is not there cannot be revoked.
#[test]
fn a_revocation_names_exactly_one_thing_that_exists() {
    let cast = Cast::on_shared();
    let jti = jwt::jti(&cast.first_token());
    for body in [
        json!({}),
        json!({ "reason": "x" }),
        json!({ "jti": jti, "subject": cast.user.id, "reason": "x" }),
        json!({ "jti": jti, "reason": 7 }),
        json!({ "jti": 7, "reason": "x" }),
        json!({ "jti": jti, "reason": "x".repeat(10_000) }),
        json!([]),
    ] {
        cast.service.revoke_all(&body).must_refuse(400, "invalid_request");
    }
    let absent = cast.service.revoke_all(&json!({ "jti": format!("{jti}x"), "reason": "x" }));
    assert!(matches!(absent.status, 400 | 404) && absent.error().is_some(), "{absent:?}");
    let absent = cast.service.revoke_all(&json!({ "client_id": "nobody", "reason": "x" }));
    assert!(matches!(absent.status, 400 | 404) && absent.error().is_some(), "{absent:?}");
}

/// CONTRACT, operator access: each endpoint wants its own scope (403), and a token at all (401).
#[test]
fn an_operator_needs_the_scope_of_what_it_asks() {
    let cast = Cast::on_shared();
    let service = &cast.service;
    let (audit, admin) = (service.operator_token("audit"), service.operator_token("admin"));
    let user = service.get(&format!("/scim/v2/Users/{}", cast.user.id));
    let revocation = service.post("/admin/revocations").json(&json!({ "subject": cast.user.id, "reason": "x" }));
    let events = service.get("/audit/events?limit=1");
    let registration = service.post_to("registration_endpoint").json(&Registration::machine("x").metadata());
    for (request, wrong) in [(user, &admin), (revocation, &audit), (events, &admin), (registration, &audit)] {
        request.clone().bearer(wrong).send().must_challenge(403, "insufficient_scope");
        request.clone().bearer(&cast.first_token()).send().must_challenge(403, "insufficient_scope");
        let bare = request.send();
        assert!(bare.status == 401 && bare.header("www-authenticate").starts_with("Bearer"), "{bare:?}");
    }
    cast.must_live(&cast.frontend, &cast.first_token());
}

/// An operator's token is a token like others: revoked, it opens nothing.
#[test]
fn a_revoked_operator_token_opens_nothing() {
    let cast = Cast::on_shared();
    let token = cast.service.operator_token("audit");
    revoked(&cast, &json!({ "jti": jwt::jti(&token), "reason": "rotated" }));
    cast.service.get("/audit/events?limit=1").bearer(&token).send().must_challenge(401, "invalid_token");
}

/// The same people may not be registered for what only operators may do (DESIGN §5).
#[test]
fn operator_scopes_cannot_be_registered() {
    let cast = Cast::on_shared();
    for scope in ["client:register", "scim", "admin", "audit", "openid admin"] {
        Registration::machine("climber").scope(scope).send(&cast.service).must_refuse(400, "invalid_client_metadata");
    }
    climbs_nowhere(&cast.actor);
}

fn climbs_nowhere(client: &Client) {
    client.client_credentials("admin").must_refuse(400, "invalid_scope");
    client.client_credentials(SCOPE).must_refuse(400, "invalid_scope");
}

/// The answer says how many and where, once durable.
fn revoked(cast: &Cast, body: &Value) {
    let answer = cast.service.revoke_all(body).expect(200).json();
    assert!(answer["revoked"].is_u64(), "{answer}");
    let position = answer["position"].as_str().expect("a position");
    assert_eq!(position.split('.').filter(|part| part.parse::<u64>().is_ok()).count(), 3, "{position}");
}
