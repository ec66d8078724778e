//! Where an event stands: log, place, position, and the `jti` that names it in a token.

use crate::{Malformed, Stored, cbor::Value, identity::EventId};
use std::fmt;

/// One log: a shard of an epoch. Epoch 0 has one log, the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The epoch.
    pub epoch: u32,
    /// The shard within the epoch.
    pub shard: u32,
}

impl Place {
    /// The registry's log: clients, keys, epochs, audit queries.
    pub const REGISTRY: Self = Self { epoch: 0, shard: 0 };

    /// Whether this is the registry.
    #[must_use]
    pub fn is_registry(self) -> bool {
        self == Self::REGISTRY
    }

    /// The log's origin under an issuer's host.
    #[must_use]
    pub fn origin(self, host: &str) -> Origin {
        Origin(format!("{host}/log/{}/{}", self.epoch, self.shard))
    }

    /// The address of position `seq` in this log.
    #[must_use]
    pub fn at(self, seq: u64) -> Address {
        Address { place: self, seq }
    }
}

/// A log's name for the world: `<issuer host>/log/<epoch>/<shard>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin(String);

impl Origin {
    /// Reads an origin.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        Self::place_in(text).map(|_| Self(text.to_owned())).ok_or(Malformed::Unexpected("a log origin"))
    }

    /// The origin as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The place this origin names.
    #[must_use]
    pub fn place(&self) -> Place {
        // Invariant: `parse` and `Place::origin` are the only ways to make one.
        Self::place_in(&self.0).unwrap_or(Place::REGISTRY)
    }

    fn place_in(text: &str) -> Option<Place> {
        let (rest, shard) = text.rsplit_once('/')?;
        let (host, epoch) = rest.rsplit_once("/log/")?;
        if host.is_empty() {
            return None;
        }
        Some(Place { epoch: strict(epoch)?, shard: strict(shard)? })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Stored for Origin {
    fn store(&self) -> Value {
        Value::Text(self.0.clone())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Self::parse(&String::load(value)?)
    }
}

/// The place of one event, written `epoch.shard.seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The log.
    pub place: Place,
    /// The position in it, from 0.
    pub seq: u64,
}

impl Address {
    /// Reads `epoch.shard.seq`.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        read(text, '.').ok_or(Malformed::Unexpected("an address"))
    }

    /// Reads `epoch-shard-seq`, the form that `sid`, codes and refresh tokens have it in.
    pub fn parse_dashed(text: &str) -> Result<Self, Malformed> {
        read(text, '-').ok_or(Malformed::Unexpected("an address"))
    }

    /// The address as `epoch-shard-seq`.
    #[must_use]
    pub fn dashed(self) -> String {
        format!("{}-{}-{}", self.place.epoch, self.place.shard, self.seq)
    }
}

fn read(text: &str, separator: char) -> Option<Address> {
    let mut parts = text.split(separator);
    let address = Address {
        place: Place { epoch: strict(parts.next()?)?, shard: strict(parts.next()?)? },
        seq: strict(parts.next()?)?,
    };
    parts.next().is_none().then_some(address)
}

/// A decimal without sign, space or leading zero.
fn strict<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.place.epoch, self.place.shard, self.seq)
    }
}

/// A token's `jti`: the address of the event that issued it, and eight characters of that event's id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Jti {
    /// The issuing event.
    pub address: Address,
    /// The last eight characters of its ULID, lower case.
    pub suffix: String,
}

impl Jti {
    /// The `jti` of the token that the event at `address` with this id issued.
    #[must_use]
    pub fn of(address: Address, id: &EventId) -> Self {
        Self { address, suffix: id.suffix() }
    }

    /// Reads `<epoch>-<shard>-<seq>-<suffix>`, strictly.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        text.rsplit_once('-')
            .and_then(|(address, suffix)| Some(Self { address: read(address, '-')?, suffix: crockford(suffix)? }))
            .ok_or(Malformed::Unexpected("a jti"))
    }
}

fn crockford(text: &str) -> Option<String> {
    let valid = |b: u8| b.is_ascii_digit() || (b.is_ascii_lowercase() && !matches!(b, b'i' | b'l' | b'o' | b'u'));
    (text.len() == 8 && text.bytes().all(valid)).then(|| text.to_owned())
}

impl fmt::Display for Jti {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { place, seq } = self.address;
        write!(f, "{}-{}-{}-{}", place.epoch, place.shard, seq, self.suffix)
    }
}

impl Stored for Jti {
    fn store(&self) -> Value {
        Value::Text(self.to_string())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Self::parse(&String::load(value)?)
    }
}
