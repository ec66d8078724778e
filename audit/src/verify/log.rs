//! One log from its bytes up: each event in turn, then the end, then the files as a whole.

use super::{chain, domain, entries, files, foreign_actors::ForeignActor, tail};
use crate::{
    bundle::{Bundle, LogFiles},
    exit::Failure,
    manifest::LogEntry,
};
use grantlog_events::{Digest, EventId, Origin, Place, State};
use grantlog_projections::replay::Replay;
use indicatif::ProgressBar;
use std::collections::BTreeMap;

/// What one run has learnt so far.
#[derive(Default)]
pub(super) struct Pass {
    pub(super) logs: Vec<Checked>,
    /// Every event's id and where it stands: no two events share one, in whichever log.
    pub(super) ids: BTreeMap<EventId, grantlog_events::Address>,
    pub(super) foreign_actors: Vec<ForeignActor>,
    /// The registry's state, once its log was read.
    pub(super) registry: Option<State>,
}

/// A log that was found sound by itself.
pub(super) struct Checked {
    pub(super) origin: Origin,
    pub(super) digests: Vec<Digest>,
}

impl Pass {
    /// Checks one log.
    pub(super) fn log(&mut self, bundle: &Bundle, entry: &LogEntry, bar: &ProgressBar) -> Result<Checked, Failure> {
        let files = bundle.read(entry)?;
        let origin = chain::origin(entry)?;
        let listed = entries::Listed::of(&files)?;
        let mut replay = Replay::default();
        for (seq, bytes) in (0..).zip(files.items()) {
            let event = entries::event(&listed, files.at(seq), bytes)?;
            chain::follows(&replay, &origin, &event, files.at(seq))?;
            domain::holds(self, &files, &mut replay, &event, bytes)?;
            chain::take(&mut replay, &event, bytes)?;
            bar.inc(bytes.len() as u64);
        }
        tail::is_whole(entry, &files, replay.state())?;
        files::are_as_listed(entry, &files)?;
        self.keep_registry(&files, replay);
        Ok(Checked { origin, digests: listed.into_digests() })
    }

    fn keep_registry(&mut self, files: &LogFiles, replay: Replay) {
        if files.place == Place::REGISTRY {
            self.registry = Some(replay.into_state());
        }
    }
}
