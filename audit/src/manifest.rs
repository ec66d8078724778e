//! `MANIFEST.json`: what an export holds, written last.
//!
//! A directory without it is no export. Paths in it are checked against where files must stand and are
//! never followed, so a manifest cannot point out of its directory.

use crate::exit::{Exit, Failure};
use grantlog_events::{Digest, Origin, Place};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The manifest's file name.
pub(crate) const NAME: &str = "MANIFEST.json";
/// The form that this code writes.
const VERSION: u32 = 1;

/// An export's table of contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub(crate) issuer: String,
    pub(crate) logs: Vec<LogEntry>,
}

/// One log of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogEntry {
    pub(crate) origin: String,
    pub(crate) events: u64,
    pub(crate) first_seq: u64,
    pub(crate) last_seq: u64,
    pub(crate) last_digest: String,
    pub(crate) files: Vec<FileEntry>,
}

/// One file of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// The files that each log has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileOf {
    /// The events, a CBOR sequence.
    Events,
    /// The digests that the server listed for them, hex, one a line.
    Digests,
}

impl FileOf {
    pub(crate) const ALL: [Self; 2] = [Self::Events, Self::Digests];

    /// Where a log's file stands, from the export's directory, with `/`.
    pub(crate) fn path(self, log: Place) -> String {
        let name = match self {
            Self::Events => "events.cborseq",
            Self::Digests => "digests.hex",
        };
        format!("logs/{}-{}/{name}", log.epoch, log.shard)
    }

    pub(crate) fn within(self, directory: &Path, log: Place) -> PathBuf {
        directory.join(self.path(log))
    }
}

impl Manifest {
    /// A manifest of these logs.
    pub(crate) fn of(issuer: &str, logs: Vec<LogEntry>) -> Self {
        Self { version: VERSION, issuer: issuer.to_owned(), logs }
    }

    /// Reads a manifest and checks that it makes sense by itself.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Failure> {
        let manifest: Self =
            serde_json::from_slice(text).map_err(|error| broken(format!("{NAME} is not a manifest: {error}.")))?;
        if manifest.version != VERSION {
            return Err(broken(format!("{NAME} has version {}, which this grantlog does not know.", manifest.version)));
        }
        let mut places: Vec<Place> = manifest.logs.iter().map(LogEntry::place).collect::<Result<_, _>>()?;
        places.sort_unstable();
        match places.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[Place]>::first) {
            Some(twice) => Err(broken(format!("{NAME} lists the log {}-{} twice.", twice.epoch, twice.shard))),
            None => Ok(manifest),
        }
    }
}

impl LogEntry {
    /// The log's place, if the origin names one.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        Origin::parse(&self.origin)
            .map(|origin| origin.place())
            .map_err(|_| broken(format!("{NAME} lists {:?}, which is not the origin of a log.", self.origin)))
    }

    /// What the manifest says of one of the log's files.
    pub(crate) fn file(&self, file: FileOf) -> Result<&FileEntry, Failure> {
        let path = file.path(self.place()?);
        let entry = self.files.iter().find(|entry| entry.path == path);
        entry.ok_or_else(|| broken(format!("{NAME} does not list {path}.")))
    }
}

impl FileEntry {
    /// What a manifest says of a file with these bytes.
    pub(crate) fn of(path: String, bytes: &[u8]) -> Self {
        Self { path, bytes: bytes.len() as u64, sha256: Digest::of(bytes).hex() }
    }
}

fn broken(sentence: String) -> Failure {
    Failure::new(Exit::ManifestBroken, sentence)
}
