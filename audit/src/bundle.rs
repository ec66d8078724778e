//! An export directory as it is read: the manifest, and each log's files in memory, one log at a time.

use crate::{
    exit::{Exit, Failure},
    manifest::{FileOf, LogEntry, Manifest, NAME},
    sequence,
};
use grantlog_events::{Address, Digest, Event, Malformed, Place, Stored};
use std::{
    fs,
    io::ErrorKind,
    ops::Range,
    path::{Path, PathBuf},
};

/// An export directory.
#[derive(Debug)]
pub(crate) struct Bundle {
    directory: PathBuf,
    pub(crate) manifest: Manifest,
}

/// One log's files.
#[derive(Debug)]
pub(crate) struct LogFiles {
    pub(crate) place: Place,
    /// `events.cborseq` as it stands.
    pub(crate) bytes: Vec<u8>,
    /// `digests.hex` as it stands.
    pub(crate) digests: Vec<u8>,
    spans: Vec<Range<usize>>,
    /// What is wrong after the last whole item.
    pub(crate) fault: Option<sequence::Fault>,
}

impl Bundle {
    /// Opens an export; its files are read when asked for.
    pub(crate) fn open(directory: &Path) -> Result<Self, Failure> {
        fs::read_dir(directory)
            .map_err(|error| Failure::unreadable(format!("{} cannot be read: {error}.", directory.display())))?;
        let text = match fs::read(directory.join(NAME)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let sentence = format!("{} has no {NAME}, so it is not a finished export.", directory.display());
                return Err(Failure::new(Exit::ManifestBroken, sentence));
            }
            Err(error) => return Err(Failure::unreadable(format!("{NAME} cannot be read: {error}."))),
        };
        let mut manifest = Manifest::parse(&text)?;
        manifest.logs.sort_by_key(|log| log.place().unwrap_or(Place::REGISTRY));
        Ok(Self { directory: directory.to_owned(), manifest })
    }

    /// Whether every file that the manifest lists is there.
    pub(crate) fn files_exist(&self) -> Result<(), Failure> {
        for log in &self.manifest.logs {
            for file in FileOf::ALL {
                log.file(file)?;
                let path = file.within(&self.directory, log.place()?);
                if !path.is_file() {
                    return Err(missing(&file.path(log.place()?)));
                }
            }
        }
        Ok(())
    }

    /// Reads one log's files.
    pub(crate) fn read(&self, log: &LogEntry) -> Result<LogFiles, Failure> {
        let place = log.place()?;
        let bytes = self.file(FileOf::Events, place)?;
        let digests = self.file(FileOf::Digests, place)?;
        let (spans, fault) = sequence::split(&bytes);
        Ok(LogFiles { place, bytes, digests, spans, fault })
    }

    /// Reads the log at a place, if the export has it.
    pub(crate) fn read_place(&self, place: Place) -> Result<LogFiles, Failure> {
        let entry = self.manifest.logs.iter().find(|log| log.place() == Ok(place));
        let absent = || Failure::unreadable(format!("The export has no log {}-{}.", place.epoch, place.shard));
        self.read(entry.ok_or_else(absent)?)
    }

    fn file(&self, file: FileOf, place: Place) -> Result<Vec<u8>, Failure> {
        fs::read(file.within(&self.directory, place)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(&file.path(place)),
            _ => Failure::unreadable(format!("{} cannot be read: {error}.", file.path(place))),
        })
    }
}

fn missing(path: &str) -> Failure {
    Failure::new(Exit::ManifestBroken, format!("{path} is missing, though {NAME} lists it."))
}

impl LogFiles {
    /// How many whole items the events file has.
    pub(crate) fn len(&self) -> u64 {
        self.spans.len() as u64
    }

    /// The items in order.
    pub(crate) fn items(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().filter_map(|span| self.bytes.get(span.clone()))
    }

    /// The event at a position of the file, if there is one that can be read.
    pub(crate) fn event(&self, seq: u64) -> Option<Event> {
        let span = self.spans.get(usize::try_from(seq).ok()?)?;
        Event::from_bytes(self.bytes.get(span.clone())?).ok()
    }

    /// The address of a position in this log.
    pub(crate) fn at(&self, seq: u64) -> Address {
        self.place.at(seq)
    }

    /// Every event with its bytes; the first that cannot be read ends it with a failure.
    pub(crate) fn events(&self) -> Result<Vec<(Event, &[u8])>, Failure> {
        let read = |(seq, bytes)| match Event::from_bytes(bytes) {
            Ok(event) => Ok((event, bytes)),
            Err(malformed) => Err(not_an_event(self.at(seq), &malformed)),
        };
        let events = (0..).zip(self.items()).map(read).collect::<Result<_, _>>()?;
        match self.fault {
            None => Ok(events),
            Some(_) => Err(Failure::new(Exit::NotCanonical, format!("After {}: no whole event.", self.at(self.len())))),
        }
    }

    /// The digests that were listed for the events, in order.
    pub(crate) fn listed(&self) -> Result<Vec<Digest>, Failure> {
        let path = FileOf::Digests.path(self.place);
        let broken = |line: usize| Failure::new(Exit::ManifestBroken, format!("{path}, line {line}: not a digest."));
        let text = std::str::from_utf8(&self.digests).map_err(|_| broken(1))?;
        (1..).zip(text.lines()).map(|(number, line)| digest(line).ok_or_else(|| broken(number))).collect()
    }
}

/// The failure that bytes at an address are not an event.
pub(crate) fn not_an_event(at: Address, malformed: &Malformed) -> Failure {
    match malformed {
        Malformed::UnknownType(number) => {
            Failure::unreadable(format!("{at}: event type {number} is unknown to this grantlog; use a newer one."))
        }
        Malformed::NotCanonical(_) | Malformed::Missing(_) | Malformed::Unexpected(_) => Failure::new(
            Exit::NotCanonical,
            format!("{at}: the bytes are not the canonical form of an event ({malformed})."),
        ),
    }
}

/// Reads a digest in lower-case hex.
pub(crate) fn digest(hex: &str) -> Option<Digest> {
    let mut digest = Digest::default();
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (byte, at) in digest.0.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()?;
    }
    (digest.hex() == hex).then_some(digest)
}
