//! Signatures by hand: of a party outside, and of our own key in the hands of a thief.

use crate::{
    http::tests::deployment::NOW,
    memory::MemoryWorld,
    memory::finished,
    ports::{Keys, Log, World},
    shard::{Ask, Query, Reply, RingEntry},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    Place,
    key::{Algorithm, KeyStatus},
};
use serde_json::{Value, json};

/// An ES256 key of somebody outside.
#[derive(Clone)]
pub(in crate::http) struct Signer {
    jwk: Value,
    wrapped: Vec<u8>,
}

impl Signer {
    pub(super) fn new(world: &MemoryWorld) -> Self {
        let fresh = finished(world.keys().generate(Algorithm::Es256)).unwrap();
        Self { jwk: serde_json::from_str(&fresh.jwk).unwrap(), wrapped: fresh.wrapped }
    }

    pub(super) fn jwks(&self) -> Value {
        json!({ "keys": [self.jwk] })
    }

    pub(super) fn jwk(&self) -> &Value {
        &self.jwk
    }

    /// An assertion that is good for five minutes, unless its claims say otherwise.
    pub(super) fn assertion(&self, world: &MemoryWorld, claims: &Value) -> String {
        let mut all = json!({ "exp": world.now().seconds() + 300, "iat": NOW.seconds() });
        all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        self.sign(world, &json!({ "alg": "ES256", "typ": "JWT" }), &all)
    }

    pub(super) fn sign(&self, world: &MemoryWorld, header: &Value, claims: &Value) -> String {
        signed(world, Algorithm::Es256, &self.wrapped, header, claims)
    }
}

/// Our own active ES256 key, as a thief has it.
pub(super) struct Leaked(RingEntry);

impl Leaked {
    pub(super) fn of(world: &MemoryWorld) -> Self {
        Self::with(world, Algorithm::Es256)
    }

    pub(super) fn with(world: &MemoryWorld, algorithm: Algorithm) -> Self {
        let reply = finished(world.log().ask(Place::REGISTRY, &Ask::Read(Query::Ring))).unwrap();
        let Reply::Ring(ring) = reply else { panic!("{reply:?}") };
        let active = |entry: &RingEntry| entry.key.algorithm == algorithm && entry.key.status == KeyStatus::Active;
        Self(ring.keys.into_iter().find(active).unwrap())
    }

    pub(super) fn kid(&self) -> &str {
        self.0.kid.as_str()
    }

    pub(super) fn jwk(&self) -> &str {
        &self.0.key.jwk
    }

    /// A token that says this, rightly signed.
    pub(super) fn token(&self, world: &MemoryWorld, claims: &Value) -> String {
        self.sign(world, &json!({ "alg": self.0.key.algorithm.name(), "kid": self.kid(), "typ": "at+jwt" }), claims)
    }

    pub(super) fn sign(&self, world: &MemoryWorld, header: &Value, claims: &Value) -> String {
        signed(world, self.0.key.algorithm, &self.0.wrapped.as_ref().unwrap().0, header, claims)
    }
}

fn signed(world: &MemoryWorld, algorithm: Algorithm, wrapped: &[u8], header: &Value, claims: &Value) -> String {
    let private = finished(world.keys().open(algorithm, wrapped)).unwrap();
    let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
    let signature = finished(world.keys().sign(&private, message.as_bytes())).unwrap();
    format!("{message}.{}", encode(&signature))
}

pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
