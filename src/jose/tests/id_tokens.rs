//! ID tokens, logout tokens and signed userinfo: what others read in them, checked by another implementation, and
//! that none passes for another.

use super::{
    access_tokens::{claims, client},
    stage::{ISSUER, NOW, Stage, changed, run},
};
use crate::jose::{
    TokenFault, VerifyError, access_token,
    id_token::{self, Hint, IdToken},
    logout_token::{self, LogoutToken},
    ring, userinfo,
};
use grantlog_events::{
    Timestamp,
    key::{Algorithm, KeyStatus},
};
use jsonwebtoken::{DecodingKey, Validation, jwk::JwkSet};
use serde_json::{Map, Value, json};

/// Code and access token of OIDC Core, appendix A.4, with their hashes.
const CODE: (&str, &str) = ("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "LDktKdoQak3Pk0cnXxCltA");
const ACCESS_TOKEN: (&str, &str) = ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ");

fn id_token() -> IdToken<'static> {
    IdToken {
        subject: "p-somebody".to_owned(),
        audience: client("app"),
        issued_at: Timestamp::at_seconds(NOW),
        expires_at: Timestamp::at_seconds(NOW + 600),
        auth_time: Some(Timestamp::at_seconds(NOW - 60)),
        nonce: Some("n".to_owned()),
        acr: Some("urn:example:gold".to_owned()),
        amr: vec!["pwd".to_owned()],
        sid: Some("1-3-2".to_owned()),
        at_hash_of: Some(ACCESS_TOKEN.0),
        c_hash_of: Some(CODE.0),
        extra: Map::from_iter([("nickname".to_owned(), "Ada".into())]),
    }
}

fn signed(stage: &Stage, algorithm: Algorithm, token: &IdToken<'_>) -> String {
    let ring = run(ring::ring(stage)).unwrap();
    run(id_token::sign(stage, &ring, ring.signing(algorithm).unwrap(), algorithm, token)).unwrap()
}

fn logout_token(stage: &Stage) -> String {
    let token = LogoutToken { subject: "p-somebody".to_owned(), audience: client("app"), sid: "1-3-2".to_owned() };
    run(logout_token::sign(stage, &run(ring::ring(stage)).unwrap(), Algorithm::Rs256, &token)).unwrap()
}

fn userinfo(stage: &Stage) -> String {
    let (ring, claims) = (run(ring::ring(stage)).unwrap(), json!({ "sub": "p-somebody", "iss": "x", "aud": "y" }));
    let claims = claims.as_object().unwrap().clone();
    run(userinfo::sign(stage, &ring, Algorithm::EdDsa, &client("app"), claims)).unwrap()
}

/// As a client reads it: key set, signature, issuer and audience. The clock is another.
fn read_elsewhere(stage: &Stage, token: &str) -> Value {
    let keys: JwkSet = serde_json::from_str(run(ring::ring(stage)).unwrap().jwks()).unwrap();
    let header = jsonwebtoken::decode_header(token).unwrap();
    let key = keys.find(header.kid.as_deref().unwrap()).unwrap();
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&["app"]);
    validation.set_issuer(&[ISSUER]);
    validation.set_required_spec_claims(&["iss", "aud", "sub"]);
    validation.validate_exp = false;
    jsonwebtoken::decode(token, &DecodingKey::from_jwk(key).unwrap(), &validation).unwrap().claims
}

fn hint(stage: &Stage, token: &str) -> Result<Hint, TokenFault> {
    run(id_token::verify_hint(stage, token)).map_err(|error| match error {
        VerifyError::Invalid(fault) => fault,
        VerifyError::Failure(failure) => panic!("{failure:?}"),
    })
}

#[test]
fn an_id_token_says_what_it_was_told_under_every_algorithm() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        let said = read_elsewhere(&stage, &signed(&stage, *algorithm, &id_token()));
        let without_hashes = changed(&said, &json!({ "at_hash": null, "c_hash": null }));
        assert_eq!(
            without_hashes,
            json!({
                "iss": ISSUER, "sub": "p-somebody", "aud": "app", "azp": "app", "iat": NOW, "exp": NOW + 600,
                "auth_time": NOW - 60, "nonce": "n", "acr": "urn:example:gold", "amr": ["pwd"], "sid": "1-3-2",
                "nickname": "Ada",
            })
        );
    }
}

/// OIDC Core §3.1.3.6, with the examples of appendix A.4; the hash is that of the signature.
#[test]
fn hashes_are_the_left_half_of_the_algorithms_own() {
    let stage = Stage::new();
    for algorithm in [Algorithm::Rs256, Algorithm::Es256] {
        let said = claims(&signed(&stage, algorithm, &id_token()));
        assert_eq!((&said["at_hash"], &said["c_hash"]), (&json!(ACCESS_TOKEN.1), &json!(CODE.1)));
    }
    let said = claims(&signed(&stage, Algorithm::EdDsa, &id_token()));
    // By `openssl dgst -sha512`, 32 bytes of it.
    assert_eq!(said["at_hash"], "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM");
}

#[test]
fn what_was_asked_for_by_name_replaces_nothing() {
    let stage = Stage::new();
    let names =
        ["iss", "sub", "aud", "azp", "iat", "exp", "auth_time", "nonce", "acr", "amr", "sid", "at_hash", "c_hash"];
    let extra: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!("other"))).collect();
    let bare = IdToken {
        auth_time: None,
        nonce: None,
        acr: None,
        amr: Vec::new(),
        sid: None,
        at_hash_of: None,
        c_hash_of: None,
        extra: extra.clone(),
        ..id_token()
    };
    for token in [IdToken { extra, ..id_token() }, bare] {
        let said = claims(&signed(&stage, Algorithm::Es256, &token));
        assert!(said.as_object().unwrap().values().all(|value| value != "other"), "{said}");
    }
}

/// RP-Initiated Logout §2: that it has expired, or that its key signs no more, makes it no worse a hint.
#[test]
fn an_id_token_comes_back_as_a_hint_for_as_long_as_its_key_stands() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        let token = signed(&stage, *algorithm, &id_token());
        let shown = Hint {
            subject: "p-somebody".to_owned(),
            audience: client("app"),
            sid: Some("1-3-2".to_owned()),
            expires_at: NOW + 600,
        };
        assert_eq!(id_token::peek_audience(&token), Some(client("app")));
        stage.pass(601);
        assert_eq!(hint(&stage, &token), Ok(shown.clone()));
        let kid = stage.active(*algorithm).kid;
        stage.add(*algorithm, KeyStatus::Active);
        stage.set_status(&kid, KeyStatus::Retired);
        stage.pass(31);
        assert_eq!(hint(&stage, &token), Ok(shown));
        for gone in [KeyStatus::Removed, KeyStatus::Compromised] {
            stage.set_status(&kid, gone);
            stage.pass(31);
            assert_eq!(hint(&stage, &token), Err(TokenFault::KeyUnknown));
        }
    }
}

#[test]
fn what_is_no_id_token_of_ours_is_no_hint() {
    let stage = Stage::new();
    let key = stage.active(Algorithm::Es256);
    let good = claims(&signed(&stage, Algorithm::Es256, &id_token()));
    let header = json!({ "alg": "ES256", "kid": key.kid.as_str(), "typ": "JWT" });
    let resigned = |headers: Value, changes: Value| {
        hint(&stage, &stage.signed(&key, &changed(&header, &headers), &changed(&good, &changes)))
    };
    assert!(resigned(json!({}), json!({})).is_ok());
    for (headers, fault) in [
        (json!({ "alg": "none" }), TokenFault::Algorithm),
        (json!({ "alg": "HS256" }), TokenFault::Algorithm),
        (json!({ "alg": "EdDSA" }), TokenFault::Algorithm),
        (json!({ "typ": null }), TokenFault::Type),
        (json!({ "typ": "at+jwt" }), TokenFault::Type),
        (json!({ "typ": "logout+jwt" }), TokenFault::Type),
        (json!({ "kid": null }), TokenFault::KeyUnknown),
        (json!({ "kid": "another" }), TokenFault::KeyUnknown),
        (json!({ "crit": [] }), TokenFault::Header),
    ] {
        assert_eq!(resigned(headers.clone(), json!({})), Err(fault), "{headers}");
    }
    for (changes, fault) in [
        (json!({ "iss": null }), TokenFault::Issuer),
        (json!({ "iss": "https://other.example" }), TokenFault::Issuer),
        (json!({ "sub": null }), TokenFault::Claim("sub")),
        (json!({ "aud": null }), TokenFault::Claim("aud")),
        (json!({ "aud": [] }), TokenFault::Claim("aud")),
        (json!({ "exp": null }), TokenFault::Claim("exp")),
    ] {
        assert_eq!(resigned(json!({}), changes.clone()), Err(fault), "{changes}");
    }
    let foreign = Stage::new();
    let forged = foreign.signed(&foreign.active(Algorithm::Es256), &header, &good);
    assert_eq!(hint(&stage, &forged), Err(TokenFault::Signature));
}

/// XA: each is refused where another is wanted, although we signed all of them.
#[test]
fn no_kind_of_token_passes_for_another() {
    let stage = Stage::new();
    let access_token = super::access_tokens::token(&stage, Algorithm::Rs256);
    for other in [&access_token, &logout_token(&stage), &userinfo(&stage)] {
        assert_eq!(hint(&stage, other), Err(TokenFault::Type));
    }
    let id_token = signed(&stage, Algorithm::Rs256, &id_token());
    for other in [id_token, logout_token(&stage), userinfo(&stage)] {
        let said = run(access_token::verify(&stage, &other));
        assert!(matches!(said, Err(VerifyError::Invalid(TokenFault::Type))), "{said:?}");
    }
}

/// Back-Channel Logout §2.4.
#[test]
fn a_logout_token_says_which_session_ended_and_never_a_nonce() {
    let stage = Stage::new();
    let said = read_elsewhere(&stage, &logout_token(&stage));
    assert_eq!(
        changed(&said, &json!({ "jti": null })),
        json!({
            "iss": ISSUER, "sub": "p-somebody", "aud": "app", "iat": NOW, "exp": NOW + 120, "sid": "1-3-2",
            "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
        })
    );
    assert!(said["jti"].is_string());
}

/// OIDC Core §5.3.2.
#[test]
fn signed_userinfo_is_from_us_for_its_client_whatever_the_claims_say() {
    let stage = Stage::new();
    let said = read_elsewhere(&stage, &userinfo(&stage));
    assert_eq!(said, json!({ "iss": ISSUER, "aud": "app", "sub": "p-somebody" }));
}
