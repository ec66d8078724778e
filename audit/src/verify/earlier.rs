//! The last verified end of every log, kept by the auditor: an export must extend it (12).
//!
//! This is what finds a log that was cut or rewritten and made consistent again. The file is replaced
//! only once an export was found sound.

use super::log::Checked;
use crate::{
    bundle::digest,
    exit::{Exit, Failure},
};
use grantlog_events::Digest;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// What was verified last.
pub(super) struct Earlier {
    file: PathBuf,
    heads: BTreeMap<String, Head>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    events: u64,
    last_digest: String,
}

impl Earlier {
    /// Reads the file; one that is not there yet says nothing.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let heads = match fs::read(file) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| unusable(file, &error))?,
            Err(error) if error.kind() == ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(unusable(file, &error)),
        };
        Ok(Self { file: file.to_owned(), heads })
    }

    /// Whether nothing was verified before.
    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Whether a log begins with what was verified of it.
    pub(super) fn is_extended_by(&self, log: &Checked) -> Result<(), Failure> {
        let Some(head) = self.heads.get(log.origin.as_str()) else { return Ok(()) };
        let Some(last) = head.events.checked_sub(1) else { return Ok(()) };
        let at = log.origin.place().at(last);
        let found = usize::try_from(last).ok().and_then(|last| log.digests.get(last));
        let Some(found) = found else {
            let events = log.digests.len();
            return Err(not_an_extension(format!(
                "{}: rolled back to {events} events; {} were verified before.",
                log.origin, head.events
            )));
        };
        if digest(&head.last_digest) == Some(*found) {
            return Ok(());
        }
        Err(not_an_extension(format!("{at}: forked; another event was verified here before.")))
    }

    /// Whether no log that was verified before is gone.
    pub(super) fn has_every_log_in(&self, logs: &[Checked]) -> Result<(), Failure> {
        let gone = self.heads.keys().find(|origin| !logs.iter().any(|log| log.origin.as_str() == *origin));
        match gone {
            Some(origin) => Err(not_an_extension(format!("The log {origin} was verified before and is gone."))),
            None => Ok(()),
        }
    }

    /// Puts the ends of these logs in the place of the earlier ones.
    pub(super) fn replace(&self, logs: &[Checked]) -> Result<(), Failure> {
        let head = |log: &Checked| Head {
            events: log.digests.len() as u64,
            last_digest: log.digests.last().map(Digest::hex).unwrap_or_default(),
        };
        let heads: BTreeMap<&str, Head> = logs.iter().map(|log| (log.origin.as_str(), head(log))).collect();
        let text = serde_json::to_vec_pretty(&heads).map_err(|error| unusable(&self.file, &error))?;
        crate::export::write::atomically(&self.file, &text)
    }
}

fn not_an_extension(sentence: String) -> Failure {
    Failure::new(Exit::NotAnExtension, sentence)
}

fn unusable(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::unreadable(format!("{} holds no verified state: {error}.", file.display()))
}
