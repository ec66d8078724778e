//! Pairwise subjects (OIDC Core §8.1): each sector knows a person by another name, which only we can read.
//!
//! AES-SIV over the sector and the subject: the same always gives the same, and a name that was changed or
//! made up opens to nothing. The key comes from `NAME_KEY`, which never rotates.

use crate::config::Config;
use aes_siv::{KeyInit, siv::Aes128Siv};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Digest, Subject, token::Party};
use hkdf::Hkdf;
use sha2::Sha256;

/// What a pairwise name begins with; no subject and no client id of ours does.
const PREFIX: &str = "p-";

/// There is no data beside the names.
const NOTHING: [&[u8]; 0] = [];

/// Bytes of the sector's digest, of the epoch and of the subject's random part.
const SECTOR: usize = 8;
const EPOCH: usize = 4;

/// The name under which a sector knows a person.
#[must_use]
pub fn encode(config: &Config, sector: &str, subject: &Subject) -> Option<String> {
    let mut plain: Vec<u8> = Digest::of(sector.as_bytes()).0.into_iter().take(SECTOR).collect();
    plain.extend(subject.epoch().to_be_bytes());
    plain.extend(subject.random());
    let sealed = cipher(config)?.encrypt(NOTHING, &plain).ok()?;
    Some(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(sealed)))
}

/// The person that a pairwise name of any sector stands for; `None` if it is none of ours.
#[must_use]
pub fn decode(config: &Config, name: &str) -> Option<Subject> {
    let sealed = URL_SAFE_NO_PAD.decode(name.strip_prefix(PREFIX)?).ok()?;
    let plain = cipher(config)?.decrypt(NOTHING, &sealed).ok()?;
    let (epoch, random) = plain.get(SECTOR..)?.split_at_checked(EPOCH)?;
    Some(Subject::born(u32::from_be_bytes(epoch.try_into().ok()?), random.try_into().ok()?))
}

/// `sub` as a sector knows the party; without a sector it is public.
#[must_use]
pub fn word_sub(config: &Config, sector: Option<&str>, party: &Party) -> String {
    match (party, sector) {
        (Party::Subject(subject), Some(sector)) => {
            // Invariant: encrypting some dozens of bytes cannot fail; were it to, nobody may learn the subject.
            encode(config, sector, subject).unwrap_or_default()
        }
        (party, _) => party.to_string(),
    }
}

/// Whether a `sub` is pairwise.
#[must_use]
pub fn is_pairwise(sub: &str) -> bool {
    sub.starts_with(PREFIX)
}

/// The party that a `sub` names, public or pairwise.
#[must_use]
pub fn read_sub(config: &Config, sub: &str) -> Option<Party> {
    if is_pairwise(sub) {
        return decode(config, sub).map(Party::Subject);
    }
    Party::parse(sub).ok()
}

fn cipher(config: &Config) -> Option<Aes128Siv> {
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(Some(b"grantlog pairwise subjects"), &config.name_key.0).expand(b"siv", &mut key).ok()?;
    Aes128Siv::new_from_slice(&key).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
mod tests;
