//! Which JWK sets may be registered.

use super::stage::{Stage, encode};
use crate::jose::jwks::validate;
use grantlog_events::key::Algorithm;
use serde_json::{Value, json};

fn key(algorithm: Algorithm) -> Value {
    serde_json::from_str(&Stage::new().active(algorithm).key.jwk).unwrap()
}

fn with(algorithm: Algorithm, name: &str, value: Value) -> Value {
    let mut key = key(algorithm);
    key[name] = value;
    key
}

fn check(keys: &[Value]) -> Result<(), &'static str> {
    validate(&json!({ "keys": keys }).to_string())
}

#[test]
fn sets_of_public_keys_are_accepted() {
    let three = Algorithm::ALL.iter().map(|algorithm| key(*algorithm)).collect::<Vec<_>>();
    assert_eq!(check(&three), Ok(()));
    assert_eq!(check(&vec![key(Algorithm::EdDsa); 10]), Ok(()));
    assert_eq!(check(&[with(Algorithm::Es256, "use", json!("sig"))]), Ok(()));
    assert_eq!(check(&[with(Algorithm::Rs256, "alg", json!("RS256"))]), Ok(()));
    assert_eq!(check(&[with(Algorithm::Es256, "key_ops", json!(["verify"]))]), Ok(()));
}

#[test]
fn other_sets_are_refused() {
    for refused in ["", "{}", "[]", r#"{"keys":{}}"#, r#"{"keys":[]}"#, r#"{"keys":["x"]}"#] {
        assert!(validate(refused).is_err(), "{refused}");
    }
    assert!(check(&vec![key(Algorithm::EdDsa); 11]).is_err());
    for (algorithm, name, value) in [
        (Algorithm::Es256, "d", json!("secret")),
        (Algorithm::Rs256, "p", json!("secret")),
        (Algorithm::Rs256, "q", json!("secret")),
        (Algorithm::EdDsa, "k", json!("secret")),
        (Algorithm::Es256, "d", Value::Null),
        (Algorithm::Es256, "kty", json!("oct")),
        (Algorithm::Es256, "crv", json!("P-384")),
        (Algorithm::Es256, "crv", json!("secp256k1")),
        (Algorithm::Es256, "x", json!("AAAA")),
        (Algorithm::Es256, "y", Value::Null),
        (Algorithm::Es256, "alg", json!("ES384")),
        (Algorithm::Es256, "use", json!("enc")),
        (Algorithm::Es256, "key_ops", json!(["encrypt"])),
        (Algorithm::Es256, "kid", json!(1)),
        (Algorithm::EdDsa, "crv", json!("X25519")),
        (Algorithm::Rs256, "alg", json!("PS256")),
        (Algorithm::Rs256, "e", json!("AQ")),
        (Algorithm::Rs256, "n", json!(encode(&[0xff; 128]))),
        (Algorithm::Rs256, "n", json!(encode(&[0xff; 513]))),
    ] {
        assert!(check(&[with(algorithm, name, value.clone())]).is_err(), "{name}: {value}");
    }
}
