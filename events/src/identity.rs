//! Names of things: each its own type, parsed once.

use crate::{Malformed, Stored, cbor::Value};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Longest client id, key id or subject that is accepted, in bytes.
const MAX_NAME: usize = 128;

macro_rules! text_name {
    ($(#[$meta:meta])* $name:ident, $valid:expr, $what:literal) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Reads the name, refusing any that does not have its form.
            pub fn parse(text: &str) -> Result<Self, Malformed> {
                if $valid(text) { Ok(Self(text.to_owned())) } else { Err(Malformed::Unexpected($what)) }
            }
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Stored for $name {
            fn store(&self) -> Value {
                Value::Text(self.0.clone())
            }
            fn load(value: Value) -> Result<Self, Malformed> {
                Self::parse(&String::load(value)?)
            }
        }
    };
}

text_name!(
    /// An OAuth client.
    ClientId, is_plain_name, "a client id"
);
text_name!(
    /// A signing key's id, as in the JWS header.
    Kid, is_plain_name, "a key id"
);
text_name!(
    /// A person: `<epoch>-<128 random bits, base64url>`, pseudonymous and for life.
    Subject, is_subject, "a subject"
);

fn is_plain_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_NAME
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b'~'))
        && !is_subject(text)
}

fn is_subject(text: &str) -> bool {
    text.split_once('-').is_some_and(|(epoch, random)| {
        epoch.parse::<u32>().is_ok_and(|number| number.to_string() == epoch)
            && random.len() == 22
            && URL_SAFE_NO_PAD.decode(random).is_ok_and(|bytes| bytes.len() == 16)
    })
}

impl Subject {
    /// A subject of this epoch from 128 random bits.
    #[must_use]
    pub fn born(epoch: u32, random: [u8; 16]) -> Self {
        Self(format!("{epoch}-{}", URL_SAFE_NO_PAD.encode(random)))
    }

    /// The epoch in whose logs this subject lives.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.0.split_once('-').and_then(|(epoch, _)| epoch.parse().ok()).unwrap_or_default()
    }

    /// The random part.
    #[must_use]
    pub fn random(&self) -> [u8; 16] {
        let random = self.0.split_once('-').and_then(|(_, random)| URL_SAFE_NO_PAD.decode(random).ok());
        // Invariant: every subject has 16 such bytes.
        random.and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
    }

    /// The home shard among `shards`, for life.
    #[must_use]
    pub fn home(&self, shards: u32) -> u32 {
        shard_of(self.0.as_bytes(), shards)
    }
}

/// The shard that owns `name`: the first 8 bytes of its SHA-256, big-endian, modulo the epoch's shards.
#[must_use]
pub fn shard_of(name: &[u8], shards: u32) -> u32 {
    let first = Digest::of(name).0.first_chunk::<8>().copied().unwrap_or_default();
    let place = u64::from_be_bytes(first) % u64::from(shards.max(1));
    u32::try_from(place).unwrap_or_default()
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Lower-case hexadecimal.
    #[must_use]
    pub fn hex(&self) -> String {
        lower_hex(&self.0)
    }

    /// The first 16 bytes.
    #[must_use]
    pub fn half(&self) -> [u8; 16] {
        let mut half = [0; 16];
        half.iter_mut().zip(self.0).for_each(|(to, from)| *to = from);
        half
    }
}

/// Lower-case hexadecimal of any bytes.
pub(crate) fn lower_hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]).collect()
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl Stored for Digest {
    fn store(&self) -> Value {
        self.0.store()
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Stored::load(value).map(Self)
    }
}

macro_rules! ulid_name {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 16]);

        impl $name {
            /// A ULID of this instant with these 80 random bits.
            #[must_use]
            pub fn new(at: crate::Timestamp, random: [u8; 10]) -> Self {
                let [_, _, time @ ..] = at.0.to_be_bytes();
                let mut bytes = [0; 16];
                bytes.iter_mut().zip(time.into_iter().chain(random)).for_each(|(to, from)| *to = from);
                Self(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&ulid::Ulid::from_bytes(self.0).to_string())
            }
        }

        impl Stored for $name {
            fn store(&self) -> Value {
                self.0.store()
            }
            fn load(value: Value) -> Result<Self, Malformed> {
                Stored::load(value).map(Self)
            }
        }
    };
}

ulid_name!(
    /// An event's identity; never its order.
    EventId
);
ulid_name!(
    /// One request as the edge numbered it; a retry carries the same one.
    RequestId
);

impl EventId {
    /// The last eight Crockford characters, lower case: 40 of the random bits, as a `jti` carries them.
    #[must_use]
    pub fn suffix(&self) -> String {
        self.to_string().chars().skip(18).collect::<String>().to_ascii_lowercase()
    }
}
