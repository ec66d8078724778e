//! Append: drafts take their places, rows follow by the fold, all in one transaction.

use super::{Batch, Run, Shard, Store, SubjectKey, VERSION, logout};
use crate::failure::Failure;
use grantlog_events::{Draft, Event, State, Stored, Timestamp, chain::Stamp, envelope::MAX_EVENT};

/// How many bytes of sealed attributes one event takes.
const PIECE: usize = 12 * 1024;

/// The most bytes of attributes a person may have: a view of them still fits into KV.
pub const MOST_ATTRIBUTES: usize = 768 * 1024;

/// How many events attributes of this length take beyond the first.
#[must_use]
pub fn continued(attributes: &[u8]) -> u32 {
    u32::try_from(attributes.len().div_ceil(PIECE).saturating_sub(1)).unwrap_or(u32::MAX)
}

impl<S: Store> Shard<S> {
    /// Appends the drafts and what follows from them; answers with the events and the rows written.
    pub(super) fn append(
        &self,
        state: &mut State,
        drafts: Vec<Draft>,
        run: &Run,
        key: Option<&SubjectKey>,
        granted: bool,
        now: Timestamp,
    ) -> Result<(Vec<Event>, u64), Failure> {
        if drafts.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let stamp =
            Stamp { origin: &self.origin, header: &run.header, command: run.command.digest(), now, version: VERSION };
        let mut batch = Batch::default();
        let mut events = Vec::with_capacity(drafts.len());
        for (ordinal, draft) in (0_u64..).zip(drafts) {
            let seals = draft.seals;
            let mut event = stamp.on(draft, &state.head, ordinal);
            if seals {
                let piece = u8::try_from(ordinal);
                let piece = piece.map_err(|_| Failure::lasting("sealing personal data", "it has too many pieces"))?;
                event.sealed = Some(seal(&event, run, key, piece)?);
            }
            let bytes = event.to_bytes();
            if bytes.len() > MAX_EVENT {
                return Err(Failure::lasting("appending an event", "it exceeds 16 KiB"));
            }
            state.apply(&event, &bytes);
            batch.follow_up |= is_projected(&event) || logout::is_to_be_told(&event);
            batch.events.push((event.seq, bytes));
            events.push(event);
        }
        batch.rows = state.take_changes().into_iter().map(|(key, row)| (key, row.map(|row| row.to_bytes()))).collect();
        if let Some(private) = run.private.as_ref().filter(|_| granted) {
            let writes = private.secrets.iter();
            batch.secrets =
                writes.map(|secret| (secret.name.clone(), secret.value.clone().map(|value| value.0))).collect();
        }
        // Until the write is known to have succeeded, only storage knows where the log ends.
        self.end.set(None);
        let rows_written = self.store.write(&batch)?;
        self.end.set(Some(state.head));
        if batch.follow_up {
            self.owe();
        }
        if events.iter().any(logout::is_to_be_told) {
            self.client_is_to_be_told(now);
        }
        Ok((events, rows_written))
    }
}

fn seal(
    event: &Event,
    run: &Run,
    key: Option<&SubjectKey>,
    ordinal: u8,
) -> Result<grantlog_events::stored::Bytes, Failure> {
    let personal = run.private.as_ref().and_then(|private| private.personal.as_ref());
    let piece = personal.and_then(|personal| personal.0.chunks(PIECE).nth(usize::from(ordinal)));
    let (Some(key), Some(piece)) = (key, piece) else {
        return Err(Failure::lasting("sealing personal data", "there is no key or nothing to seal"));
    };
    key.seal(piece, &event.unsealed(), &run.header, ordinal).map(grantlog_events::stored::Bytes)
}

/// Whether views show this event.
pub(super) fn is_projected(event: &Event) -> bool {
    !grantlog_projections::read_model::changes(event).is_empty()
}
