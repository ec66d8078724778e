//! A small export on disk, written as a server and an auditor would, or as someone who tampers with it.
#![allow(dead_code, missing_docs, reason = "each test file uses a part of it")]

#[path = "../../../projections/tests/log/mod.rs"]
pub mod log;

pub mod forgery;
pub mod login;

use grantlog_events::{
    Digest, Event, Place, Stored, Subject,
    command::{OpenEpoch, RecordBirth},
};
use log::Log;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

pub const FIRST: Place = Place { epoch: 1, shard: 0 };
pub const SECOND: Place = Place { epoch: 1, shard: 1 };

/// A registry and two shards with a little of everything.
pub struct World {
    pub registry: Log,
    pub first: Log,
    pub second: Log,
    pub person: Subject,
    /// In the first shard: a person's token and two exchanges from it, one after the other.
    pub chain: [u64; 3],
    /// In the first shard: an exchange from the first token, with an actor of the second shard.
    pub delegated: u64,
    /// In the second shard: the actor's token.
    pub actor: u64,
}

impl World {
    pub fn new() -> Self {
        let mut registry = Log::open(Place::REGISTRY);
        registry.grant(OpenEpoch { epoch: 1, shards: 2 });
        for place in [FIRST, SECOND] {
            let origin = place.origin(log::HOST);
            registry.grant(RecordBirth { origin, verifier_key: "op.example+00000000+key".to_owned() });
        }
        let (mut first, mut second) = (Log::open(FIRST), Log::open(SECOND));
        let actor = second.issue(None, "openid");
        let person = first.person(1);
        let root = first.later(1).issue(Some(&person), "openid profile");
        let once = first.later(1).exchange(root, None);
        let twice = first.later(1).exchange(once, None);
        let mut command = first.exchange_of(root, None);
        command.actor_token = Some(second.token(actor));
        let delegated = first.later(1).grant(command);
        let refused = first.exchange_of(root, None);
        first.later(1).run(&grantlog_events::command::Exchange { audience: vec!["no".to_owned()], ..refused }.into());
        Self { registry, first, second, person, chain: [root, once, twice], delegated, actor }
    }

    pub fn logs(&self) -> [&Log; 3] {
        [&self.registry, &self.first, &self.second]
    }

    pub fn write(&self) -> Export {
        Export::write(&self.logs())
    }
}

/// An export directory.
pub struct Export(pub PathBuf);

impl Export {
    pub fn write(logs: &[&Log]) -> Self {
        let export = Self(fresh_path("export"));
        fs::create_dir_all(&export.0).unwrap();
        for log in logs {
            export.put_log(log.origin.place(), &bytes_of(log));
        }
        export.seal(logs.iter().map(|log| log.origin.place()));
        export
    }

    /// Writes a log's files, the digests as the bytes have them.
    pub fn put_log(&self, place: Place, events: &[Vec<u8>]) {
        fs::create_dir_all(self.events(place).parent().unwrap()).unwrap();
        let digests: String = events.iter().map(|bytes| Digest::of(bytes).hex() + "\n").collect();
        fs::write(self.events(place), events.concat()).unwrap();
        fs::write(self.digests(place), digests).unwrap();
    }

    /// Writes a manifest that agrees with the files.
    pub fn seal(&self, places: impl IntoIterator<Item = Place>) {
        let logs: Vec<Value> = places.into_iter().map(|place| self.entry(place)).collect();
        let manifest = json!({ "version": 1, "issuer": "https://op.example", "logs": logs });
        fs::write(self.manifest(), manifest.to_string()).unwrap();
    }

    fn entry(&self, place: Place) -> Value {
        let digests = fs::read_to_string(self.digests(place)).unwrap();
        let count = digests.lines().count();
        let file = |name: &str, path: PathBuf| {
            let bytes = fs::read(path).unwrap();
            let path = format!("logs/{}-{}/{name}", place.epoch, place.shard);
            json!({ "path": path, "bytes": bytes.len(), "sha256": Digest::of(&bytes).hex() })
        };
        json!({
            "origin": place.origin(log::HOST).as_str(),
            "events": count,
            "first_seq": 0,
            "last_seq": count.saturating_sub(1),
            "last_digest": digests.lines().last().unwrap_or_default(),
            "files": [file("events.cborseq", self.events(place)), file("digests.hex", self.digests(place))],
        })
    }

    pub fn manifest(&self) -> PathBuf {
        self.0.join("MANIFEST.json")
    }

    pub fn events(&self, place: Place) -> PathBuf {
        self.0.join(format!("logs/{}-{}/events.cborseq", place.epoch, place.shard))
    }

    pub fn digests(&self, place: Place) -> PathBuf {
        self.0.join(format!("logs/{}-{}/digests.hex", place.epoch, place.shard))
    }

    pub fn verify(&self) -> Ended {
        grantlog(&["verify", &self.path()])
    }

    pub fn verify_against(&self, state: &Path) -> Ended {
        grantlog(&["verify", &self.path(), "--state", state.to_str().unwrap()])
    }

    pub fn path(&self) -> String {
        self.0.to_str().unwrap().to_owned()
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn bytes_of(log: &Log) -> Vec<Vec<u8>> {
    log.events.iter().map(|(_, bytes)| bytes.clone()).collect()
}

/// The same events with every link made good again, as one who owns the log could do.
pub fn rechained(events: &[Event]) -> Vec<Vec<u8>> {
    let mut prev = Digest::default();
    let link = |event: &Event| {
        let bytes = Event { prev, ..event.clone() }.to_bytes();
        prev = Digest::of(&bytes);
        bytes
    };
    events.iter().map(link).collect()
}

/// How a run of the command ended.
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn grantlog(arguments: &[&str]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_grantlog")).args(arguments).output().unwrap();
    Ended {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn assert_wrong(ended: &Ended, code: i32, words: &str) {
    assert_eq!(ended.code, code, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains(words), "{words:?} is not in {}", ended.out);
}

pub fn fresh_path(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()))
}
