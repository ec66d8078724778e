//! Attacks on a genuine access token: what each makes of it must be refused.

use crate::{
    jwt,
    key::{KeyPair, unsigned},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

/// The token with one bit of its signature turned over: still well-formed (XF).
#[must_use]
pub fn flipped_signature(token: &str) -> String {
    let (message, signature) = token.rsplit_once('.').expect("a JWT has three parts");
    let mut bytes = URL_SAFE_NO_PAD.decode(signature).expect("a signature is base64url");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// The same header and claims, signed with a key of the forger's under the server's `kid` (XF).
#[must_use]
pub fn foreign_signature(token: &str, forger: &KeyPair) -> String {
    let (message, _) = token.rsplit_once('.').expect("a JWT has three parts");
    forger.sign_message(message)
}

/// Other claims under the genuine signature.
#[must_use]
pub fn changed_claim(token: &str, name: &str, value: &Value) -> String {
    let (_, signature) = token.rsplit_once('.').expect("a JWT has three parts");
    let mut claims = jwt::claims(token);
    claims[name] = value.clone();
    format!("{}.{signature}", unsigned(&jwt::header(token), &claims))
}

/// Unsigned, and saying so, in every spelling; with no signature and with the old one.
#[must_use]
pub fn unsigned_forms(token: &str) -> Vec<String> {
    let (_, signature) = token.rsplit_once('.').expect("a JWT has three parts");
    let spelled = ["none", "None", "NONE", "nOnE"]
        .map(|alg| unsigned(&changed_header(token, "alg", &json!(alg)), &jwt::claims(token)));
    spelled
        .iter()
        .flat_map(|message| [format!("{message}."), message.clone(), format!("{message}.{signature}")])
        .collect()
}

/// HS256 with a public key as the secret, in the encodings that confused libraries use.
#[must_use]
pub fn public_key_as_secret(token: &str, jwk: &Value) -> Vec<String> {
    let raw = |name: &str| jwk[name].as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).unwrap_or_default();
    let point = [raw("x"), raw("y"), raw("n")].concat();
    let secrets = [
        jwk.to_string().into_bytes(),
        point,
        jwk["n"].as_str().or(jwk["x"].as_str()).unwrap_or("x").as_bytes().to_vec(),
    ];
    secrets.iter().map(|secret| signed_with_secret(token, secret)).collect()
}

fn signed_with_secret(token: &str, secret: &[u8]) -> String {
    let mut header = jsonwebtoken::Header::new(Algorithm::HS256);
    header.typ = Some("at+jwt".to_owned());
    header.kid = jwt::header(token)["kid"].as_str().map(str::to_owned);
    let key = EncodingKey::from_secret(secret).expect("a secret of some length");
    jsonwebtoken::encode(&header, &jwt::claims(token), &key).expect("claims that were JSON are JSON")
}

/// Signed by a forger who brings the key along: `jwk`, `jku`, `x5u`, `x5c` in the header.
#[must_use]
pub fn injected_keys(token: &str, forger: &KeyPair) -> Vec<String> {
    let elsewhere = json!("http://127.0.0.1:1/jwks.json");
    let headers = [("jwk", forger.jwk()), ("jku", elsewhere.clone()), ("x5u", elsewhere), ("x5c", json!(["MIIB"]))];
    let with = |name: &str, value: &Value, kid: &str| {
        let mut header = changed_header(token, name, value);
        header["kid"] = json!(kid);
        header["alg"] = json!(forger.algorithm());
        forger.sign_as(&header, &jwt::claims(token))
    };
    let ours = jwt::header(token)["kid"].as_str().unwrap_or_default().to_owned();
    headers.iter().flat_map(|(name, value)| [with(name, value, &ours), with(name, value, &forger.kid)]).collect()
}

/// Signed by a forger under a `kid` nobody knows (XE).
#[must_use]
pub fn unknown_key(token: &str, forger: &KeyPair) -> String {
    let mut header = changed_header(token, "kid", &json!("nobody-knows-this-key"));
    header["alg"] = json!(forger.algorithm());
    forger.sign_as(&header, &jwt::claims(token))
}

/// A header that demands an extension (RFC 7515 §4.1.11), under the genuine signature and a forger's.
#[must_use]
pub fn critical_extensions(token: &str, forger: &KeyPair) -> Vec<String> {
    let (_, signature) = token.rsplit_once('.').expect("a JWT has three parts");
    let mut header = changed_header(token, "crit", &json!(["exp"]));
    header["exp"] = json!(1);
    vec![
        format!("{}.{signature}", unsigned(&header, &jwt::claims(token))),
        forger.sign_as(&header, &jwt::claims(token)),
    ]
}

/// Cut short at every kind of place.
#[must_use]
pub fn truncated(token: &str) -> Vec<String> {
    let parts: Vec<&str> = token.split('.').collect();
    let cut = |text: &str, by: usize| text[..text.len() - by].to_owned();
    let mut forms = vec![cut(token, 1), cut(token, 2), cut(token, token.len() / 2), cut(token, token.len() - 1)];
    forms.extend([format!("{}.{}", parts[0], parts[1]), parts[0].to_owned(), format!("{}..{}", parts[0], parts[2])]);
    forms.extend([
        format!(".{}.{}", parts[1], parts[2]),
        "..".to_owned(),
        ".".to_owned(),
        format!("{token}.{}", parts[2]),
    ]);
    forms
}

/// Grown to `size` bytes, in the signature, in the claims and in the header.
#[must_use]
pub fn huge(token: &str, size: usize, forger: &KeyPair) -> Vec<String> {
    let padding = json!("a".repeat(size));
    let header = changed_header(token, "padding", &padding);
    vec![
        format!("{token}{}", "A".repeat(size)),
        changed_claim(token, "padding", &padding),
        forger.sign_as(&header, &jwt::claims(token)),
    ]
}

/// Texts that are no JWT at all.
#[must_use]
pub fn nonsense() -> Vec<String> {
    let parts = [" ", "x", "a.b.c", "e30.e30.e30", "e30.e30.", "....", "é.é.é", "null", "Basic abc", "a b c"];
    parts.iter().map(|text| (*text).to_owned()).collect()
}

fn changed_header(token: &str, name: &str, value: &Value) -> Value {
    let mut header = jwt::header(token);
    header[name] = value.clone();
    header
}

#[cfg(test)]
mod tests {
    use super::{
        changed_claim, critical_extensions, flipped_signature, foreign_signature, huge, injected_keys, truncated,
        unknown_key, unsigned_forms,
    };
    use crate::{jwt, key::KeyPair};
    use serde_json::json;

    #[test]
    fn every_attack_makes_something_that_the_genuine_key_does_not_verify() {
        let (ours, forger) = (KeyPair::es256("ours"), KeyPair::es256("forger"));
        let token = ours.sign("at+jwt", &json!({ "sub": "a", "exp": 1 }));
        let mut attacks =
            vec![flipped_signature(&token), foreign_signature(&token, &forger), unknown_key(&token, &forger)];
        attacks.push(changed_claim(&token, "sub", &json!("b")));
        for more in
            [unsigned_forms(&token), injected_keys(&token, &forger), truncated(&token), huge(&token, 100, &forger)]
        {
            attacks.extend(more);
        }
        attacks.extend(critical_extensions(&token, &forger));
        for attack in attacks {
            assert!(jwt::verify(&attack, &ours.jwks()).is_err(), "{attack}");
        }
        assert!(jwt::verify(&token, &ours.jwks()).is_ok());
    }
}
