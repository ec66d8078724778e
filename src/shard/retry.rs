//! Retries: the same request id gets the same answer and no second event.
//!
//! Only a command that says it is a retry pays for the search, among the last 4,096 events. The first
//! event of a command carries the command's digest: the same id with another command is refused.

use super::{Done, Run, Shard, Store};
use crate::failure::Failure;
use grantlog_events::{Body, Event, Outcome, Refusal, Stored};

/// How far back a retry is looked for.
const REMEMBERED: u64 = 4_096;

/// How many events are read at a time.
const PAGE: u32 = 512;

impl<S: Store> Shard<S> {
    pub(super) fn what_the_first_try_did(&self, run: &Run) -> Result<Option<Done>, Failure> {
        let head = self.head()?;
        let mut from = head.next.saturating_sub(REMEMBERED);
        let mut found: Vec<Event> = Vec::new();
        while from < head.next {
            let page = self.store.events_from(from, PAGE)?;
            if page.is_empty() {
                break;
            }
            from += page.len() as u64;
            for bytes in page {
                let event =
                    Event::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading an event", malformed))?;
                if event.request == Some(run.header.request) {
                    found.push(event);
                }
            }
        }
        let Some(first) = found.first() else { return Ok(None) };
        // One request may have run more than one command here; its own is the one with its digest.
        let digest = run.command.digest();
        let Some(begin) = found.iter().position(|event| event.command == Some(digest)) else {
            let reused = first.command.is_some().then_some(Refusal::RequestIdReused);
            return Ok(reused.map(|refusal| Done {
                refusal: Some(refusal),
                events: Vec::new(),
                rows_written: 0,
                unrecorded: 0,
            }));
        };
        let own = found.into_iter().skip(begin).enumerate();
        let events: Vec<Event> =
            own.take_while(|(at, event)| *at == 0 || event.command.is_none()).map(|(_, event)| event).collect();
        let refusal = events.first().and_then(|event| match event.outcome {
            Outcome::Refused(refusal) => Some(refusal),
            Outcome::Granted => None,
        });
        let events = match events.first().map(|event| &event.body) {
            // The answer then was another event's, which was given again.
            Some(Body::RefreshReplayed(replayed)) => vec![self.event(replayed.issued)?],
            _ => events,
        };
        Ok(Some(Done { refusal, events, rows_written: 0, unrecorded: 0 }))
    }
}
