//! The chain: every event is the next of its log, linked to the one before (14).

use crate::{
    exit::{Exit, Failure},
    manifest::{LogEntry, NAME},
};
use grantlog_events::{Address, Event, Origin};
use grantlog_projections::replay::{Broken, Replay};

/// The log's origin, and that the export has the log from its beginning.
pub(super) fn origin(entry: &LogEntry) -> Result<Origin, Failure> {
    if entry.first_seq != 0 {
        let sentence = format!("{}: the export begins at position {}, not at 0.", entry.origin, entry.first_seq);
        return Err(broken(sentence));
    }
    Origin::parse(&entry.origin).map_err(|_| {
        Failure::new(Exit::ManifestBroken, format!("{NAME} lists {:?}, which is no origin.", entry.origin))
    })
}

/// Whether `event` stands in the log that the manifest says and follows the events before it.
pub(super) fn follows(replay: &Replay, origin: &Origin, event: &Event, at: Address) -> Result<(), Failure> {
    if event.origin != *origin {
        return Err(broken(format!("{at}: the event belongs to the log {}, not to {origin}.", event.origin)));
    }
    replay.admits(event).map_err(|broken| out_of_chain(at, &broken))
}

/// Folds the event, whose place has been checked.
pub(super) fn take(replay: &mut Replay, event: &Event, bytes: &[u8]) -> Result<(), Failure> {
    replay.take_event(event, bytes).map_err(|broken| out_of_chain(event.address(), &broken))
}

fn out_of_chain(at: Address, broken_at: &Broken) -> Failure {
    broken(format!("{at}: {}.", broken_at.fault))
}

fn broken(sentence: String) -> Failure {
    Failure::new(Exit::ChainBroken, sentence)
}
