//! Replay: a whole log folded from its bytes into the state it leaves behind.
//!
//! The fold is [`State::apply`], the one the shards use; this adds that every event must be the next of
//! its chain, and lists the rows as a shard stores them, so that replay and live compare byte for byte.

use grantlog_events::{Digest, Event, Malformed, Origin, State, Stored, chain::Head};
use std::fmt;

/// The first thing wrong in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The position at which the event should have stood.
    pub seq: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with an event in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its bytes are not an event.
    Malformed(Malformed),
    /// It belongs to another log.
    OfAnotherLog(Origin),
    /// It has another position.
    OutOfPlace(u64),
    /// Its `prev` is not the digest of the event before.
    NotLinked,
    /// It was recorded before the event before it.
    TimeGoesBack,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at position {}: {}", self.seq, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(malformed) => write!(f, "the bytes are not an event ({malformed})"),
            Self::OfAnotherLog(origin) => write!(f, "the event belongs to the log {origin}"),
            Self::OutOfPlace(seq) => write!(f, "the event has position {seq}"),
            Self::NotLinked => f.write_str("the event does not follow the one before it"),
            Self::TimeGoesBack => f.write_str("the event was recorded before the one before it"),
        }
    }
}

impl std::error::Error for Broken {}

/// A log folded so far.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    state: State,
    origin: Option<Origin>,
}

impl Replay {
    /// Reads the log's next event from its bytes and folds it.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Event, Broken> {
        let event = Event::from_bytes(bytes).map_err(|malformed| self.broken(Fault::Malformed(malformed)))?;
        self.take_event(&event, bytes)?;
        Ok(event)
    }

    /// Folds the log's next event, whose bytes these are.
    pub fn take_event(&mut self, event: &Event, bytes: &[u8]) -> Result<(), Broken> {
        self.admits(event)?;
        self.origin.get_or_insert_with(|| event.origin.clone());
        self.state.apply(event, bytes);
        // The rows that changed are of no use here, and would pile up.
        self.state.take_changes();
        Ok(())
    }

    /// Whether `event` is the log's next.
    pub fn admits(&self, event: &Event) -> Result<(), Broken> {
        self.fault(event).map_or(Ok(()), |fault| Err(self.broken(fault)))
    }

    /// The state that the events so far leave behind.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state, to recall events into it.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The state, once the log was folded.
    #[must_use]
    pub fn into_state(self) -> State {
        self.state
    }

    fn broken(&self, fault: Fault) -> Broken {
        Broken { seq: self.state.head.next, fault }
    }

    fn fault(&self, event: &Event) -> Option<Fault> {
        let head = &self.state.head;
        match &self.origin {
            Some(origin) if *origin != event.origin => Some(Fault::OfAnotherLog(event.origin.clone())),
            _ if head.admits(event) => None,
            _ => Some(refused_by(head, event)),
        }
    }
}

/// Which of the three things that [`Head::admits`] asks for is missing.
fn refused_by(head: &Head, event: &Event) -> Fault {
    if event.seq != head.next {
        Fault::OutOfPlace(event.seq)
    } else if event.prev != head.last {
        Fault::NotLinked
    } else {
        Fault::TimeGoesBack
    }
}

/// Folds a whole log.
pub fn replay<B: AsRef<[u8]>>(log: impl IntoIterator<Item = B>) -> Result<State, Broken> {
    let mut replay = Replay::default();
    for bytes in log {
        replay.take(bytes.as_ref())?;
    }
    Ok(replay.state)
}

/// Every row as a shard stores it, in the order of the keys.
#[must_use]
pub fn rows(state: &State) -> Vec<(String, Vec<u8>)> {
    state.rows().map(|(key, row)| (key.to_string(), row.to_bytes())).collect()
}

/// One digest for all rows: the digests of the rows, in the order of the keys, digested together.
#[must_use]
pub fn rows_digest(state: &State) -> Digest {
    let digests: Vec<u8> = state.rows().flat_map(|(key, row)| key.digest_with(row).0).collect();
    Digest::of(&digests)
}
