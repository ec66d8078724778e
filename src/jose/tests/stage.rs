//! A world of which only keys, clock, memory and the registry's ring are real.

use crate::{
    config::{Config, Secret},
    failure::Failure,
    http::Memory,
    memory::SoftwareKeys,
    metrics::Metric,
    ports::{Archive, Keys, Log, Parameter, Statement, Views, World},
    shard::{Ask, Query, Reply, RingEntry, RingReading},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    ClientId, Kid, Place, Seconds, Subject, Timestamp,
    key::{Algorithm, KeyStatus, SigningKey},
    stored::Bytes,
};
use grantlog_projections::read_model::Table;
use serde_json::{Value, json};
use std::{
    cell::{Cell, RefCell},
    pin::pin,
    task::{Context, Poll, Waker},
};

pub(super) const ISSUER: &str = "https://id.example";

/// A whole second, so that what is cut off does not matter.
pub(super) const NOW: u64 = 1_800_000_000;

pub(super) struct Stage {
    pub(super) keys: SoftwareKeys,
    pub(super) now: Cell<Timestamp>,
    pub(super) reading: RefCell<RingReading>,
    pub(super) reads: Cell<u32>,
    pub(super) down: Cell<bool>,
    config: Config,
    memory: Memory<SoftwareKeys>,
}

/// Runs what never waits.
pub(super) fn run<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing here waits"),
    }
}

pub(super) fn encode(part: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(part)
}

impl Stage {
    /// With one active key of each algorithm.
    pub(super) fn new() -> Self {
        let secret = Secret([7; 32]);
        let stage = Self {
            keys: SoftwareKeys::new(&secret, None),
            now: Cell::new(Timestamp::at_seconds(NOW)),
            reading: RefCell::new(RingReading { keys: Vec::new(), epochs: vec![(1, 64)] }),
            reads: Cell::new(0),
            down: Cell::new(false),
            config: config(secret),
            memory: Memory::default(),
        };
        for algorithm in Algorithm::ALL {
            stage.add(*algorithm, KeyStatus::Active);
        }
        stage
    }

    /// Makes a key and puts it into the registry.
    pub(super) fn add(&self, algorithm: Algorithm, status: KeyStatus) -> RingEntry {
        let fresh = run(self.keys.generate(algorithm)).unwrap();
        let entry = RingEntry {
            kid: crate::jose::thumbprint(&fresh.jwk).unwrap(),
            key: SigningKey {
                algorithm,
                jwk: fresh.jwk,
                status,
                published_at: Timestamp(0),
                activated_at: None,
                until: None,
                confirmed: false,
            },
            wrapped: Some(Bytes(fresh.wrapped)),
        };
        self.reading.borrow_mut().keys.push(entry.clone());
        entry
    }

    pub(super) fn active(&self, algorithm: Algorithm) -> RingEntry {
        let reading = self.reading.borrow();
        let active = |entry: &&RingEntry| entry.key.algorithm == algorithm && entry.key.status == KeyStatus::Active;
        reading.keys.iter().find(active).unwrap().clone()
    }

    pub(super) fn set_status(&self, kid: &Kid, status: KeyStatus) {
        let mut reading = self.reading.borrow_mut();
        reading.keys.iter_mut().find(|entry| entry.kid == *kid).unwrap().key.status = status;
    }

    pub(super) fn pass(&self, seconds: u64) {
        self.now.set(self.now.get().after(Seconds(seconds)));
    }

    /// A compact JWS over any header and claims, rightly signed with a key.
    pub(super) fn signed(&self, key: &RingEntry, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
        let wrapped = key.wrapped.as_ref().unwrap();
        let private = run(self.keys.open(key.key.algorithm, &wrapped.0)).unwrap();
        let signature = run(self.keys.sign(&private, message.as_bytes())).unwrap();
        format!("{message}.{}", encode(&signature))
    }
}

/// The header that an access token of this key has.
pub(super) fn header(key: &RingEntry) -> Value {
    json!({ "alg": key.key.algorithm.name(), "kid": key.kid.as_str(), "typ": "at+jwt" })
}

/// The same object with members replaced, or left out where the change is `null`.
pub(super) fn changed(object: &Value, changes: &Value) -> Value {
    let mut object = object.as_object().unwrap().clone();
    for (name, value) in changes.as_object().unwrap() {
        object.remove(name);
        if !value.is_null() {
            object.insert(name.clone(), value.clone());
        }
    }
    Value::Object(object)
}

fn config(kek: Secret) -> Config {
    Config {
        issuer: ISSUER.to_owned(),
        host: "id.example".to_owned(),
        operator: ClientId::parse("operator").unwrap(),
        operator_secret: [0; 32],
        kek,
        kek_previous: None,
        log_key: Secret([0; 32]),
        name_key: Secret([0; 32]),
        log_shards: 64,
        log_epoch: 1,
        access_token_ttl: Seconds(900),
        refresh_token_ttl: Seconds(2_592_000),
        refresh_grace: Seconds(30),
        session_idle: Seconds(86_400),
        session_lifetime: Seconds(1_209_600),
        userinfo_from_log: false,
    }
}

impl Log for Stage {
    async fn ask(&self, place: Place, ask: &Ask) -> Result<Reply, Failure> {
        assert_eq!((place, ask), (Place::REGISTRY, &Ask::Read(Query::Ring)));
        self.reads.set(self.reads.get() + 1);
        if self.down.get() { unreachable() } else { Ok(Reply::Ring(self.reading.borrow().clone())) }
    }
}

fn unreachable<T>() -> Result<T, Failure> {
    Err(Failure::passing("testing", "unreachable"))
}

impl Views for Stage {
    async fn user(&self, _: &Subject) -> Result<Option<Vec<u8>>, Failure> {
        unreachable()
    }
    async fn put_user(&self, _: &Subject, _: Option<&[u8]>) -> Result<(), Failure> {
        unreachable()
    }
    async fn client(&self, _: &ClientId) -> Result<Option<Vec<u8>>, Failure> {
        unreachable()
    }
    async fn put_client(&self, _: &ClientId, _: &[u8]) -> Result<(), Failure> {
        unreachable()
    }
    async fn read_model_position(&self, _: Place) -> Result<Option<u64>, Failure> {
        unreachable()
    }
    async fn read_model_rows(&self, _: Place, _: Table) -> Result<Vec<Vec<Parameter>>, Failure> {
        unreachable()
    }
    async fn write_read_model(&self, _: &[Statement]) -> Result<(), Failure> {
        unreachable()
    }
}

impl Archive for Stage {
    async fn read(&self, _: &str) -> Result<Option<Vec<u8>>, Failure> {
        unreachable()
    }
    async fn create(&self, _: &str, _: &[u8]) -> Result<bool, Failure> {
        unreachable()
    }
    async fn delete(&self, _: &str) -> Result<(), Failure> {
        unreachable()
    }
}

impl World for Stage {
    type Log = Self;
    type Views = Self;
    type Keys = SoftwareKeys;
    type Archive = Self;
    type Outbound = crate::memory::MemoryOutbound;

    fn log(&self) -> &Self {
        self
    }
    fn views(&self) -> &Self {
        self
    }
    fn keys(&self) -> &SoftwareKeys {
        &self.keys
    }
    fn archive(&self) -> &Self {
        self
    }

    fn outbound(&self) -> &crate::memory::MemoryOutbound {
        unreachable!("nothing here asks others")
    }
    fn config(&self) -> &Config {
        &self.config
    }
    fn memory(&self) -> &Memory<SoftwareKeys> {
        &self.memory
    }
    fn now(&self) -> Timestamp {
        self.now.get()
    }
    fn random(&self) -> Result<[u8; 32], Failure> {
        Ok([0; 32])
    }
    async fn pause(&self, _: u32) {}
    fn calls(&self) -> u32 {
        self.reads.get()
    }

    fn rows_written(&self) -> Option<u64> {
        None
    }
    fn count(&self, _: Metric, _: u64) {}
    fn note(&self, _: &str) {}
}
