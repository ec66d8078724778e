//! Bytes against entries: each event is canonical (16) and is the one whose digest was listed (13).
//!
//! An event that was not altered but stands where another was listed is a matter of the chain (14).

use super::domain::limits;
use crate::{
    bundle::{LogFiles, not_an_event},
    exit::{Exit, Failure},
};
use grantlog_events::{Address, Digest, Event, Malformed, Stored};
use std::collections::BTreeMap;

/// The digests that the server listed for a log's events.
pub(super) struct Listed {
    digests: Vec<Digest>,
    positions: BTreeMap<Digest, u64>,
}

impl Listed {
    pub(super) fn of(files: &LogFiles) -> Result<Self, Failure> {
        let digests = files.listed()?;
        let positions = digests.iter().copied().zip(0..).collect();
        Ok(Self { digests, positions })
    }

    pub(super) fn into_digests(self) -> Vec<Digest> {
        self.digests
    }

    fn at(&self, seq: u64) -> Option<&Digest> {
        usize::try_from(seq).ok().and_then(|seq| self.digests.get(seq))
    }
}

/// The event that stands at an address.
pub(super) fn event(listed: &Listed, at: Address, bytes: &[u8]) -> Result<Event, Failure> {
    match Event::from_bytes(bytes) {
        Ok(event) => is_as_listed(listed, at, bytes).map(|()| event),
        // A type nobody knows is an alteration first, and news from a newer writer only if it was listed.
        Err(Malformed::UnknownType(number)) => {
            is_as_listed(listed, at, bytes)?;
            Err(not_an_event(at, &Malformed::UnknownType(number)))
        }
        Err(malformed) => Err(match limits::exceeded(bytes) {
            Some(breach) => Failure::new(Exit::InvariantBroken, format!("{at}: {breach}.")),
            None => not_an_event(at, &malformed),
        }),
    }
}

fn is_as_listed(listed: &Listed, at: Address, bytes: &[u8]) -> Result<(), Failure> {
    let digest = Digest::of(bytes);
    let Some(expected) = listed.at(at.seq) else {
        return Err(Failure::new(
            Exit::ManifestBroken,
            format!("{at}: the event is there, but no digest is listed for it."),
        ));
    };
    if *expected == digest {
        return Ok(());
    }
    Err(match listed.positions.get(&digest) {
        Some(seq) => Failure::new(Exit::ChainBroken, format!("{at}: here stands the event of position {seq}.")),
        None => Failure::new(
            Exit::BytesDiffer,
            format!("{at}: the event's bytes have the digest {}, its entry is {}.", digest.hex(), expected.hex()),
        ),
    })
}
