//! An issuer of assertions (RFC 7523) that clients are registered to present: somebody else's login.

use crate::{key::KeyPair, random::unique};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Who vouches for people, with its key.
#[derive(Clone)]
pub struct AssertionIssuer {
    /// Its `iss`.
    pub name: String,
    /// What it signs with.
    pub key: KeyPair,
}

impl AssertionIssuer {
    /// One that signs with ES256.
    #[must_use]
    pub fn new() -> Self {
        let name = format!("https://login-{}.example", unique());
        Self { name, key: KeyPair::es256("login") }
    }

    /// One that signs with RS256.
    #[must_use]
    pub fn with_rsa() -> Self {
        Self { key: KeyPair::rs256("login"), ..Self::new() }
    }

    /// How a client's metadata names it.
    #[must_use]
    pub fn metadata(&self) -> Value {
        json!({ "issuer": self.name, "jwks": self.key.jwks() })
    }

    /// An assertion for this person, to be spent once at this audience within five minutes.
    #[must_use]
    pub fn assertion(&self, audience: &str, subject: &str) -> String {
        self.sign(&self.claims(audience, subject))
    }

    /// The claims of a good assertion, to be changed.
    #[must_use]
    pub fn claims(&self, audience: &str, subject: &str) -> Value {
        assertion_claims(&self.name, subject, audience)
    }

    /// Signs any claims.
    #[must_use]
    pub fn sign(&self, claims: &Value) -> String {
        self.key.sign("JWT", claims)
    }
}

impl Default for AssertionIssuer {
    fn default() -> Self {
        Self::new()
    }
}

/// The claims of a fresh assertion.
#[must_use]
pub fn assertion_claims(issuer: &str, subject: &str, audience: &str) -> Value {
    let now = now();
    json!({ "iss": issuer, "sub": subject, "aud": audience, "jti": unique(), "iat": now, "exp": now + 300 })
}

/// Seconds since 1970.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970").as_secs()
}
