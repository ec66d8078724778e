//! Registration and its management (RFC 7591, RFC 7592; DESIGN §5: who may change what).

use grantlog_tests::{
    AssertionIssuer, Client, Registration, Service, jwt,
    key::KeyPair,
    party::{Cast, SCOPE},
};
use serde_json::{Value, json};

/// RFC 7591 §3.2.1: the answer repeats the metadata and shows the secret once.
#[test]
fn registering_answers_with_what_was_registered() {
    let service = Service::shared();
    let client = Registration::machine("A service").scope("read write").lifetime(120).register(&service);
    let said = &client.metadata;
    assert_eq!(said["client_name"], "A service");
    assert_eq!(said["scope"], "read write");
    assert_eq!(said["access_token_lifetime"], 120);
    assert!(said["client_id_issued_at"].is_u64() && said["client_secret_expires_at"] == 0);
    let read = client.manage("GET").send().expect(200);
    assert!(read.header("cache-control").contains("no-store"));
    assert_eq!(read.json()["client_name"], "A service");
    assert_ne!(read.json()["client_secret"].as_str(), Some(client.secret()), "a secret is shown once");
    let claims = jwt::claims(&client.own_token("read"));
    assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 120);
}

/// RFC 7592 §2.2: names and keys change, rights shrink.
#[test]
fn a_client_may_rename_and_narrow_itself() {
    let service = Service::shared();
    let client = Registration::machine("before").scope("read write").register(&service);
    let changed = updated(&client, |metadata| {
        metadata["client_name"] = json!("after");
        metadata["scope"] = json!("read");
    });
    assert_eq!(changed.expect(200).json()["scope"], "read");
    client.client_credentials("write").must_refuse(400, "invalid_scope");
    let _ = client.own_token("read");
}

/// DESIGN §5: widening needs `client:register`.
#[test]
fn a_client_may_not_widen_itself_but_an_operator_may() {
    let cast = Cast::on_shared();
    let widenings: [(&str, Value); 4] = [
        ("scope", json!("openid everything")),
        ("grant_types", json!(["client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange"])),
        (
            "token_exchange",
            json!({ "audiences": [], "impersonation": true, "actors": "any", "subject_clients": "any" }),
        ),
        ("assertion_issuers", json!([AssertionIssuer::new().metadata()])),
    ];
    for (member, value) in widenings {
        let answer = updated(&cast.actor, |metadata| metadata[member] = value.clone());
        answer.must_challenge(403, "insufficient_scope");
    }
    let signing =
        Registration::machine("signing").scope("read").private_key(KeyPair::es256("k")).register(&cast.service);
    updated(&signing, |metadata| metadata["token_endpoint_auth_method"] = json!("client_secret_basic"))
        .must_challenge(403, "insufficient_scope");
    let mut wider = cast.actor.update();
    wider["scope"] = json!("openid everything");
    let operator = cast.service.operator_token("client:register");
    let _ =
        cast.service.request("PUT", &cast.actor.configuration_uri).bearer(&operator).json(&wider).send().expect(200);
    let _ = cast.actor.own_token("everything");
}

/// RFC 7592 §2: only the holder of the right token; a stranger cannot tell what exists.
#[test]
fn a_registration_is_managed_with_its_own_token_alone() {
    let service = Service::shared();
    let (one, other) =
        (Registration::machine("one").register(&service), Registration::machine("other").register(&service));
    for method in ["GET", "DELETE"] {
        let ask = |token: &str| service.request(method, &one.configuration_uri).bearer(token).send();
        ask(&other.registration_token).must_challenge(401, "invalid_token");
        ask("x").must_challenge(401, "invalid_token");
        ask(one.secret()).must_challenge(401, "invalid_token");
        service
            .request(method, &service.url("/register/nobody"))
            .bearer("x")
            .send()
            .must_challenge(401, "invalid_token");
    }
    let _ = one.manage("GET").send().expect(200);
}

/// RFC 7592 §2.3: deleted is deleted, and repeating it does no harm.
#[test]
fn a_deleted_client_is_gone() {
    let service = Service::shared();
    let client = Registration::machine("ephemeral").scope("read").register(&service);
    let token = client.own_token("read");
    assert_eq!(client.manage("DELETE").send().status, 204);
    client.client_credentials("read").must_refuse(401, "invalid_client");
    client.introspect(&token).must_refuse(401, "invalid_client");
    let again = client.manage("DELETE").send();
    assert!(matches!(again.status, 204 | 401), "{again:?}");
}

/// RFC 7591 §3.2.2: what does not make sense is not registered.
#[test]
fn metadata_that_makes_no_sense_is_refused() {
    let service = Service::shared();
    let base = || Registration::machine("nonsense");
    let policy = |value: Value| Registration::exchanger("nonsense", &[]).policy(value);
    for registration in [
        base().with("grant_types", json!(["password"])),
        base().with("grant_types", json!("client_credentials")),
        base().with("token_endpoint_auth_method", json!("tls_client_auth")),
        base().with("token_endpoint_auth_method", json!("private_key_jwt")),
        base().with("access_token_lifetime", json!(0)),
        base().with("access_token_lifetime", json!(86_401)),
        base().with("access_token_lifetime", json!("60")),
        base().with("access_token_signed_response_alg", json!("none")),
        base().with("access_token_signed_response_alg", json!("HS256")),
        base().with("scope", json!("quote\"d")),
        base().with("scope", json!(["read"])),
        base().with("jwks", json!({ "keys": [KeyPair::es256("k").jwk(), { "kty": "oct", "k": "AAAA" }] })),
        base().with("assertion_issuers", json!([{ "issuer": "https://a.example" }])),
        base().with("assertion_issuers", json!([{ "jwks": KeyPair::es256("k").jwks() }])),
        base().with("userinfo_consistency", json!("perhaps")),
        policy(json!("any")),
        policy(json!({ "actors": "everyone" })),
        policy(json!({ "audiences": "https://a.example" })),
        policy(json!({ "resources": ["no uri"] })),
        policy(json!({ "impersonation": "yes" })),
    ] {
        let answer = registration.send(&service);
        assert!(answer.status == 400, "registered {}: {answer:?}", registration.metadata());
        answer.must_refuse(400, "invalid_client_metadata");
    }
}

/// CONTRACT: a client that reads `/userinfo` from the log sees the same claims.
#[test]
fn userinfo_from_the_log_says_the_same_as_userinfo_from_the_view() {
    let cast = Cast::on_shared();
    let strict = Registration::frontend("strict", &cast.login)
        .scope(SCOPE)
        .with("userinfo_consistency", json!("log"))
        .register(&cast.service);
    let token = strict.token_for(&cast.login, &cast.user.id, SCOPE);
    let claims = |token: &str| cast.service.userinfo(token).send().expect(200).json();
    assert_eq!(claims(&token), claims(&cast.first_token()));
    cast.user.set_active(false);
    cast.service.userinfo(&token).send().must_challenge(401, "invalid_token");
}

fn updated(client: &Client, change: impl FnOnce(&mut Value)) -> grantlog_tests::Answer {
    let mut metadata = client.update();
    change(&mut metadata);
    client.manage("PUT").json(&metadata).send()
}
