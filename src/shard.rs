//! A log shard: loads what a command needs, lets it be decided, appends, answers.
//!
//! [`Shard::run`] is the whole of compare-and-append. It is not `async`: without an await nothing can
//! run between load and append, and the runtime holds the answer until the rows are durable. What
//! follows from an event (views, telling other shards) is in `serve`, `projector` and `registry`.

mod append;
mod ask;
mod birth;
mod load;
mod logout;
mod noise;
mod people;
mod profile;
mod projector;
mod read_model_sql;
mod rebuild;
mod refresh;
mod registry;
mod retry;
mod sealing;
mod serve;
mod store;
mod turn;
mod writing;

pub use append::{MOST_ATTRIBUTES, continued};
pub use ask::{
    AccountReading, ApplicationReading, Ask, ComparedView, Private, ProfileReading, Query, Reply, RingEntry,
    RingReading, Run, SecretWrite, SessionReading,
};
pub use logout::tell_clients;
pub use profile::{claim_secret, password_secret};
pub use projector::follow_up;
pub use read_model_sql::rows_of;
pub use registry::{client_secret, fresh_header, registration_token};
pub use sealing::SubjectKey;
pub use serve::serve;
pub use store::{Batch, Store};

use crate::failure::Failure;
use grantlog_events::{Event, Origin, Refusal, Stored, Timestamp, chain::Head, decide, decide::Answer};
use noise::Noise;
use std::cell::Cell;
use turn::Turn;
use writing::Writing;

/// The code's version, as events carry it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One log over its storage.
#[derive(Debug)]
pub struct Shard<S> {
    store: S,
    origin: Origin,
    noise: Noise,
    writing: Writing,
    /// The end of the log, once it was read or written. The runtime resets memory with a commit that fails.
    end: Cell<Option<Head>>,
    owes: Cell<bool>,
    /// From when on a client is to be told that a session ended; from now on, until it was looked up.
    notice_due: Cell<Option<Timestamp>>,
    /// Who opens the deployment, in the registry.
    opening: Turn,
    /// Who brings the views up to date.
    following: Turn,
}

/// What a command needs that is neither in the command nor in the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// The key that seals the subject's personal data.
    pub key: Option<&'a SubjectKey>,
    /// Whether the secret part of the refresh token that the command presents is right.
    pub refresh_is_proven: bool,
}

/// What a command came to: yes or no, and the events that say what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The refusal, if it was one.
    pub refusal: Option<Refusal>,
    /// The events of this command, or the one it asked about.
    pub events: Vec<Event>,
    /// Rows written.
    pub rows_written: u64,
    /// Refusals that were counted instead of recorded.
    pub unrecorded: u64,
}

impl<S: Store> Shard<S> {
    /// A shard named `origin` over `store`.
    pub fn new(origin: Origin, store: S) -> Self {
        Self {
            store,
            origin,
            noise: Noise::default(),
            writing: Writing::default(),
            end: Cell::new(None),
            owes: Cell::new(false),
            notice_due: Cell::new(Some(Timestamp(0))),
            opening: Turn::default(),
            following: Turn::default(),
        }
    }

    /// The storage.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The log's name.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether views still owe something to what was appended since the last [`follow_up`].
    pub fn has_follow_up(&self) -> bool {
        self.owes.get()
    }

    fn owe(&self) {
        self.owes.set(true);
    }

    fn settled(&self) {
        self.owes.set(false);
    }

    fn writing(&self) -> &Writing {
        &self.writing
    }

    /// Runs one command against this log.
    ///
    /// Fails only if storage fails; then nothing was appended, or the runtime resets the object.
    pub fn run(&self, run: &Run, beside: Beside<'_>, now: Timestamp) -> Result<Done, Failure> {
        if run.header.attempt > 0
            && let Some(done) = self.what_the_first_try_did(run)?
        {
            return Ok(done);
        }
        let mut state = self.load(run, &beside)?;
        let decision = decide(&state, &run.command, now);
        let refusal = match decision.answer {
            Answer::Refused(refusal) => Some(refusal),
            Answer::Granted | Answer::NothingToDo => None,
            Answer::Stands(seq) => {
                let event = state.event(seq).cloned().map_or_else(|| self.event(seq), Ok)?;
                let (_, rows_written) = self.append(&mut state, decision.events, run, beside.key, true, now)?;
                return Ok(Done { refusal: None, events: vec![event], rows_written, unrecorded: 0 });
            }
        };
        let (drafts, unrecorded) = self.noise.filter(decision.events, now);
        let (events, rows_written) = self.append(&mut state, drafts, run, beside.key, refusal.is_none(), now)?;
        self.noise.recorded(&events, now);
        Ok(Done { refusal, events, rows_written, unrecorded })
    }

    /// The event at a position that must be there.
    pub fn event(&self, seq: u64) -> Result<Event, Failure> {
        let bytes = self.store.event(seq)?.ok_or_else(|| Failure::lasting("reading an event", "it is gone"))?;
        Event::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading an event", malformed))
    }
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
