//! The hash chain: how a draft takes its place in a log, and what one event owes the one before.

use crate::{
    Digest, Draft, Event, EventId, Header, Origin, Stored, Timestamp,
    envelope::{GrantOf, Source},
};

/// The end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Head {
    /// The position the next event takes.
    pub next: u64,
    /// Digest of the last event, zeros before genesis.
    pub last: Digest,
    /// The last event's recorded-at.
    pub recorded_at: Timestamp,
}

impl Head {
    /// The end of the log once `event`, whose bytes these are, is its last.
    #[must_use]
    pub fn past(event: &Event, bytes: &[u8]) -> Self {
        Self { next: event.seq.saturating_add(1), last: Digest::of(bytes), recorded_at: event.recorded_at }
    }

    /// Whether `event` may stand next: right position, right `prev`, time not going back.
    #[must_use]
    pub fn admits(&self, event: &Event) -> bool {
        event.seq == self.next && event.prev == self.last && event.recorded_at >= self.recorded_at
    }
}

/// What a shard adds to each draft of one command.
#[derive(Clone, Debug)]
pub struct Stamp<'a> {
    /// The log.
    pub origin: &'a Origin,
    /// The request.
    pub header: &'a Header,
    /// First 16 bytes of the command's digest.
    pub command: [u8; 16],
    /// The shard's clock.
    pub now: Timestamp,
    /// The code's version.
    pub version: &'a str,
}

impl Stamp<'_> {
    /// The event that `draft` becomes at the end `head` of the log; `ordinal` counts the command's drafts.
    #[must_use]
    pub fn on(&self, draft: Draft, head: &Head, ordinal: u64) -> Event {
        let grant = match draft.grant {
            GrantOf::Nothing => None,
            GrantOf::Itself => Some(head.next),
            GrantOf::Position(seq) => Some(seq),
        };
        Event {
            id: EventId::new(self.now, self.entropy(ordinal)),
            occurred_at: self.now,
            recorded_at: self.now.max(head.recorded_at),
            origin: self.origin.clone(),
            seq: head.next,
            prev: head.last,
            subject: draft.subject,
            client: draft.client,
            grant,
            ancestors: draft.ancestors,
            actors: draft.actors,
            outcome: draft.outcome,
            request: Some(self.header.request),
            command: (ordinal == 0).then_some(self.command),
            body: draft.body,
            sealed: None,
            source: Some(Source { version: self.version.to_owned(), policy: draft.policy }),
        }
    }

    /// Ten fresh bytes for each of the command's events, from the ten that came with it.
    fn entropy(&self, ordinal: u64) -> [u8; 10] {
        let mut seed = self.header.entropy.to_bytes();
        if ordinal > 0 {
            seed.extend(ordinal.to_be_bytes().into_iter().skip_while(|byte| *byte == 0));
            seed = Digest::of(&seed).to_bytes();
        }
        let mut entropy = [0; 10];
        entropy.iter_mut().rev().zip(seed.into_iter().rev()).for_each(|(to, from)| *to = from);
        entropy
    }
}
