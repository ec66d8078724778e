//! Credentials that we make: 256 random bits, shown once, kept as SHA-256, compared in constant time.

use crate::{failure::Failure, ports::World};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{ClientId, Digest};
use std::fmt;
use subtle::ConstantTimeEq;

/// A secret or token in clear; prints nothing of itself.
pub(super) struct Credential(String);

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl Credential {
    pub(super) fn fresh<W: World>(world: &W) -> Result<Self, Failure> {
        Ok(Self(URL_SAFE_NO_PAD.encode(world.random()?)))
    }

    /// One that a caller presented.
    pub(super) fn presented(text: String) -> Self {
        Self(text)
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    pub(super) fn hash(&self) -> [u8; 32] {
        Digest::of(self.0.as_bytes()).0
    }
}

/// Whether `presented` is what the kept hash is of.
pub(super) fn matches(held: Option<&[u8; 32]>, presented: &str) -> bool {
    held.is_some_and(|held| bool::from(held.ct_eq(&Digest::of(presented.as_bytes()).0)))
}

/// A client id of 128 random bits; the letter in front keeps it from looking like a subject.
pub(super) fn fresh_client_id<W: World>(world: &W) -> Result<ClientId, Failure> {
    let random: Vec<u8> = world.random()?.into_iter().take(16).collect();
    ClientId::parse(&format!("c-{}", URL_SAFE_NO_PAD.encode(random)))
        .map_err(|malformed| Failure::lasting("making a client id", malformed))
}

/// Whether an id has the form of those made here. Another is no client's, and nobody need be asked.
pub(in crate::http) fn has_form_of_client_id(id: &ClientId) -> bool {
    let random = id.as_str().strip_prefix("c-").and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
    random.is_some_and(|random| random.len() == 16)
}
