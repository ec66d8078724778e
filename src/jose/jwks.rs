//! JWK sets of others (RFC 7517 §5): what may be registered, and which keys a token may be checked with.

use super::{compact::Compact, jwk::PublicJwk};
use serde_json::{Map, Value};

/// How many keys a set may have.
const MOST_KEYS: usize = 10;

/// How many keys are tried for one token; each costs a verification.
const MOST_TRIED: usize = 4;

/// Whether a set may be registered; says in a sentence why not.
pub fn validate(json: &str) -> Result<(), &'static str> {
    let keys = keys(json).ok_or("jwks is not a JWK set.")?;
    if keys.is_empty() || keys.len() > MOST_KEYS {
        return Err("jwks does not have between 1 and 10 keys.");
    }
    for key in keys {
        let Value::Object(jwk) = key else { return Err("jwks has a key that is not a JSON object.") };
        PublicJwk::of(&jwk)?;
        if !verifies(&jwk) {
            return Err("jwks has a key that is not for verifying signatures.");
        }
    }
    Ok(())
}

/// The keys that may have signed this token: of its algorithm and, where both name one, of its `kid`.
pub(super) fn candidates(json: &str, token: &Compact<'_>) -> Vec<PublicJwk> {
    let may_have_signed = |key: &PublicJwk| {
        key.algorithm == token.algorithm && (key.kid.is_none() || token.kid.is_none() || key.kid == token.kid)
    };
    keys(json)
        .unwrap_or_default()
        .iter()
        .filter_map(Value::as_object)
        .filter(|jwk| verifies(jwk))
        .filter_map(|jwk| PublicJwk::of(jwk).ok())
        .filter(may_have_signed)
        .take(MOST_TRIED)
        .collect()
}

fn keys(json: &str) -> Option<Vec<Value>> {
    match serde_json::from_str(json).ok()? {
        Value::Object(mut set) => match set.remove("keys")? {
            Value::Array(keys) => Some(keys),
            _ => None,
        },
        _ => None,
    }
}

fn verifies(jwk: &Map<String, Value>) -> bool {
    let used_so = jwk.get("use").is_none_or(|purpose| purpose == "sig");
    let operated_so = jwk.get("key_ops").is_none_or(|operations| match operations {
        Value::Array(operations) => operations.iter().any(|operation| operation == "verify"),
        _ => false,
    });
    used_so && operated_so
}
