//! Assertions of others (RFC 7523).

use super::stage::{ISSUER, NOW, Stage, changed, run};
use crate::{
    jose::{Assertion, TokenFault, VerifyError, assertion, assertion::Expected},
    shard::RingEntry,
};
use grantlog_events::{
    ClientId, Digest, Subject, Timestamp,
    key::{Algorithm, KeyStatus},
    token::{MayAct, Party},
};
use serde_json::{Value, json};

const THEM: &str = "https://partner.example";
const TOKEN_ENDPOINT: &str = "https://id.example/token";

fn header(key: &RingEntry) -> Value {
    json!({ "alg": key.key.algorithm.name(), "kid": "theirs", "typ": "JWT" })
}

fn claims() -> Value {
    json!({ "iss": THEM, "sub": "someone", "aud": ISSUER, "exp": NOW + 300, "iat": NOW, "jti": "once" })
}

fn set(keys: &[(&str, &RingEntry)]) -> String {
    let keys = keys.iter().map(|(kid, key)| {
        let mut jwk: Value = serde_json::from_str(&key.key.jwk).unwrap();
        jwk["kid"] = json!(kid);
        jwk
    });
    json!({ "keys": keys.collect::<Vec<_>>() }).to_string()
}

fn verify(stage: &Stage, jwks: &str, token: &str) -> Result<Assertion, TokenFault> {
    let expected = Expected { issuer: THEM, audiences: &[ISSUER, TOKEN_ENDPOINT] };
    run(assertion::verify(stage, jwks, token, &expected)).map_err(|error| match error {
        VerifyError::Invalid(fault) => fault,
        VerifyError::Failure(failure) => panic!("{failure}"),
    })
}

/// A stage, the partner's key and its set.
fn partner() -> (Stage, RingEntry, String) {
    let stage = Stage::new();
    let key = stage.active(Algorithm::Es256);
    let jwks = set(&[("theirs", &key)]);
    (stage, key, jwks)
}

#[test]
fn an_assertion_is_read_with_every_algorithm() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        let key = stage.active(*algorithm);
        let read = verify(&stage, &set(&[("theirs", &key)]), &stage.signed(&key, &header(&key), &claims())).unwrap();
        let expected = Assertion {
            issuer: THEM.to_owned(),
            subject: "someone".to_owned(),
            jti: "once".to_owned(),
            expires_at: Timestamp::at_seconds(NOW + 300),
            may_act: None,
            acr: None,
            amr: Vec::new(),
            auth_time: None,
        };
        assert_eq!(read, expected);
    }
    assert_eq!(stage.reads.get(), 0);
}

#[test]
fn what_an_assertion_adds_is_taken_over() {
    let (stage, key, jwks) = partner();
    let subject = "1-AAAAAAAAAAAAAAAAAAAAAA";
    let more = json!({
        "may_act": { "sub": subject, "client_id": "helper" }, "acr": "high", "amr": ["hwk", "pin"],
        "auth_time": NOW - 5, "nbf": NOW, "exp": 1_800_000_300.75, "aud": ["https://else.example", TOKEN_ENDPOINT],
    });
    let read = verify(&stage, &jwks, &stage.signed(&key, &header(&key), &changed(&claims(), &more))).unwrap();
    let helper = ClientId::parse("helper").unwrap();
    assert_eq!(
        read.may_act,
        Some(MayAct { sub: Some(Party::Subject(Subject::parse(subject).unwrap())), client: Some(helper) })
    );
    assert_eq!((read.acr.as_deref(), read.amr.len()), (Some("high"), 2));
    assert_eq!(read.auth_time, Some(Timestamp::at_seconds(NOW - 5)));
    assert_eq!(read.expires_at, Timestamp::at_seconds(NOW + 300));
}

#[test]
fn claims_that_are_refused() {
    let (stage, key, jwks) = partner();
    for (changes, fault) in [
        (json!({ "iss": "https://else.example" }), Some(TokenFault::Issuer)),
        (json!({ "iss": null }), Some(TokenFault::Issuer)),
        (json!({ "aud": "https://else.example" }), Some(TokenFault::Audience)),
        (json!({ "aud": [] }), Some(TokenFault::Audience)),
        (json!({ "aud": null }), Some(TokenFault::Claim("aud"))),
        (json!({ "sub": null }), Some(TokenFault::Claim("sub"))),
        (json!({ "jti": null }), Some(TokenFault::Claim("jti"))),
        (json!({ "jti": "" }), Some(TokenFault::Claim("jti"))),
        (json!({ "exp": null }), Some(TokenFault::Claim("exp"))),
        (json!({ "exp": NOW - 29 }), None),
        (json!({ "exp": NOW - 30 }), Some(TokenFault::Expired)),
        (json!({ "exp": NOW + 630 }), None),
        (json!({ "exp": NOW + 631 }), Some(TokenFault::TooLongLived)),
        (json!({ "exp": u64::MAX }), Some(TokenFault::TooLongLived)),
        (json!({ "exp": 1e300 }), Some(TokenFault::Malformed)),
        (json!({ "nbf": NOW + 30 }), None),
        (json!({ "nbf": NOW + 31 }), Some(TokenFault::NotYetValid)),
        (json!({ "iat": NOW + 31 }), Some(TokenFault::NotYetValid)),
        (json!({ "cnf": {} }), Some(TokenFault::Bound)),
        (json!({ "act": { "sub": "agent" } }), Some(TokenFault::Delegated)),
        (json!({ "may_act": {} }), Some(TokenFault::Claim("may_act"))),
        (json!({ "may_act": "agent" }), Some(TokenFault::Claim("may_act"))),
        (json!({ "may_act": { "sub": "admin@example.com" } }), Some(TokenFault::Claim("may_act"))),
        (json!({ "may_act": { "sub": "agent", "iss": THEM } }), Some(TokenFault::Claim("may_act"))),
        (json!({ "acr": "x".repeat(129) }), Some(TokenFault::Claim("acr"))),
        (json!({ "amr": vec!["x"; 17] }), Some(TokenFault::Claim("amr"))),
    ] {
        let token = stage.signed(&key, &header(&key), &changed(&claims(), &changes));
        assert_eq!(verify(&stage, &jwks, &token).err(), fault, "{changes}");
    }
}

#[test]
fn headers_that_are_refused() {
    let (stage, key, jwks) = partner();
    for (headers, fault) in [
        (json!({ "typ": null }), None),
        (json!({ "typ": "client-authentication+jwt" }), None),
        (json!({ "typ": "at+jwt" }), Some(TokenFault::Type)),
        (json!({ "alg": "none" }), Some(TokenFault::Algorithm)),
        (json!({ "alg": "HS256" }), Some(TokenFault::Algorithm)),
        (json!({ "alg": "RS256" }), Some(TokenFault::KeyUnknown)),
        (json!({ "kid": null }), None),
        (json!({ "kid": "other" }), Some(TokenFault::KeyUnknown)),
        (json!({ "jku": "https://evil.example" }), Some(TokenFault::Header)),
    ] {
        let token = stage.signed(&key, &changed(&header(&key), &headers), &claims());
        assert_eq!(verify(&stage, &jwks, &token).err(), fault, "{headers}");
    }
}

#[test]
fn without_a_kid_four_keys_are_tried() {
    let (stage, key, _) = partner();
    let others: Vec<RingEntry> = (0..4).map(|_| stage.add(Algorithm::Es256, KeyStatus::Published)).collect();
    let token = stage.signed(&key, &changed(&header(&key), &json!({ "kid": null })), &claims());
    let fourth = set(&[("a", &others[0]), ("b", &others[1]), ("c", &others[2]), ("d", &key)]);
    assert!(verify(&stage, &fourth, &token).is_ok());
    let fifth = set(&[("a", &others[0]), ("b", &others[1]), ("c", &others[2]), ("e", &others[3]), ("d", &key)]);
    assert_eq!(verify(&stage, &fifth, &token).err(), Some(TokenFault::Signature));
    assert_eq!(verify(&stage, "no set", &token).err(), Some(TokenFault::KeyUnknown));
}

#[test]
fn an_assertion_is_spent_under_issuer_and_jti_for_as_long_as_it_would_be_accepted() {
    let (stage, key, jwks) = partner();
    let spend = verify(&stage, &jwks, &stage.signed(&key, &header(&key), &claims())).unwrap().spend();
    assert_eq!(spend.assertion, Digest::of(format!("{THEM}\0once").as_bytes()).half());
    assert_eq!(spend.until, Timestamp::at_seconds(NOW + 330));
}

#[test]
fn an_unverified_assertion_says_whose_keys_to_use() {
    let (stage, key, _) = partner();
    let token = stage.signed(&key, &header(&key), &claims());
    assert_eq!(assertion::peek_issuer(&token).as_deref(), Some(THEM));
    assert_eq!(assertion::peek_subject(&token).as_deref(), Some("someone"));
    assert_eq!(assertion::peek_issuer("a.b.c"), None);
}
