//! Values by key, as KV keeps them.
//!
//! As long as nobody asks for more it is a map. What Cloudflare documents of KV can be switched on: elsewhere than
//! where it was written a value is read as it was some time ago, an absent one too; a second write to a key within
//! a second is refused (429); and a write may meet any [`Fate`].

use super::clock::Clock;
use crate::failure::Failure;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

/// Between two writes to one key, in milliseconds.
const BETWEEN_WRITES: u64 = 1_000;

/// What becomes of one write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is written, and said to be.
    Done,
    /// It is refused for coming too often: 429.
    TooOften,
    /// It fails, and was not written.
    Lost,
    /// It fails, and was written.
    Unheard,
    /// It fails, and is written that many milliseconds later.
    Late(u64),
    /// It is written that many milliseconds later, and then said to be.
    Slow(u64),
    /// It never returns, and is written that many milliseconds later.
    Hangs(u64),
}

/// One namespace.
#[derive(Debug)]
pub struct Kv {
    clock: Rc<Clock>,
    keys: RefCell<BTreeMap<String, Written>>,
    /// How old is what is read elsewhere, in milliseconds.
    lag: Cell<u64>,
    is_limited: Cell<bool>,
}

/// A key's values by the instant from which on they stand, and what is to become of its next writes.
#[derive(Debug, Default)]
struct Written {
    values: BTreeMap<u64, Option<Vec<u8>>>,
    accepted: Option<u64>,
    fates: VecDeque<Fate>,
    writes: u64,
}

impl Kv {
    pub(super) fn new(clock: Rc<Clock>) -> Self {
        Self { clock, keys: RefCell::default(), lag: Cell::new(0), is_limited: Cell::new(false) }
    }

    /// From now on what is read elsewhere is this old, in milliseconds.
    pub fn lag(&self, milliseconds: u64) {
        self.lag.set(milliseconds);
    }

    /// From now on a key is written once a second at most.
    pub fn limit(&self) {
        self.is_limited.set(true);
    }

    /// What is to become of the next writes to a key, in order; those after them are done.
    pub fn plan(&self, key: &str, fates: impl IntoIterator<Item = Fate>) {
        self.keys.borrow_mut().entry(key.to_owned()).or_default().fates = fates.into_iter().collect();
    }

    /// How many writes to a key were tried.
    #[must_use]
    pub fn writes(&self, key: &str) -> u64 {
        self.keys.borrow().get(key).map_or(0, |written| written.writes)
    }

    /// Every value, where they are written.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Vec<u8>> {
        let keys: Vec<String> = self.keys.borrow().keys().cloned().collect();
        keys.into_iter().filter_map(|key| self.read(&key, false).map(|value| (key, value))).collect()
    }

    pub(super) fn read(&self, key: &str, far: bool) -> Option<Vec<u8>> {
        let as_of = self.clock.now().saturating_sub(if far { self.lag.get() } else { 0 });
        self.keys.borrow().get(key)?.values.range(..=as_of).next_back().and_then(|(_, value)| value.clone())
    }

    pub(super) async fn write(&self, key: &str, value: Option<&[u8]>) -> Result<(), Failure> {
        let fate = self.fate(key);
        let (after, answered) = match fate {
            Fate::Done => (0, Ok(())),
            Fate::TooOften => return Err(Failure::undone("writing a view", "429 Too Many Requests")),
            Fate::Lost => return Err(failed("injected, nothing written")),
            Fate::Unheard => (0, Err(failed("injected, written"))),
            Fate::Late(after) => (after, Err(failed("injected, written later"))),
            Fate::Slow(after) | Fate::Hangs(after) => (after, Ok(())),
        };
        let lands = self.clock.now() + after;
        if let Some(written) = self.keys.borrow_mut().get_mut(key) {
            written.values.insert(lands, value.map(<[u8]>::to_vec));
        }
        match fate {
            Fate::Slow(after) => self.clock.pause(after).await,
            Fate::Hangs(_) => std::future::pending().await,
            _ => {}
        }
        answered
    }

    fn fate(&self, key: &str) -> Fate {
        let now = self.clock.now();
        let mut keys = self.keys.borrow_mut();
        let written = keys.entry(key.to_owned()).or_default();
        written.writes += 1;
        let planned = written.fates.pop_front();
        if self.is_limited.get() && written.accepted.is_some_and(|at| now < at + BETWEEN_WRITES) {
            return Fate::TooOften;
        }
        let fate = planned.unwrap_or(Fate::Done);
        if !matches!(fate, Fate::TooOften | Fate::Lost) {
            written.accepted = Some(now);
        }
        fate
    }
}

fn failed(detail: &str) -> Failure {
    Failure::passing("writing a view", detail)
}
