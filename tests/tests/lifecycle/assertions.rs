//! Assertions as grants (RFC 7523 §2.1): whose, for whom, once.

use grantlog_tests::{
    AssertionIssuer, Registration, Service, User, jwt,
    party::{Cast, SCOPE},
    tamper,
};
use serde_json::{Value, json};

/// The grant in full: what the token says, by a key that is published.
#[test]
fn an_assertion_buys_a_token_of_the_person_it_names() {
    let service = Service::shared();
    for (login, algorithm) in
        [(AssertionIssuer::new(), "ES256"), (AssertionIssuer::with_rsa(), "RS256"), (AssertionIssuer::new(), "EdDSA")]
    {
        let client = Registration::frontend("frontend", &login).scope(SCOPE).algorithm(algorithm).register(&service);
        let user = User::create(&service);
        let answer = client.present(&login.assertion(&service.issuer, &user.id), "openid email").expect(200);
        let token = answer.access_token();
        let claims = jwt::verify(&token, &service.jwks()).expect("a published key signed it");
        let header = jwt::header(&token);
        assert_eq!((header["alg"].as_str(), header["typ"].as_str()), (Some(algorithm), Some("at+jwt")));
        assert_eq!(claims["sub"].as_str(), Some(user.id.as_str()));
        assert_eq!(claims["client_id"].as_str(), Some(client.id.as_str()));
        assert_eq!(answer.json()["scope"], claims["scope"]);
        // What is left of its life when it is answered, which may be in a later second.
        let life = claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap();
        let left = answer.json()["expires_in"].as_u64().unwrap();
        assert!(left <= life && left > life / 2, "{left} of {life}");
        assert!(answer.header("cache-control").contains("no-store"));
    }
}

/// How and when the person logged in elsewhere goes along (RFC 9068 §2.2.1).
#[test]
fn what_the_assertion_says_of_the_login_is_taken_over() {
    let cast = Cast::on_shared();
    let mut claims = cast.login.claims(&cast.service.issuer, &cast.user.id);
    let at = claims["iat"].as_u64().unwrap() - 100;
    for (name, value) in [("acr", json!("high")), ("amr", json!(["pwd", "otp"])), ("auth_time", json!(at))] {
        claims[name] = value;
    }
    let token = cast.frontend.present(&cast.login.sign(&claims), SCOPE).expect(200).access_token();
    for token in [&token, &cast.delegated(&token)] {
        let said = jwt::claims(token);
        assert_eq!(
            (&said["acr"], &said["amr"], &said["auth_time"]),
            (&json!("high"), &json!(["pwd", "otp"]), &json!(at))
        );
    }
}

/// DESIGN §4: an assertion is spent by the token it bought.
#[test]
fn a_spent_assertion_buys_nothing() {
    let cast = Cast::on_shared();
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    let _ = cast.frontend.present(&assertion, SCOPE).expect(200);
    cast.frontend.present(&assertion, SCOPE).must_refuse(400, "invalid_grant");
}

/// X14 as far as it exists here: what is bound to a key buys no bearer token.
#[test]
fn a_bound_assertion_buys_nothing() {
    let cast = Cast::on_shared();
    refused_with(&cast, "cnf", json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }));
    refused_with(&cast, "cnf", json!({ "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" }));
}

/// RFC 7523 §3: each claim counts.
#[test]
fn an_assertion_that_is_wrong_in_any_way_buys_nothing() {
    let cast = Cast::on_shared();
    let now = grantlog_tests::issuer::now();
    for (name, value) in [
        ("exp", json!(now - 60)),
        ("exp", json!(now + 86_400)),
        ("exp", json!(null)),
        ("exp", json!("soon")),
        ("nbf", json!(now + 600)),
        ("aud", json!("https://other.example")),
        ("aud", json!(null)),
        ("iss", json!("https://nobody.example")),
        ("iss", json!(null)),
        ("jti", json!(null)),
        ("sub", json!(null)),
        ("sub", json!("nobody")),
        ("sub", json!("1-AAAAAAAAAAAAAAAAAAAAAA")),
        ("act", json!({ "sub": "x" })),
        ("may_act", json!("x")),
        ("may_act", json!({})),
        ("may_act", json!({ "sub": "x", "unknown": "narrowing" })),
    ] {
        refused_with(&cast, name, value);
    }
}

/// Signed by somebody else, or by nobody.
#[test]
fn a_forged_assertion_buys_nothing() {
    let cast = Cast::on_shared();
    let good = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    let impostor = AssertionIssuer { name: cast.login.name.clone(), ..AssertionIssuer::new() };
    let mut forged = vec![tamper::flipped_signature(&good), tamper::foreign_signature(&good, &impostor.key)];
    forged.push(impostor.assertion(&cast.service.issuer, &cast.user.id));
    forged.extend(tamper::unsigned_forms(&good));
    forged.extend(tamper::public_key_as_secret(&good, &cast.login.key.jwk()));
    forged.extend(tamper::injected_keys(&good, &impostor.key));
    forged.extend(tamper::critical_extensions(&good, &cast.login.key));
    forged.push(cast.first_token());
    for assertion in &forged {
        cast.frontend.present(assertion, SCOPE).must_refuse(400, "invalid_grant");
    }
    let _ = cast.frontend.present(&good, SCOPE).expect(200);
}

/// A client presents assertions of the issuers that it registered, and of no others.
#[test]
fn an_issuer_vouches_only_to_the_clients_that_named_it() {
    let cast = Cast::on_shared();
    let other = Registration::frontend("other", &AssertionIssuer::new()).scope(SCOPE).register(&cast.service);
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    other.present(&assertion, SCOPE).must_refuse(400, "invalid_grant");
    let _ = cast.frontend.present(&assertion, SCOPE).expect(200);
}

/// RFC 6749 §3.3: scope beyond the registered one is refused, not cut in silence.
#[test]
fn scope_beyond_the_clients_is_refused() {
    let cast = Cast::on_shared();
    let ask = |scope: &str| cast.frontend.present(&cast.login.assertion(&cast.service.issuer, &cast.user.id), scope);
    ask("openid phone").must_refuse(400, "invalid_scope");
    ask("openid \"quoted\"").must_refuse(400, "invalid_scope");
    assert_eq!(ask("openid").expect(200).json()["scope"], "openid");
}

fn refused_with(cast: &Cast, name: &str, value: Value) {
    let mut claims = cast.login.claims(&cast.service.issuer, &cast.user.id);
    claims[name] = value;
    cast.frontend.present(&cast.login.sign(&claims), SCOPE).must_refuse(400, "invalid_grant");
}
