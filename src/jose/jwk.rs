//! One public JWK (RFC 7517) of an algorithm that is accepted here, and its thumbprint (RFC 7638).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Digest, Kid, key::Algorithm};
use serde_json::{Map, Value};

/// RSA keys smaller than this are too weak, larger ones too slow to verify with, in bits.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2048..=4096;

/// The members that only private and symmetric keys have.
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// A public key, reduced to the members that make it. That the point lies on its curve is not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicJwk {
    /// The algorithm it verifies.
    pub algorithm: Algorithm,
    /// Its id, as its owner chose it.
    pub kid: Option<String>,
    /// The required members, in lexicographic order.
    members: Vec<(&'static str, String)>,
}

impl PublicJwk {
    /// Reads a JWK; says in a sentence what keeps it from being used.
    pub fn parse(json: &str) -> Result<Self, &'static str> {
        let Ok(Value::Object(jwk)) = serde_json::from_str(json) else { return Err("The key is not a JSON object.") };
        Self::of(&jwk)
    }

    pub(super) fn of(jwk: &Map<String, Value>) -> Result<Self, &'static str> {
        if PRIVATE.iter().any(|name| jwk.contains_key(*name)) {
            return Err("The key has private members.");
        }
        let (algorithm, members) = match (text(jwk, "kty"), text(jwk, "crv")) {
            (Some("EC"), Some("P-256")) => (Algorithm::Es256, ec(jwk)),
            (Some("RSA"), _) => (Algorithm::Rs256, rsa(jwk)?),
            (Some("OKP"), Some("Ed25519")) => (Algorithm::EdDsa, okp(jwk)),
            _ => return Err("The key is not EC P-256, RSA or OKP Ed25519."),
        };
        let members = members.ok_or("The key lacks a member, or one has the wrong length.")?;
        if jwk.contains_key("alg") && text(jwk, "alg") != Some(algorithm.name()) {
            return Err("The key is for another algorithm than ES256, RS256 or EdDSA.");
        }
        let kid = match jwk.get("kid") {
            None => None,
            Some(Value::String(kid)) => Some(kid.clone()),
            Some(_) => return Err("The key's kid is not a string."),
        };
        Ok(Self { algorithm, kid, members })
    }

    /// The members alone, as JSON: what RFC 7638 digests, and all that a reader of keys needs.
    #[must_use]
    pub fn canonical(&self) -> String {
        // The values are base64url or names, so that nothing needs escaping.
        let members: Vec<String> = self.members.iter().map(|(name, value)| format!("\"{name}\":\"{value}\"")).collect();
        format!("{{{}}}", members.join(","))
    }

    /// A member's octets.
    #[must_use]
    pub fn octets(&self, name: &str) -> Option<Vec<u8>> {
        let (_, value) = self.members.iter().find(|(held, _)| *held == name)?;
        URL_SAFE_NO_PAD.decode(value).ok()
    }
}

/// The key id of a public JWK: its SHA-256 thumbprint (RFC 7638). `None` if it is no key that is used here.
#[must_use]
pub fn thumbprint(jwk: &str) -> Option<Kid> {
    let canonical = PublicJwk::parse(jwk).ok()?.canonical();
    Kid::parse(&URL_SAFE_NO_PAD.encode(Digest::of(canonical.as_bytes()).0)).ok()
}

fn text<'a>(jwk: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    jwk.get(name).and_then(Value::as_str)
}

type Members = Option<Vec<(&'static str, String)>>;

fn ec(jwk: &Map<String, Value>) -> Members {
    Some(vec![
        ("crv", "P-256".to_owned()),
        ("kty", "EC".to_owned()),
        ("x", coordinate(jwk, "x")?),
        ("y", coordinate(jwk, "y")?),
    ])
}

fn okp(jwk: &Map<String, Value>) -> Members {
    Some(vec![("crv", "Ed25519".to_owned()), ("kty", "OKP".to_owned()), ("x", coordinate(jwk, "x")?)])
}

fn coordinate(jwk: &Map<String, Value>, name: &str) -> Option<String> {
    let value = text(jwk, name)?;
    (URL_SAFE_NO_PAD.decode(value).ok()?.len() == 32).then(|| value.to_owned())
}

fn rsa(jwk: &Map<String, Value>) -> Result<Members, &'static str> {
    let (Some(n), Some(e)) = (text(jwk, "n"), text(jwk, "e")) else { return Ok(None) };
    let Ok(modulus) = URL_SAFE_NO_PAD.decode(n) else { return Ok(None) };
    let leading = modulus.first().map_or(0, |byte| byte.leading_zeros() as usize);
    if !RSA_BITS.contains(&(modulus.len() * 8).saturating_sub(leading)) {
        return Err("The RSA key is not of 2048 to 4096 bits.");
    }
    if e != "AQAB" {
        return Err("The RSA key's exponent is not 65537.");
    }
    Ok(Some(vec![("e", e.to_owned()), ("kty", "RSA".to_owned()), ("n", n.to_owned())]))
}
