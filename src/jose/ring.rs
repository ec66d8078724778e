//! The ring: our signing keys as this isolate holds them for 30 s, and how many shards each epoch has.
//!
//! Comes from the registry's log in one read, never from a view. A ring that cannot sign is a
//! failure, so that nobody is ever shown an empty key set.

use crate::{
    failure::Failure,
    ports::{Keys, Log, World},
    shard::{Ask, Query, Reply, RingEntry, RingReading},
};
use grantlog_events::{
    Kid, Place, Timestamp,
    key::{Algorithm, KeyStatus},
};
use serde_json::{Map, Value};
use std::rc::Rc;

/// What was being done when reading the ring failed.
const READING: &str = "reading the signing keys";

/// Our signing keys, imported, and the epochs.
pub struct Ring<K: Keys> {
    keys: Vec<RingKey<K>>,
    /// Known and not to be believed: no reason to ask the registry again.
    withdrawn: Vec<Kid>,
    epochs: Vec<(u32, u32)>,
    jwks: String,
    loaded_at: Timestamp,
}

/// A key of the ring that verifies and, while it is active, signs.
pub struct RingKey<K: Keys> {
    /// Its id.
    pub kid: Kid,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// The half that verifies.
    pub public: K::Public,
    private: Option<K::Private>,
}

/// The ring as this isolate remembers it, or as the registry has it.
pub async fn ring<W: World>(world: &W) -> Result<Rc<Ring<W::Keys>>, Failure> {
    match world.memory().ring(world.now()) {
        Some(ring) => Ok(ring),
        None => reload(world).await,
    }
}

/// The ring as the registry has it: one read.
pub async fn reload<W: World>(world: &W) -> Result<Rc<Ring<W::Keys>>, Failure> {
    let now = world.now();
    let reply = world.log().ask(Place::REGISTRY, &Ask::Read(Query::Ring)).await?;
    let Reply::Ring(reading) = reply else { return Err(Failure::lasting(READING, "the registry replied otherwise")) };
    let ring = Rc::new(Ring::build(world.keys(), reading, now).await?);
    world.memory().keep_ring(Rc::clone(&ring), now);
    Ok(ring)
}

impl<K: Keys> Ring<K> {
    async fn build(keys: &K, reading: RingReading, now: Timestamp) -> Result<Self, Failure> {
        let mut ring = Self {
            jwks: jwks(&reading.keys)?,
            keys: Vec::with_capacity(reading.keys.len()),
            withdrawn: Vec::new(),
            epochs: reading.epochs,
            loaded_at: now,
        };
        for entry in reading.keys {
            match entry.key.status {
                KeyStatus::Published | KeyStatus::Active | KeyStatus::Retired => {
                    ring.keys.push(RingKey::open(keys, entry).await?);
                }
                KeyStatus::Removed | KeyStatus::Compromised => ring.withdrawn.push(entry.kid),
            }
        }
        if ring.keys.iter().any(|key| key.private.is_some()) {
            Ok(ring)
        } else {
            Err(Failure::passing(READING, "no key is active"))
        }
    }

    /// The key that signs with an algorithm now.
    pub fn signing(&self, algorithm: Algorithm) -> Result<&Kid, Failure> {
        let signs = |key: &&RingKey<K>| key.algorithm == algorithm && key.private.is_some();
        self.keys
            .iter()
            .find(signs)
            .map(|key| &key.kid)
            .ok_or_else(|| Failure::passing(READING, format_args!("no {} key is active", algorithm.name())))
    }

    /// The key of this id, unless what it signs is not believed or not any more.
    #[must_use]
    pub fn verifying(&self, kid: &str) -> Option<&RingKey<K>> {
        self.keys.iter().find(|key| key.kid.as_str() == kid)
    }

    /// Whether the registry may know of this key what the ring does not.
    pub(super) fn may_have_missed(&self, kid: &str) -> bool {
        self.verifying(kid).is_none() && !self.withdrawn.iter().any(|held| held.as_str() == kid)
    }

    /// Signs with one of the active keys.
    pub(super) async fn sign(&self, keys: &K, kid: &Kid, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let key = self.verifying(kid.as_str()).and_then(|key| key.private.as_ref());
        let key = key.ok_or_else(|| Failure::passing("signing a token", "its key is not active"))?;
        keys.sign(key, message).await
    }

    /// How many shards an epoch has; `None` if it was never opened.
    #[must_use]
    pub fn shards(&self, epoch: u32) -> Option<u32> {
        self.epochs.iter().find(|(open, _)| *open == epoch).map(|(_, shards)| *shards)
    }

    /// Every open epoch with its number of shards.
    #[must_use]
    pub fn epochs(&self) -> &[(u32, u32)] {
        &self.epochs
    }

    /// The JWK set as clients may see it.
    #[must_use]
    pub fn jwks(&self) -> &str {
        &self.jwks
    }

    /// When the registry was asked.
    #[must_use]
    pub fn loaded_at(&self) -> Timestamp {
        self.loaded_at
    }
}

impl<K: Keys> RingKey<K> {
    async fn open(keys: &K, entry: RingEntry) -> Result<Self, Failure> {
        let RingEntry { kid, key, wrapped } = entry;
        let broken = |what: &str| Failure::lasting(READING, format_args!("{kid} {what}"));
        let public = keys.import(key.algorithm, &key.jwk).await?.ok_or_else(|| broken("is no key of its algorithm"))?;
        let private = match (key.status, &wrapped) {
            (KeyStatus::Active, Some(wrapped)) => Some(keys.open(key.algorithm, &wrapped.0).await?),
            (KeyStatus::Active, None) => return Err(broken("has no private half")),
            _ => None,
        };
        Ok(Self { kid, algorithm: key.algorithm, public, private })
    }
}

/// Every key that a live token may be signed with, and the spares that will sign next.
fn jwks(entries: &[RingEntry]) -> Result<String, Failure> {
    let shown = |entry: &&RingEntry| match entry.key.status {
        KeyStatus::Published | KeyStatus::Active | KeyStatus::Retired => true,
        KeyStatus::Removed | KeyStatus::Compromised => false,
    };
    let keys = entries.iter().filter(shown).map(|entry| {
        let mut jwk: Map<String, Value> = serde_json::from_str(&entry.key.jwk)
            .map_err(|_| Failure::lasting(READING, format_args!("{} is no JWK", entry.kid)))?;
        jwk.insert("kid".to_owned(), entry.kid.as_str().into());
        jwk.insert("alg".to_owned(), entry.key.algorithm.name().into());
        jwk.insert("use".to_owned(), "sig".into());
        Ok(Value::Object(jwk))
    });
    let keys: Vec<Value> = keys.collect::<Result<_, Failure>>()?;
    Ok(serde_json::json!({ "keys": keys }).to_string())
}
