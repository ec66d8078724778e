//! How clients prove themselves (RFC 6749 §2.3, RFC 7523 §2.2), and how they fail to.

use grantlog_tests::{
    Registration, Request, Service,
    client::{CLIENT_ASSERTION_TYPE, grant},
    key::KeyPair,
    party::Cast,
    tamper,
};
use serde_json::json;

const GRANT: (&str, &str) = ("grant_type", grant::CLIENT_CREDENTIALS);

/// Each of the three methods works, and a client has one of them alone.
#[test]
fn a_client_proves_itself_by_the_method_it_registered_and_no_other() {
    let service = Service::shared();
    let basic = Registration::machine("basic").scope("read").register(&service);
    let post = Registration::machine("post").scope("read").secret_in_body().register(&service);
    for key in [KeyPair::es256("a"), KeyPair::rs256("b")] {
        let signing = Registration::machine("signing").scope("read").private_key(key).register(&service);
        let token = signing.own_token("read");
        assert!(signing.introspect(&token).is_active());
        assert_eq!(signing.revoke(&token).status, 200);
    }
    assert!(basic.introspect(&basic.own_token("read")).is_active());
    assert!(post.introspect(&post.own_token("read")).is_active());
    let in_body = [GRANT, ("client_id", basic.id.as_str()), ("client_secret", basic.secret())];
    must_fail(service.post_to("token_endpoint").form(&in_body));
    must_fail(service.post_to("token_endpoint").basic(&post.id, post.secret()).form(&[GRANT]));
}

/// RFC 6749 §5.2: 401, and the challenge that fits.
#[test]
fn a_client_that_cannot_prove_itself_learns_nothing_but_that() {
    let service = Service::shared();
    let client = Registration::machine("victim").scope("read").register(&service);
    let ask = || service.post_to("token_endpoint");
    must_fail(ask().basic(&client.id, "wrong").form(&[GRANT]));
    must_fail(ask().basic("nobody", client.secret()).form(&[GRANT]));
    must_fail(ask().basic(&client.id, "").form(&[GRANT]));
    must_fail(ask().basic("", "").form(&[GRANT]));
    must_fail(ask().form(&[GRANT]));
    must_fail(ask().form(&[GRANT, ("client_id", client.id.as_str())]));
    for header in ["Basic", "Basic ", "Basic !!!", "Basic bm9jb2xvbg==", "Bearer x", "Digest x"] {
        must_fail(ask().header("authorization", header).form(&[GRANT]));
    }
    let same = |request: Request| String::from_utf8(request.send().body).unwrap();
    assert_eq!(
        same(ask().basic(&client.id, "wrong").form(&[GRANT])),
        same(ask().basic("nobody", "wrong").form(&[GRANT])),
        "whether a client exists is not told"
    );
}

/// RFC 6749 §2.3: one method per request.
#[test]
fn two_proofs_at_once_are_refused() {
    let service = Service::shared();
    let client = Registration::machine("twice").scope("read").register(&service);
    let both = [GRANT, ("client_id", client.id.as_str()), ("client_secret", client.secret())];
    service
        .post_to("token_endpoint")
        .basic(&client.id, client.secret())
        .form(&both)
        .send()
        .must_refuse(400, "invalid_request");
}

/// RFC 6749 §2.3.1: id and secret are form-encoded within Basic.
#[test]
fn a_client_id_in_the_body_must_be_the_one_that_was_proven() {
    let service = Service::shared();
    let (one, other) =
        (Registration::machine("one").register(&service), Registration::machine("other").register(&service));
    let form = [GRANT, ("client_id", other.id.as_str())];
    let answer = service.post_to("token_endpoint").basic(&one.id, one.secret()).form(&form).send();
    assert!(matches!(answer.status, 400 | 401) && answer.error().is_some(), "{answer:?}");
}

/// DESIGN §4: an assertion proves a client once.
#[test]
fn a_replayed_client_assertion_is_refused() {
    let service = Service::shared();
    let client = Registration::machine("signing").scope("read").private_key(KeyPair::es256("k")).register(&service);
    let assertion = client.assertion();
    let ask = || service.post_to("token_endpoint").form(&asserted(&assertion));
    let _ = ask().send().expect(200);
    must_fail(ask());
    must_fail(ask());
}

/// I5: the audience is the issuer as one string or in a list; the token endpoint's URL is taken too.
#[test]
fn a_client_assertion_may_be_for_the_issuer_or_the_token_endpoint() {
    let service = Service::shared();
    let client = Registration::machine("signing").scope("read").private_key(KeyPair::es256("k")).register(&service);
    let with_audience = |audience: serde_json::Value| {
        let mut claims = client.assertion_claims();
        claims["aud"] = audience;
        service.post_to("token_endpoint").form(&asserted(&client.sign_assertion(&claims)))
    };
    let endpoint = service.endpoint("token_endpoint");
    for good in
        [json!(service.issuer), json!([service.issuer]), json!(endpoint), json!(["https://other.example", endpoint])]
    {
        let _ = with_audience(good).send().expect(200);
    }
    for bad in [
        json!("https://other.example"),
        json!([]),
        json!(null),
        json!(""),
        json!(7),
        json!(format!("{}/", service.issuer)),
    ] {
        must_fail(with_audience(bad));
    }
}

/// RFC 7523 §3: each claim counts, and so does the signature.
#[test]
fn a_client_assertion_that_is_wrong_in_any_way_proves_nothing() {
    let service = Service::shared();
    let key = KeyPair::es256("k");
    let client = Registration::machine("signing").scope("read").private_key(key.clone()).register(&service);
    let forger = KeyPair::es256("k");
    let now = grantlog_tests::issuer::now();
    let changed = |name: &str, value: serde_json::Value| {
        let mut claims = client.assertion_claims();
        claims[name] = value;
        client.sign_assertion(&claims)
    };
    let good = client.assertion();
    let mut wrong = vec![
        changed("exp", json!(now - 60)),
        changed("exp", json!(now + 86_400)),
        changed("exp", json!(null)),
        changed("nbf", json!(now + 600)),
        changed("iss", json!("somebody")),
        changed("sub", json!("somebody")),
        changed("jti", json!(null)),
        forger.sign("JWT", &client.assertion_claims()),
        tamper::flipped_signature(&good),
        "x".to_owned(),
    ];
    wrong.extend(tamper::unsigned_forms(&good));
    wrong.extend(tamper::public_key_as_secret(&good, &key.jwk()));
    wrong.extend(tamper::injected_keys(&good, &forger));
    wrong.extend(tamper::critical_extensions(&good, &key));
    for assertion in &wrong {
        must_fail(service.post_to("token_endpoint").form(&asserted(assertion)));
    }
    let unknown_type = [GRANT, ("client_assertion_type", "x"), ("client_assertion", &good)];
    service.post_to("token_endpoint").form(&unknown_type).send().must_refuse(400, "invalid_request");
}

/// VE: after a rotation the new secret works and the old one does not, from the next request on.
#[test]
fn a_rotated_secret_counts_from_the_next_request_on() {
    let cast = Cast::on_shared();
    let old = cast.actor.clone();
    let _ = old.own_token("openid");
    let new = old.rotated();
    assert_ne!(old.secret(), new.secret());
    let _ = new.own_token("openid");
    old.client_credentials("openid").must_refuse(401, "invalid_client");
    old.introspect("x").must_refuse(401, "invalid_client");
    old.revoke("x").must_refuse(401, "invalid_client");
    let newest = new.rotated();
    new.client_credentials("openid").must_refuse(401, "invalid_client");
    let _ = newest.own_token("openid");
}

/// A client may use the grants that it registered, and those alone.
#[test]
fn a_client_uses_only_the_grants_it_registered() {
    let cast = Cast::on_shared();
    cast.frontend.client_credentials("openid").must_refuse(400, "unauthorized_client");
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    cast.backend.present(&assertion, "openid").must_refuse(400, "unauthorized_client");
    cast.actor.exchange(&cast.first_token()).send().must_refuse(400, "unauthorized_client");
    cast.actor.form("token_endpoint", &[("grant_type", "password")]).send().must_refuse(400, "unsupported_grant_type");
    cast.actor.form("token_endpoint", &[("scope", "openid")]).send().must_refuse(400, "invalid_request");
}

fn asserted(assertion: &str) -> [(&str, &str); 3] {
    [GRANT, ("client_assertion_type", CLIENT_ASSERTION_TYPE), ("client_assertion", assertion)]
}

#[track_caller]
fn must_fail(request: Request) {
    let answer = request.send();
    answer.must_refuse(401, "invalid_client");
    assert!(answer.header("www-authenticate").starts_with("Basic"), "the challenge is missing: {answer:?}");
}
