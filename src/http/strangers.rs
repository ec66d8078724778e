//! Clients that the registry does not know: asking for them must cost next to nothing, however many ask.
//!
//! An id that has not the form of those made here is asked about nowhere. One that the registry did not know
//! is not asked about again for a second; and an isolate asks the registry for no more than so many unknown
//! ids a second. Beyond that nobody can say whether there is such a client: the caller is told to come back.

use grantlog_events::{ClientId, Timestamp};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

/// How long an unknown id is not asked about again, in milliseconds. No longer: ids are drawn at random, so
/// that none is known to anybody before it is registered, but a registration may be answered late.
const REMEMBERED: u64 = 1_000;

/// How many unknown ids an isolate asks the registry for in a second.
pub(super) const MOST_A_SECOND: u32 = 20;

/// How many unknown ids are remembered at most.
const MOST_REMEMBERED: usize = 1_000;

/// What this isolate knows of clients that are none. Never a verdict about a token.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    seen: RefCell<BTreeMap<ClientId, Timestamp>>,
    /// The running second, and how many of its questions are spent.
    asked: Cell<(u64, u32)>,
}

impl Strangers {
    /// Whether the registry did not know this id within the last second.
    pub(super) fn has_seen(&self, id: &ClientId, now: Timestamp) -> bool {
        self.seen.borrow().get(id).is_some_and(|at| now >= *at && now.since(*at) < REMEMBERED)
    }

    /// Whether the registry may be asked; a yes spends one of this second's questions.
    pub(super) fn may_ask(&self, now: Timestamp) -> bool {
        let spent = self.spent(now);
        if spent >= MOST_A_SECOND {
            return false;
        }
        self.asked.set((now.seconds(), spent + 1));
        true
    }

    /// The registry knew the client: the question was free.
    pub(super) fn was_known(&self, now: Timestamp) {
        self.asked.set((now.seconds(), self.spent(now).saturating_sub(1)));
    }

    /// The registry did not know it.
    pub(super) fn was_unknown(&self, id: &ClientId, now: Timestamp) {
        let mut seen = self.seen.borrow_mut();
        if seen.len() >= MOST_REMEMBERED {
            seen.clear();
        }
        seen.insert(id.clone(), now);
    }

    fn spent(&self, now: Timestamp) -> u32 {
        let (second, spent) = self.asked.get();
        if second == now.seconds() { spent } else { 0 }
    }

    /// Forgets everything, as a new isolate would.
    pub(super) fn forget(&self) {
        self.seen.borrow_mut().clear();
        self.asked.set((0, 0));
    }
}
