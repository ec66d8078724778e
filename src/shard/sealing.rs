//! Sealing: personal data lives in an event as an AES-256-GCM box under a key of its subject's own.
//!
//! The key is HKDF-SHA-256 over two halves, one with the shard, one in the archive; without either the
//! box is noise. The rest of the event is authenticated with it, so a box cannot move to another event.

use crate::failure::Failure;
use aes_gcm::{
    Aes256Gcm, KeyInit, Nonce,
    aead::{Aead, Payload},
};
use grantlog_events::{Digest, Header, Stored, Subject};
use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;

const NONCE: usize = 12;

/// A subject's key.
#[derive(Clone)]
pub struct SubjectKey(Aes256Gcm);

impl fmt::Debug for SubjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl SubjectKey {
    /// The key made of both halves.
    pub fn of(subject: &Subject, home: &[u8], archive: &[u8]) -> Result<Self, Failure> {
        let wrong = |_| Failure::lasting("deriving a subject's key", "a half is malformed");
        let mut key = [0; 32];
        let both = [home, archive].concat();
        Hkdf::<Sha256>::new(Some(b"grantlog subject key"), &both)
            .expand(subject.as_str().as_bytes(), &mut key)
            .map_err(wrong)?;
        Aes256Gcm::new_from_slice(&key)
            .map(Self)
            .map_err(|_| Failure::lasting("deriving a subject's key", "wrong length"))
    }

    /// Seals; the nonce comes from the command's own entropy.
    pub(super) fn seal(&self, personal: &[u8], event: &[u8], header: &Header, ordinal: u8) -> Result<Vec<u8>, Failure> {
        let mut seed = header.to_bytes();
        seed.push(ordinal);
        let nonce: Vec<u8> = Digest::of(&seed).0.into_iter().take(NONCE).collect();
        let sealed = self.0.encrypt(Nonce::from_slice(&nonce), Payload { msg: personal, aad: event });
        let sealed = sealed.map_err(|_| Failure::lasting("sealing personal data", "refused"))?;
        Ok([nonce, sealed].concat())
    }

    /// Opens the box of the event whose unsealed encoding is `event`.
    pub fn open(&self, sealed: &[u8], event: &[u8]) -> Result<Vec<u8>, Failure> {
        let broken = || Failure::lasting("opening personal data", "the box does not open");
        let (nonce, sealed) = sealed.split_at_checked(NONCE).ok_or_else(broken)?;
        self.0.decrypt(Nonce::from_slice(nonce), Payload { msg: sealed, aad: event }).map_err(|_| broken())
    }
}
