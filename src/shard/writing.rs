//! Writes of views under way, done and given up, so that one key has one writer.
//!
//! A write that does not return in two seconds is given up, so that it holds up neither its caller nor the
//! next writer. It may still land, on a newer view, and so may one that failed: therefore the projector writes
//! such a view again until half a minute has passed, and until then does not move on. Lost with the object;
//! then the projector begins where it stood, and writes again.

use crate::{failure::Failure, ports::World};
use futures_util::future::{Either, select};
use grantlog_events::{ClientId, Subject, Timestamp};
use std::{cell::RefCell, collections::BTreeMap, pin::pin};

/// How long a caller waits for a view, and a view for one write, in milliseconds.
pub(super) const PATIENCE: u64 = 2_000;
/// Between two looks, in milliseconds.
pub(super) const PAUSE: u32 = 50;
/// How many tries to write a view, whatever the clock says: it may stand still.
pub(super) const TRIES: u32 = 30;
/// How many looks, whatever the clock says: it may stand still.
const LOOKS: u32 = 40;
/// A write that was begun this long ago, in milliseconds, was lost with its request.
const LOST_AFTER: u64 = 10_000;
/// A write that was given up this long ago, in milliseconds, lands no more.
const LANDS_WITHIN: u64 = 30_000;
/// How many views are known to be up to date at most.
const MOST_SHOWN: usize = 10_000;

/// A view in KV.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum View {
    User(Subject),
    Client(ClientId),
}

/// Which writes are under way, which views are up to date, and which writes were given up.
#[derive(Debug, Default)]
pub(super) struct Writing {
    busy: RefCell<BTreeMap<Subject, Timestamp>>,
    shown: RefCell<BTreeMap<Subject, u64>>,
    given_up: RefCell<BTreeMap<View, Timestamp>>,
}

impl Writing {
    pub(super) fn has_shown(&self, subject: &Subject, seq: u64) -> bool {
        self.shown.borrow().get(subject).is_some_and(|shown| *shown >= seq)
    }

    pub(super) fn begin(&self, subject: &Subject, now: Timestamp) -> bool {
        let since = self.busy.borrow().get(subject).copied();
        match since {
            Some(since) if now.since(since) < LOST_AFTER => return false,
            Some(since) => self.give_up(View::User(subject.clone()), since),
            None => {}
        }
        self.busy.borrow_mut().insert(subject.clone(), now);
        true
    }

    pub(super) fn end(&self, subject: &Subject, shown: Option<u64>) {
        self.busy.borrow_mut().remove(subject);
        let mut all = self.shown.borrow_mut();
        if all.len() > MOST_SHOWN {
            all.clear();
        }
        if let Some(seq) = shown {
            let latest = all.entry(subject.clone()).or_default();
            *latest = seq.max(*latest);
        }
    }

    /// This view is not known to be up to date any more.
    pub(super) fn doubt(&self, subject: &Subject) {
        self.shown.borrow_mut().remove(subject);
    }

    fn give_up(&self, view: View, now: Timestamp) {
        let mut given_up = self.given_up.borrow_mut();
        let at = given_up.entry(view).or_insert(now);
        *at = now.max(*at);
    }

    /// A write failed. Unless it is certain that nothing was written, it may still land.
    pub(super) fn failed(&self, view: View, failure: &Failure, now: Timestamp) {
        if !failure.undone {
            self.give_up(view, now);
        }
    }

    /// Views on which a write that was given up may land, or has landed.
    pub(super) fn given_up(&self) -> Vec<(View, Timestamp)> {
        self.given_up.borrow().iter().map(|(view, at)| (view.clone(), *at)).collect()
    }

    /// The view was written again; answers whether what was given up at `at` can land no more.
    pub(super) fn written_again(&self, view: &View, at: Timestamp, now: Timestamp) -> bool {
        let lands_no_more = now.since(at) >= LANDS_WITHIN;
        let mut given_up = self.given_up.borrow_mut();
        if lands_no_more && given_up.get(view) == Some(&at) {
            given_up.remove(view);
        }
        lands_no_more
    }

    /// Does one write of a view, or gives it up.
    pub(super) async fn within_patience<W: World, T>(
        &self,
        world: &W,
        view: View,
        write: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        match select(pin!(write), pin!(patience(world))).await {
            Either::Left((written, _)) => written,
            Either::Right(((), _)) => {
                self.give_up(view, world.now());
                Err(Failure::passing("writing a view", "it did not return in two seconds"))
            }
        }
    }
}

async fn patience<W: World>(world: &W) {
    let begun = world.now();
    for _ in 0..LOOKS {
        world.pause(PAUSE).await;
        if world.now().since(begun) >= PATIENCE {
            return;
        }
    }
}
