//! Load: what a command needs, in one statement for the rows and one for each event.

use super::{Beside, Run, Shard, Store};
use crate::failure::Failure;
use grantlog_events::{Command, Event, State, Stored, chain::Head, state::Row};

impl<S: Store> Shard<S> {
    pub(super) fn load(&self, run: &Run, beside: &Beside<'_>) -> Result<State, Failure> {
        let mut state = State::default();
        state.head = self.head()?;
        if state.head.next == 0 && !matches!(run.command, Command::OpenLog(_)) {
            return Err(Failure::lasting("loading a log", "it is not open"));
        }
        let mut needs = run.command.needs();
        for seq in std::mem::take(&mut needs.events) {
            if let Some(event) = self.possible_event(seq)? {
                let more = run.command.needs_about(&event);
                needs.rows.extend(more.rows);
                needs.prefixes.extend(more.prefixes);
                state.recall(event);
            }
        }
        for (key, bytes) in self.store.rows(&needs.rows)? {
            restore(&mut state, &key, &bytes)?;
        }
        for prefix in needs.prefixes {
            for (key, bytes) in self.store.rows_under(&prefix)? {
                restore(&mut state, &key, &bytes)?;
            }
        }
        if let Some(hash) = run.private.as_ref().and_then(|private| private.name) {
            state.name_holder = self.name_claim(&hash)?;
        }
        state.refresh_is_proven = beside.refresh_is_proven;
        Ok(state)
    }

    /// The end of the log: from storage, unless this instance has read or written it already.
    pub fn head(&self) -> Result<Head, Failure> {
        if let Some(head) = self.end.get() {
            return Ok(head);
        }
        let head = self.stored_head()?;
        self.end.set(Some(head));
        Ok(head)
    }

    fn stored_head(&self) -> Result<Head, Failure> {
        let Some(bytes) = self.store.last_event()? else { return Ok(Head::default()) };
        let event =
            Event::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading the last event", malformed))?;
        Ok(Head::past(&event, &bytes))
    }

    /// The claim that holds a name, by the name's keyed hash.
    pub(super) fn name_claim(&self, hash: &[u8; 32]) -> Result<Option<[u8; 16]>, Failure> {
        Ok(self.store.secret(&secret_of_name(hash))?.and_then(|claim| claim.try_into().ok()))
    }

    fn possible_event(&self, seq: u64) -> Result<Option<Event>, Failure> {
        let Some(bytes) = self.store.event(seq)? else { return Ok(None) };
        Event::from_bytes(&bytes).map(Some).map_err(|malformed| Failure::lasting("reading an event", malformed))
    }
}

/// Where the claim that holds a name is kept.
pub(crate) fn secret_of_name(hash: &[u8; 32]) -> String {
    format!("name/{}", grantlog_events::Digest(*hash).hex())
}

fn restore(state: &mut State, key: &str, bytes: &[u8]) -> Result<(), Failure> {
    let (key, row) =
        Row::read(key, bytes).map_err(|malformed| Failure::lasting("reading a row of state", malformed))?;
    state.restore(key, row);
    Ok(())
}
