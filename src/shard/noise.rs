//! Noise: the same refusal of the same token, or of the same family of refresh tokens, is recorded once a minute,
//! and the rest counted (DESIGN §8, rule 7).
//!
//! What was left out is told by the next one that is recorded. A refusal counts as recorded only once its
//! write has succeeded, so that one that failed silences nobody.

use grantlog_events::{Body, Draft, Event, Outcome, Refusal, Timestamp};
use std::{cell::RefCell, collections::BTreeMap};

/// How long one refusal of one token is recorded once, in milliseconds.
const WINDOW: u64 = 60_000;

/// How many refusals are remembered at most.
const MOST: usize = 4_096;

/// The type of the event, the position of the token or of the family's beginning, and why it was refused.
type Kind = (u64, u64, Refusal);

/// What was refused in the running minute. Lost with the object: noise control, never a verdict.
#[derive(Debug, Default)]
pub(super) struct Noise(RefCell<BTreeMap<Kind, Noted>>);

#[derive(Debug)]
struct Noted {
    /// The minute of the last one that was recorded.
    minute: u64,
    /// How many were left out since.
    unrecorded: u64,
}

impl Noise {
    /// The drafts to append, each telling what was left out before it; and how many are left out now.
    pub(super) fn filter(&self, drafts: Vec<Draft>, now: Timestamp) -> (Vec<Draft>, u64) {
        let before = drafts.len();
        let kept: Vec<Draft> = drafts.into_iter().filter_map(|draft| self.worth_recording(draft, now)).collect();
        let left_out = before - kept.len();
        (kept, left_out as u64)
    }

    fn worth_recording(&self, mut draft: Draft, now: Timestamp) -> Option<Draft> {
        let Some(kind) = kind(&draft.body, draft.outcome) else { return Some(draft) };
        if let Some(noted) = self.0.borrow_mut().get_mut(&kind) {
            if noted.minute == minute(now) {
                noted.unrecorded = noted.unrecorded.saturating_add(1);
                return None;
            }
            tell(&mut draft.body, noted.unrecorded);
        }
        Some(draft)
    }

    /// These events are in the log.
    pub(super) fn recorded(&self, events: &[Event], now: Timestamp) {
        for event in events {
            if let Some(kind) = kind(&event.body, event.outcome) {
                let mut noted = self.0.borrow_mut();
                make_room(&mut noted, now);
                noted.insert(kind, Noted { minute: minute(now), unrecorded: 0 });
            }
        }
    }
}

/// Of what may be noise; of nothing else.
fn kind(body: &Body, outcome: Outcome) -> Option<Kind> {
    let Outcome::Refused(refusal) = outcome else { return None };
    let about = match body {
        Body::ExchangeRefused(refused) => refused.token,
        Body::RefreshRefused(refused) => refused.family,
        _ => return None,
    };
    Some((body.number(), about, refusal))
}

fn tell(body: &mut Body, unrecorded: u64) {
    let unrecorded = (unrecorded > 0).then_some(unrecorded);
    match body {
        Body::ExchangeRefused(refused) => refused.unrecorded = unrecorded,
        Body::RefreshRefused(refused) => refused.unrecorded = unrecorded,
        _ => {}
    }
}

/// What still has something to tell goes last.
fn make_room(noted: &mut BTreeMap<Kind, Noted>, now: Timestamp) {
    if noted.len() >= MOST {
        noted.retain(|_, noted| noted.minute == minute(now) || noted.unrecorded > 0);
    }
    if noted.len() >= MOST {
        noted.clear();
    }
}

fn minute(now: Timestamp) -> u64 {
    now.0 / WINDOW
}
