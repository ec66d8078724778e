//! Writing an export: one pair of files per log, as events come, and the manifest at the end.

use super::page::Listed;
use crate::{
    exit::Failure,
    manifest::{FileEntry, FileOf, LogEntry, Manifest, NAME},
};
use grantlog_events::{Digest, Event, Place, Stored};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// An export being written.
pub(super) struct Directory {
    path: PathBuf,
    logs: BTreeMap<Place, LogWriter>,
}

struct LogWriter {
    events: BufWriter<File>,
    digests: BufWriter<File>,
    /// The origin by the first event, if that can be read.
    origin: Option<String>,
    first_seq: u64,
    last_seq: u64,
    last_digest: Digest,
    count: u64,
}

impl Directory {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), logs: BTreeMap::new() })
    }

    /// Adds an event at the end of its log.
    pub(super) fn write(&mut self, listed: &Listed) -> Result<(), Failure> {
        let place = listed.address.place;
        if !self.logs.contains_key(&place) {
            let log = LogWriter::create(&self.path, listed).map_err(|error| unwritable(&self.path, &error))?;
            self.logs.insert(place, log);
        }
        let Some(log) = self.logs.get_mut(&place) else { return Ok(()) };
        log.write(listed).map_err(|error| unwritable(&self.path, &error))
    }

    /// Closes every file and writes the manifest; how many logs there are.
    pub(super) fn finish(self, issuer: &str) -> Result<usize, Failure> {
        let unwritable = |error: io::Error| unwritable(&self.path, &error);
        let entries = self.logs.into_iter().map(|(place, log)| log.finish(&self.path, place, issuer));
        let manifest = Manifest::of(issuer, entries.collect::<Result<_, _>>().map_err(unwritable)?);
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| unwritable(error.into()))?;
        atomically(&self.path.join(NAME), &text)?;
        Ok(manifest.logs.len())
    }
}

impl LogWriter {
    fn create(directory: &Path, first: &Listed) -> io::Result<Self> {
        let place = first.address.place;
        let create = |file: FileOf| {
            let path = file.within(directory, place);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create(path).map(BufWriter::new)
        };
        Ok(Self {
            events: create(FileOf::Events)?,
            digests: create(FileOf::Digests)?,
            origin: Event::from_bytes(&first.bytes).ok().map(|event| event.origin.to_string()),
            first_seq: first.address.seq,
            last_seq: first.address.seq,
            last_digest: first.digest,
            count: 0,
        })
    }

    fn write(&mut self, listed: &Listed) -> io::Result<()> {
        self.events.write_all(&listed.bytes)?;
        writeln!(self.digests, "{}", listed.digest.hex())?;
        self.last_seq = listed.address.seq;
        self.last_digest = listed.digest;
        self.count += 1;
        Ok(())
    }

    /// What the manifest says of the log, from what is on disk.
    fn finish(self, directory: &Path, place: Place, issuer: &str) -> io::Result<LogEntry> {
        for file in [self.events, self.digests] {
            file.into_inner()?.sync_all()?;
        }
        let entry =
            |file: FileOf| fs::read(file.within(directory, place)).map(|bytes| FileEntry::of(file.path(place), &bytes));
        Ok(LogEntry {
            origin: self.origin.unwrap_or_else(|| place.origin(host(issuer)).to_string()),
            events: self.count,
            first_seq: self.first_seq,
            last_seq: self.last_seq,
            last_digest: self.last_digest.hex(),
            files: FileOf::ALL.into_iter().map(entry).collect::<Result<_, _>>()?,
        })
    }
}

fn host(issuer: &str) -> &str {
    issuer.split_once("://").map_or(issuer, |(_, rest)| rest).split('/').next().unwrap_or_default()
}

/// Writes a file whole or not at all: beside its place, to disk, then renamed.
pub(crate) fn atomically(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).and_then(|mut new| {
        new.write_all(bytes)?;
        new.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, file)).map_err(|error| unwritable(file, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::unreadable(format!("{} cannot be written: {error}.", path.display()))
}
