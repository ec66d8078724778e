//! Forged, broken and overgrown tokens, wherever a token can be presented.

use crate::{endpoints::must_be_clean, untouched::writes_nothing};
use grantlog_tests::{AssertionIssuer, jwt, key::KeyPair, party::Cast, tamper};
use serde_json::json;

/// Bad input: `alg: none`, in every spelling, with and without a signature.
#[test]
fn an_unsigned_token_is_no_token() {
    nowhere_taken(|token, _, _| tamper::unsigned_forms(token));
}

/// Bad input: HS256 with a public key as the secret.
#[test]
fn a_public_key_is_no_secret() {
    nowhere_taken(|token, jwk, _| tamper::public_key_as_secret(token, jwk));
}

/// Bad input: `jwk`, `jku`, `x5u` and `x5c` in the header; no key is fetched or taken from there.
#[test]
fn a_token_brings_no_key_along() {
    nowhere_taken(|token, _, forger| tamper::injected_keys(token, forger));
}

/// Bad input: `crit`.
#[test]
fn a_token_that_demands_an_extension_is_refused() {
    nowhere_taken(|token, _, forger| tamper::critical_extensions(token, forger));
}

/// Bad input: truncated.
#[test]
fn a_truncated_token_is_no_token() {
    nowhere_taken(|token, _, _| tamper::truncated(token));
}

/// Bad input: huge, in the signature, in the claims, in the header; and no JWT at all.
#[test]
fn an_overgrown_token_and_nonsense_are_no_tokens() {
    nowhere_taken(|token, _, forger| {
        tamper::huge(token, 6_000, forger).into_iter().chain(tamper::nonsense()).collect()
    });
}

/// XE: an unknown `kid` is 400 at `/token` and 401 at `/userinfo`, never a 5xx.
#[test]
fn a_token_under_an_unknown_key_is_refused() {
    nowhere_taken(|token, _, forger| vec![tamper::unknown_key(token, forger)]);
}

/// XF: a flipped signature, a foreign key under our `kid`, and changed claims under the old signature.
#[test]
fn a_token_with_another_signature_or_other_claims_is_refused() {
    nowhere_taken(|token, _, forger| {
        let claims = [
            ("sub", json!("somebody")),
            ("scope", json!("openid profile email admin")),
            ("exp", json!(9_999_999_999_u64)),
            ("client_id", json!("somebody")),
            ("jti", json!("1-1-1-aaaaaaaa")),
            ("aud", json!(["https://everywhere.example"])),
            ("exp", json!(-1)),
            ("exp", json!(1e300)),
        ];
        let changed = claims.iter().map(|(name, value)| tamper::changed_claim(token, name, value));
        changed.chain([tamper::flipped_signature(token), tamper::foreign_signature(token, forger)]).collect()
    });
}

/// Bad input: the wrong type of token; an assertion, well signed, but not an access token.
#[test]
fn a_token_of_another_type_is_refused() {
    nowhere_taken(|token, _, forger| {
        let claims = jwt::claims(token);
        let issuer = claims["iss"].as_str().unwrap();
        let assertion = AssertionIssuer::new().assertion(issuer, claims["sub"].as_str().unwrap());
        vec![assertion, forger.sign("at+jwt", &claims), forger.sign("JWT", &claims)]
    });
}

/// A token is 400 JSON where it is exchanged, 401 with a challenge where it opens something, and just
/// inactive, or nothing to do, where it is asked about.
fn nowhere_taken(forge: impl Fn(&str, &serde_json::Value, &KeyPair) -> Vec<String>) {
    let prepare = |cast: &Cast| {
        let genuine = cast.first_token();
        let forged = forge(&genuine, &public_key_of(cast, &genuine), &KeyPair::es256("forger"));
        (genuine, forged)
    };
    writes_nothing(prepare, |cast, (genuine, forged)| {
        for token in forged {
            presented(cast, token, genuine);
        }
        assert!(cast.frontend.introspect(genuine).is_active());
    });
}

fn presented(cast: &Cast, token: &str, genuine: &str) {
    let service = &cast.service;
    cast.backend.exchange(token).send().must_refuse(400, "invalid_request");
    if !token.trim().is_empty() {
        cast.frontend.introspect(token).must_be_inactive();
        let revoked = cast.frontend.revoke(token);
        assert_eq!(revoked.status, 200, "RFC 7009 §2.2 on {token:?}: {revoked:?}");
    }
    let refused = cast.backend.exchange(genuine).actor(token).audience("https://evil.example").send();
    must_be_clean("as actor", &refused);
    let posted = service.post_to("userinfo_endpoint").form(&[("access_token", token)]).send();
    must_be_clean("in the body of /userinfo", &posted);
    // A header carries no line breaks and nothing outside ASCII.
    if token.is_ascii() {
        let answer = service.userinfo(token).send();
        assert!(matches!(answer.status, 400 | 401), "at /userinfo: {answer:?}");
        must_be_clean("at /userinfo", &answer);
        must_be_clean("at /scim", &service.get("/scim/v2/Users/x").bearer(token).send());
        must_be_clean("at /audit", &service.get("/audit/events").bearer(token).send());
        must_be_clean("at /register", &service.post("/register").bearer(token).json(&json!({})).send());
        must_be_clean("at /admin", &service.post("/admin/revocations").bearer(token).json(&json!({})).send());
    }
}

fn public_key_of(cast: &Cast, token: &str) -> serde_json::Value {
    let kid = jwt::header(token)["kid"].clone();
    let jwks = cast.service.jwks();
    jwks["keys"].as_array().unwrap().iter().find(|key| key["kid"] == kid).cloned().expect("the key is published")
}
