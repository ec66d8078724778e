//! The clock, and the executor that goes with it: it stands still until it is moved, or, once it runs, goes on to
//! the next instant that somebody waits for whenever nobody can do anything before.

use super::faults::yield_once;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

/// Milliseconds since 1970, moved by hand or by waiting.
#[derive(Debug, Default)]
pub struct Clock {
    now: Cell<u64>,
    runs: Cell<bool>,
    awaited: RefCell<BTreeSet<u64>>,
}

impl Clock {
    /// A clock that stands still.
    #[must_use]
    pub fn at(now: u64) -> Self {
        Self { now: Cell::new(now), ..Self::default() }
    }

    pub(super) fn now(&self) -> u64 {
        self.now.get()
    }

    pub(super) fn set(&self, now: u64) {
        self.now.set(now);
    }

    /// From now on a pause takes as long as it says.
    pub(super) fn run(&self) {
        self.runs.set(true);
    }

    /// Waits; while the clock stands, for one turn.
    pub(super) async fn pause(&self, milliseconds: u64) {
        if !self.runs.get() {
            return yield_once().await;
        }
        let until = self.now() + milliseconds;
        poll_fn(|_| {
            if self.now() >= until {
                return Poll::Ready(());
            }
            self.awaited.borrow_mut().insert(until);
            Poll::Pending
        })
        .await;
    }

    /// Polls a future until it is done. While nothing in it can go on, time does.
    ///
    /// # Panics
    /// If it waits for what can never come.
    pub(super) fn finished<T>(&self, future: impl Future<Output = T>) -> T {
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
        loop {
            if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
                return done;
            }
            if !woken.0.swap(false, Ordering::Relaxed) {
                assert!(self.go_on(), "it waits for what can never come");
            }
        }
    }

    /// Goes on to the next instant that is awaited, if there is one.
    fn go_on(&self) -> bool {
        let now = self.now();
        let mut awaited = self.awaited.borrow_mut();
        *awaited = awaited.split_off(&(now + 1));
        let next = awaited.pop_first();
        next.inspect(|next| self.now.set(*next)).is_some()
    }
}

/// Whether something can go on.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}
