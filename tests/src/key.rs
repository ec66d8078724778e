//! Key pairs of others: of assertion issuers, of clients that sign, of forgers.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use getrandom::{SysRng, rand_core::UnwrapErr};
use p256::{
    ecdsa::{self, signature::Signer},
    elliptic_curve::Generate,
};
use rsa::{PrivateKey, pkcs1v15, signature::SignatureEncoding, traits::PublicKeyParts};
use serde_json::{Value, json};
use sha2::Sha256;

/// A private key with the name under which its public half is known.
#[derive(Clone)]
pub struct KeyPair {
    /// The JWK's `kid`.
    pub kid: String,
    secret: Secret,
}

#[derive(Clone)]
enum Secret {
    Es256(ecdsa::SigningKey),
    Rs256(Box<pkcs1v15::SigningKey<Sha256>>, Box<PrivateKey>),
}

impl KeyPair {
    /// A fresh ES256 key.
    #[must_use]
    pub fn es256(kid: &str) -> Self {
        Self { kid: kid.to_owned(), secret: Secret::Es256(ecdsa::SigningKey::generate()) }
    }

    /// A fresh RS256 key of 2,048 bits.
    #[must_use]
    pub fn rs256(kid: &str) -> Self {
        let key = PrivateKey::new(&mut UnwrapErr(SysRng), 2048).expect("2,048 is a size of keys");
        Self {
            kid: kid.to_owned(),
            secret: Secret::Rs256(Box::new(pkcs1v15::SigningKey::new(key.clone())), Box::new(key)),
        }
    }

    /// The JOSE name of its algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &'static str {
        match self.secret {
            Secret::Es256(_) => "ES256",
            Secret::Rs256(..) => "RS256",
        }
    }

    /// The public half as a JWK.
    #[must_use]
    pub fn jwk(&self) -> Value {
        match &self.secret {
            Secret::Es256(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let half = |range: std::ops::Range<usize>| URL_SAFE_NO_PAD.encode(&point.as_bytes()[range]);
                json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid, "x": half(1..33), "y": half(33..65) })
            }
            Secret::Rs256(_, key) => {
                let number = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
                let (n, e) = (number(&key.n_bytes()), number(&key.e_bytes()));
                json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.kid, "n": n, "e": e })
            }
        }
    }

    /// The public half as a JWK set.
    #[must_use]
    pub fn jwks(&self) -> Value {
        json!({ "keys": [self.jwk()] })
    }

    /// A JWT under this key's `kid` and algorithm.
    #[must_use]
    pub fn sign(&self, typ: &str, claims: &Value) -> String {
        self.sign_as(&json!({ "alg": self.algorithm(), "kid": self.kid, "typ": typ }), claims)
    }

    /// A JWT with any header, which may lie.
    #[must_use]
    pub fn sign_as(&self, header: &Value, claims: &Value) -> String {
        self.sign_message(&unsigned(header, claims))
    }

    /// The message and this key's signature of it.
    #[must_use]
    pub fn sign_message(&self, message: &str) -> String {
        let signature = match &self.secret {
            Secret::Es256(key) => {
                let signature: ecdsa::Signature = key.sign(message.as_bytes());
                signature.to_bytes().to_vec()
            }
            Secret::Rs256(key, _) => rsa::signature::Signer::sign(&**key, message.as_bytes()).to_vec(),
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Header and claims, encoded and joined: what a signature covers.
#[must_use]
pub fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", URL_SAFE_NO_PAD.encode(header.to_string()), URL_SAFE_NO_PAD.encode(claims.to_string()))
}

#[cfg(test)]
mod tests {
    use super::KeyPair;
    use crate::jwt;
    use serde_json::json;

    #[test]
    fn an_independent_library_verifies_what_a_key_pair_signs() {
        for key in [KeyPair::es256("one"), KeyPair::rs256("two")] {
            let token = key.sign("JWT", &json!({ "sub": "a" }));
            assert_eq!(jwt::verify(&token, &key.jwks()).unwrap()["sub"], "a");
            assert!(jwt::verify(&token, &KeyPair::es256(&key.kid).jwks()).is_err());
        }
    }
}
