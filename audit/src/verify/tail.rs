//! The end: as many events as the manifest says, and the last one it names (15).
//!
//! A cut is seen only against something that was written when the log was whole: here the manifest, and
//! with `--state` the last verified end.

use crate::{
    bundle::{LogFiles, not_an_event},
    exit::{Exit, Failure},
    manifest::{FileOf, LogEntry},
    sequence::Fault,
};
use grantlog_events::{Malformed, State};

pub(super) fn is_whole(entry: &LogEntry, files: &LogFiles, state: &State) -> Result<(), Failure> {
    let shorter = (files.bytes.len() as u64) < entry.file(FileOf::Events)?.bytes;
    if let Some(fault) = files.fault.filter(|fault| !(shorter && *fault == Fault::Cut)) {
        return Err(not_an_event(files.at(files.len()), &Malformed::NotCanonical(said(fault))));
    }
    if files.len() < entry.events {
        let sentence =
            format!("{}: {} of {} events are there; the tail was cut.", entry.origin, files.len(), entry.events);
        return Err(Failure::new(Exit::TailCut, sentence));
    }
    if files.len() > entry.events {
        let sentence = format!("{}: {} events are there, {} are listed.", entry.origin, files.len(), entry.events);
        return Err(Failure::new(Exit::ManifestBroken, sentence));
    }
    let ends_as_listed =
        state.head.last.hex() == entry.last_digest && Some(state.head.next) == entry.last_seq.checked_add(1);
    if !ends_as_listed {
        let sentence = format!("{}: the last event is not the one that the manifest names.", entry.origin);
        return Err(Failure::new(Exit::TailCut, sentence));
    }
    Ok(())
}

fn said(fault: Fault) -> &'static str {
    match fault {
        Fault::Cut => "cut short",
        Fault::NotCbor => "not CBOR of definite length",
    }
}
