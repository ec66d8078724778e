//! Values handed out and taken back unread: a sign-in challenge, a session cookie, a pushed request.
//!
//! AES-256-GCM under a key of its purpose's own, so that no value passes for another. Nothing is kept
//! here: what must be used once is spent in a log, and how long a value is good stands in it.

use crate::{
    config::{Config, Secret},
    failure::Failure,
    ports::World,
};
use aes_gcm::{
    Aes256Gcm, KeyInit, Nonce,
    aead::{Aead, Payload},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::Stored;
use hkdf::Hkdf;
use sha2::Sha256;

const NONCE: usize = 12;

/// What a sealed value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The login form's hidden challenge.
    SignIn,
    /// The consent form's hidden challenge.
    Consent,
    /// The hidden challenge of the choice between accounts.
    Choice,
    /// A pushed authorization request (RFC 9126).
    Pushed,
    /// The browser's session cookie.
    Session,
    /// What a code carries besides the address of its event.
    Code,
    /// The logout form's hidden challenge.
    Logout,
    /// The account page's hidden challenge.
    Account,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::SignIn => b"sign-in",
            Self::Consent => b"consent",
            Self::Choice => b"choice",
            Self::Pushed => b"pushed request",
            Self::Session => b"session",
            Self::Code => b"code",
            Self::Logout => b"logout",
            Self::Account => b"account",
        }
    }
}

/// Seals a value; `about` must be told again to open it.
pub fn seal<W: World>(world: &W, purpose: Purpose, about: &[u8], value: &impl Stored) -> Result<String, Failure> {
    let nonce: Vec<u8> = world.random()?.into_iter().take(NONCE).collect();
    let plain = value.to_bytes();
    let sealed = cipher(&world.config().kek, purpose)?
        .encrypt(Nonce::from_slice(&nonce), Payload { msg: &plain, aad: about })
        .map_err(|_| Failure::lasting("sealing a value", "refused"))?;
    Ok(URL_SAFE_NO_PAD.encode([nonce, sealed].concat()))
}

/// Opens a value that was sealed for this purpose about this, under `KEK` or `KEK_PREVIOUS`; `None` if it was not.
#[must_use]
pub fn open<T: Stored>(config: &Config, purpose: Purpose, about: &[u8], text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (nonce, sealed) = bytes.split_at_checked(NONCE)?;
    let keks = [Some(&config.kek), config.kek_previous.as_ref()];
    let plain = keks.into_iter().flatten().find_map(|kek| {
        let payload = Payload { msg: sealed, aad: about };
        cipher(kek, purpose).ok()?.decrypt(Nonce::from_slice(nonce), payload).ok()
    })?;
    T::from_bytes(&plain).ok()
}

fn cipher(kek: &Secret, purpose: Purpose) -> Result<Aes256Gcm, Failure> {
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(Some(b"grantlog sealed value"), &kek.0)
        .expand(purpose.label(), &mut key)
        .map_err(|_| Failure::lasting("deriving a key", "wrong length"))?;
    Aes256Gcm::new_from_slice(&key).map_err(|_| Failure::lasting("deriving a key", "wrong length"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::memory::MemoryWorld;
    use grantlog_events::{Timestamp, record};
    use proptest::prelude::*;

    record! {
        /// Something to hand out.
        struct Ticket { 1 => name: String, 2 => until: Timestamp }
    }

    fn world(kek: u8, previous: Option<u8>) -> MemoryWorld {
        let key = |byte: u8| URL_SAFE_NO_PAD.encode([byte; 32]);
        let config = Config::read(|name| {
            Some(match name {
                "ISSUER" => "https://id.example".to_owned(),
                "OPERATOR_CLIENT_ID" => "operator".to_owned(),
                "OPERATOR_CLIENT_SECRET" => "secret".to_owned(),
                "KEK" => key(kek),
                "KEK_PREVIOUS" => return previous.map(key),
                "LOG_KEY" | "NAME_KEY" => key(2),
                _ => return None,
            })
        });
        MemoryWorld::new(config.unwrap(), Timestamp(0))
    }

    fn ticket() -> Ticket {
        Ticket { name: "a".to_owned(), until: Timestamp(7) }
    }

    #[test]
    fn what_was_sealed_opens_again_and_no_two_seals_are_alike() {
        let world = world(1, None);
        let seal = || seal(&world, Purpose::SignIn, b"about", &ticket()).unwrap();
        assert_eq!(open(world.config(), Purpose::SignIn, b"about", &seal()), Some(ticket()));
        assert_ne!(seal(), seal());
    }

    #[test]
    fn a_value_opens_for_its_own_purpose_and_subject_alone() {
        let world = world(1, None);
        let sealed = seal(&world, Purpose::SignIn, b"about", &ticket()).unwrap();
        assert_eq!(open::<Ticket>(world.config(), Purpose::Consent, b"about", &sealed), None);
        assert_eq!(open::<Ticket>(world.config(), Purpose::SignIn, b"other", &sealed), None);
    }

    #[test]
    fn a_value_outlives_one_rotation_of_the_key() {
        let sealed = seal(&world(1, None), Purpose::Session, b"", &ticket()).unwrap();
        assert_eq!(open(world(9, Some(1)).config(), Purpose::Session, b"", &sealed), Some(ticket()));
        assert_eq!(open::<Ticket>(world(9, Some(8)).config(), Purpose::Session, b"", &sealed), None);
    }

    proptest! {
        #[test]
        fn a_changed_byte_opens_nothing(at in 0_usize..60, bit in 0_u8..8) {
            let world = world(1, None);
            let mut bytes =
                URL_SAFE_NO_PAD.decode(seal(&world, Purpose::Code, b"", &ticket()).unwrap()).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(open::<Ticket>(world.config(), Purpose::Code, b"", &URL_SAFE_NO_PAD.encode(bytes)), None);
        }
    }
}
