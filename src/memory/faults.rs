//! Failures on demand, and the count of what was called.
//!
//! Every call to a port passes here twice: before it acts and after. A fault can strike at either
//! point, so each write is tried failed-and-not-persisted and failed-but-persisted.

use crate::failure::Failure;
use std::{
    cell::{Cell, RefCell},
    pin::Pin,
    task::{Context, Poll},
};

/// When a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Nothing was done.
    Before,
    /// It was done, and the answer was lost.
    After,
}

/// What was called since the last [`Faults::start_counting`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The edge's calls, in order.
    pub calls: Vec<&'static str>,
    /// How many of them followed one another: a call begun after another has ended counts one more than it.
    pub round_trips: u32,
    /// Rows that shards wrote.
    pub rows_written: u64,
}

/// The fault plan and the counters of one world.
#[derive(Debug, Default)]
pub struct Faults {
    /// Every passage counts down; at zero the fault strikes.
    planned: Cell<Option<(u64, When, bool)>>,
    struck: Cell<bool>,
    hangs: Cell<Option<&'static str>>,
    counted: RefCell<Counted>,
    /// The longest chain among the calls that have ended.
    ended: Cell<u32>,
}

impl Faults {
    /// The `nth` call from now (0 is the next) fails. With `lasting`, all after it fail too.
    pub fn fail(&self, nth: u64, when: When, lasting: bool) {
        self.planned.set(Some((nth, when, lasting)));
        self.struck.set(false);
    }

    /// Calls of this name never return, until [`Self::mend`].
    pub fn hang(&self, name: &'static str) {
        self.hangs.set(Some(name));
    }

    /// Nothing fails any more; answers whether the planned fault struck.
    pub fn mend(&self) -> bool {
        self.planned.set(None);
        self.hangs.set(None);
        self.struck.replace(false)
    }

    /// Counts from zero.
    pub fn start_counting(&self) {
        *self.counted.borrow_mut() = Counted::default();
        self.ended.set(0);
    }

    /// What was counted.
    pub fn counted(&self) -> Counted {
        self.counted.borrow().clone()
    }

    /// Runs one call of a port. `from_edge` calls count as round trips.
    pub(super) async fn pass<T>(
        &self,
        name: &'static str,
        from_edge: bool,
        act: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let place = if from_edge { self.begin(name) } else { 0 };
        yield_once().await;
        if self.hangs.get() == Some(name) {
            std::future::pending::<()>().await;
        }
        let strikes = self.strikes();
        let result = match strikes {
            Some(When::Before) => Err(Failure::passing(name, "injected, nothing done")),
            Some(When::After) => act.await.and_then(|_| Err(Failure::passing(name, "injected, answer lost"))),
            None => act.await,
        };
        self.ended.set(self.ended.get().max(place));
        result
    }

    /// The same for a call that is not `async`.
    pub(super) fn pass_now<T>(
        &self,
        name: &'static str,
        act: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.strikes() {
            // A write that fails in its turn rolls back with the turn: there is no "after" here.
            Some(_) => Err(Failure::passing(name, "injected, nothing done")),
            None => act(),
        }
    }

    pub(super) fn wrote(&self, rows: u64) {
        self.counted.borrow_mut().rows_written += rows;
    }

    /// Counts a call; answers its place in the chain of those it may have waited for.
    fn begin(&self, name: &'static str) -> u32 {
        let mut counted = self.counted.borrow_mut();
        counted.calls.push(name);
        let place = self.ended.get() + 1;
        counted.round_trips = counted.round_trips.max(place);
        place
    }

    fn strikes(&self) -> Option<When> {
        let (left, when, lasting) = self.planned.get()?;
        if left > 0 {
            self.planned.set(Some((left - 1, when, lasting)));
            return None;
        }
        self.struck.set(true);
        if !lasting {
            self.planned.set(None);
        }
        Some(when)
    }
}

/// Lets whatever runs beside this get its turn, once.
pub(super) fn yield_once() -> impl Future<Output = ()> {
    struct Once(bool);
    impl Future for Once {
        type Output = ();
        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            if self.0 {
                return Poll::Ready(());
            }
            self.0 = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    }
    Once(false)
}
