//! Tokens that are not what they say. Each is refused for the reason that it is bad for, in words without it.

use super::{
    access_tokens::{claims, token},
    stage::{NOW, Stage, changed, encode, header, run},
};
use crate::jose::{TokenFault, VerifyError, access_token};
use grantlog_events::key::{Algorithm, KeyStatus};
use serde_json::{Value, json};

fn refused(stage: &Stage, token: &str) -> TokenFault {
    match run(access_token::verify(stage, token)) {
        Err(VerifyError::Invalid(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

/// The good token's parts changed, and rightly signed with the active key.
fn resigned(stage: &Stage, headers: &Value, changes: &Value) -> String {
    let key = stage.active(Algorithm::Es256);
    let claims = claims(&token(stage, Algorithm::Es256));
    stage.signed(&key, &changed(&header(&key), headers), &changed(&claims, changes))
}

#[test]
fn what_is_resigned_unchanged_is_good() {
    let stage = Stage::new();
    assert!(run(access_token::verify(&stage, &resigned(&stage, &json!({}), &json!({})))).is_ok());
    let long = json!({ "typ": "application/AT+JWT" });
    assert!(run(access_token::verify(&stage, &resigned(&stage, &long, &json!({})))).is_ok());
}

#[test]
fn headers_that_are_refused() {
    let stage = Stage::new();
    let jwk: Value = serde_json::from_str(&stage.active(Algorithm::Es256).key.jwk).unwrap();
    for (headers, fault) in [
        (json!({ "alg": "none" }), TokenFault::Algorithm),
        (json!({ "alg": "None" }), TokenFault::Algorithm),
        (json!({ "alg": "HS256" }), TokenFault::Algorithm),
        (json!({ "alg": "ES384" }), TokenFault::Algorithm),
        (json!({ "alg": null }), TokenFault::Malformed),
        (json!({ "alg": ["ES256"] }), TokenFault::Malformed),
        (json!({ "alg": "RS256" }), TokenFault::Algorithm),
        (json!({ "typ": "JWT" }), TokenFault::Type),
        (json!({ "typ": "rt+jwt" }), TokenFault::Type),
        (json!({ "typ": null }), TokenFault::Type),
        (json!({ "kid": null }), TokenFault::KeyUnknown),
        (json!({ "kid": 7 }), TokenFault::Malformed),
        (json!({ "kid": "../../dev/null" }), TokenFault::KeyUnknown),
        (json!({ "crit": ["exp"] }), TokenFault::Header),
        (json!({ "crit": [] }), TokenFault::Header),
        (json!({ "jku": "https://evil.example/jwks" }), TokenFault::Header),
        (json!({ "x5u": "https://evil.example/cert" }), TokenFault::Header),
        (json!({ "x5c": ["MIIB"] }), TokenFault::Header),
        (json!({ "jwk": jwk }), TokenFault::Header),
    ] {
        assert_eq!(refused(&stage, &resigned(&stage, &headers, &json!({}))), fault, "{headers}");
    }
}

#[test]
fn a_null_header_member_is_still_there() {
    let stage = Stage::new();
    let good = token(&stage, Algorithm::Es256);
    let (_, rest) = good.split_once('.').unwrap();
    for text in [r#"{"alg":"ES256","crit":null}"#, r#"{"alg":"ES256","jwk":null}"#] {
        assert_eq!(refused(&stage, &format!("{}.{rest}", encode(text.as_bytes()))), TokenFault::Header);
    }
    let twice = r#"{"alg":"ES256","alg":"none","typ":"at+jwt"}"#;
    assert_eq!(refused(&stage, &format!("{}.{rest}", encode(twice.as_bytes()))), TokenFault::Malformed);
}

#[test]
fn claims_that_are_refused() {
    let stage = Stage::new();
    for (changes, fault) in [
        (json!({ "iss": "https://other.example" }), TokenFault::Issuer),
        (json!({ "iss": null }), TokenFault::Issuer),
        (json!({ "exp": null }), TokenFault::Claim("exp")),
        (json!({ "exp": "1800000900" }), TokenFault::Malformed),
        (json!({ "exp": -1 }), TokenFault::Malformed),
        (json!({ "iat": null }), TokenFault::Claim("iat")),
        (json!({ "jti": null }), TokenFault::Claim("jti")),
        (json!({ "jti": "1-3-070-144gj289" }), TokenFault::Claim("jti")),
        (json!({ "sub": null }), TokenFault::Claim("sub")),
        (json!({ "sub": "" }), TokenFault::Claim("sub")),
        (json!({ "client_id": null }), TokenFault::Claim("client_id")),
        (json!({ "scope": null }), TokenFault::Claim("scope")),
        (json!({ "scope": "a\tb" }), TokenFault::Claim("scope")),
        (json!({ "aud": null }), TokenFault::Claim("aud")),
        (json!({ "aud": [] }), TokenFault::Claim("aud")),
        (json!({ "aud": [1] }), TokenFault::Malformed),
        (json!({ "lin": null }), TokenFault::Claim("lin")),
        (json!({ "lin": [] }), TokenFault::Claim("lin")),
        (json!({ "lin": ["40"] }), TokenFault::Malformed),
        (json!({ "cnf": { "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }), TokenFault::Bound),
        (json!({ "cnf": {} }), TokenFault::Bound),
    ] {
        assert_eq!(refused(&stage, &resigned(&stage, &json!({}), &changes)), fault, "{changes}");
    }
}

#[test]
fn a_flipped_signature_is_refused_with_every_algorithm() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        let token = token(&stage, *algorithm);
        let at = token.rfind('.').unwrap() + 5;
        let flipped = if token.as_bytes()[at] == b'A' { "B" } else { "A" };
        let mut bad = token.clone();
        bad.replace_range(at..=at, flipped);
        assert_eq!(refused(&stage, &bad), TokenFault::Signature);
    }
}

#[test]
fn a_foreign_key_under_our_kid_is_refused_with_every_algorithm() {
    let (stage, foreign) = (Stage::new(), Stage::new());
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        let ours = stage.active(algorithm);
        let claims = claims(&token(&stage, algorithm));
        let forged = foreign.signed(&foreign.active(algorithm), &header(&ours), &claims);
        assert_eq!(refused(&stage, &forged), TokenFault::Signature);
    }
    // Worlds of one process share their RSA keys, so that the foreign one is another world's second.
    let second = foreign.add(Algorithm::Rs256, KeyStatus::Published);
    let claims = claims(&token(&stage, Algorithm::Rs256));
    let forged = foreign.signed(&second, &header(&stage.active(Algorithm::Rs256)), &claims);
    assert_eq!(refused(&stage, &forged), TokenFault::Signature);
}

#[test]
fn a_public_key_is_no_hmac_secret() {
    let stage = Stage::new();
    let key = stage.active(Algorithm::Rs256);
    let header = changed(&header(&key), &json!({ "alg": "HS256" }));
    let claims = claims(&token(&stage, Algorithm::Rs256));
    let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
    let mac = hmac_sha256(key.key.jwk.as_bytes(), message.as_bytes());
    assert_eq!(refused(&stage, &format!("{message}.{}", encode(&mac))), TokenFault::Algorithm);
}

/// RFC 2104.
fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    use grantlog_events::Digest;
    let mut block = [0; 64];
    block[..32].copy_from_slice(&Digest::of(key).0);
    let pad = |with: u8, rest: &[u8]| Digest::of(&[&block.map(|byte| byte ^ with)[..], rest].concat()).0;
    pad(0x5c, &pad(0x36, message))
}

#[test]
fn what_is_no_compact_jws_is_malformed() {
    let stage = Stage::new();
    let good = token(&stage, Algorithm::Es256);
    let [header, claims, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
    for bad in [
        String::new(),
        "..".to_owned(),
        "opaque".to_owned(),
        format!("{header}.{claims}"),
        format!("{header}.{claims}.{signature}."),
        format!("{header}.{claims}.{signature}.{signature}.{signature}"),
        format!("{header}.{claims}.{signature}="),
        format!("{header}.{claims}.{signature}\n"),
        format!(" {header}.{claims}.{signature}"),
        format!("{}.{claims}.{signature}", encode(b"[\"ES256\",\"at+jwt\"]")),
        format!("{}.{claims}.{signature}", encode(b"\xff\xfe")),
    ] {
        assert_eq!(refused(&stage, &bad), TokenFault::Malformed, "{bad}");
    }
    assert_eq!(refused(&stage, &format!("{header}.{claims}.")), TokenFault::Signature);
    assert_eq!(refused(&stage, &"a".repeat(16 * 1024 + 1)), TokenFault::TooLong);
    for length in 0..good.len() {
        assert_ne!(refused(&stage, &good[..length]), TokenFault::TooLong);
    }
}

#[test]
fn claims_that_are_no_object_are_malformed_even_when_signed() {
    let stage = Stage::new();
    let key = stage.active(Algorithm::Es256);
    let array = json!(["https://id.example", "app", "aud", NOW + 900, NOW]);
    assert_eq!(refused(&stage, &stage.signed(&key, &header(&key), &array)), TokenFault::Malformed);
}
