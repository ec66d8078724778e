//! Everything together: one deployment in one process, on a clock that moves when it is told to.

use super::{Clock, Faults, MemoryArchive, MemoryOutbound, MemoryStore, MemoryViews, SoftwareKeys};
use crate::{
    config::Config,
    failure::Failure,
    http::Memory,
    metrics::{Account, Metric},
    ports::World,
    shard::{Shard, follow_up, tell_clients},
};
use grantlog_events::{Digest, Place, Timestamp};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

/// A deployment in memory; clones share it.
#[derive(Clone)]
pub struct MemoryWorld {
    inner: Rc<Inner>,
    views: Rc<MemoryViews>,
    memory: Rc<Memory<SoftwareKeys>>,
    edge: bool,
}

struct Inner {
    config: Config,
    shards: RefCell<BTreeMap<Place, Rc<Shard<MemoryStore>>>>,
    archive: MemoryArchive,
    outbound: MemoryOutbound,
    keys: SoftwareKeys,
    faults: Rc<Faults>,
    clock: Rc<Clock>,
    drawn: Cell<u64>,
    notes: RefCell<Vec<String>>,
    account: Account,
}

impl MemoryWorld {
    /// An empty deployment at the instant `now`; nothing in it is random.
    #[must_use]
    pub fn new(config: Config, now: Timestamp) -> Self {
        let (faults, clock) = (Rc::new(Faults::default()), Rc::new(Clock::at(now.0)));
        let keys = SoftwareKeys::new(&config.kek, config.kek_previous.as_ref());
        let inner = Inner {
            config,
            shards: RefCell::default(),
            archive: MemoryArchive::new(Rc::clone(&faults)),
            outbound: MemoryOutbound::default(),
            keys,
            faults: Rc::clone(&faults),
            clock: Rc::clone(&clock),
            drawn: Cell::new(0),
            notes: RefCell::default(),
            account: Account::default(),
        };
        let views = Rc::new(MemoryViews::new(faults, clock));
        Self { inner: Rc::new(inner), views, memory: Rc::default(), edge: true }
    }

    /// The same deployment from another isolate: everything is shared but what is remembered.
    #[must_use]
    pub fn new_isolate(&self) -> Self {
        Self { memory: Rc::default(), ..self.clone() }
    }

    /// The same from another isolate, far from where views are written.
    #[must_use]
    pub fn far_away(&self) -> Self {
        Self { memory: Rc::default(), views: Rc::new(self.views.far_away()), ..self.clone() }
    }

    /// The same deployment as a shard sees it: its calls are not the edge's.
    pub(super) fn inside(&self) -> Self {
        Self { views: Rc::new(self.views.inside()), edge: false, ..self.clone() }
    }

    pub(super) fn is_edge(&self) -> bool {
        self.edge
    }

    /// The failure plan and the counters.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.inner.faults
    }

    /// The shard at a place, over empty storage if it is new.
    #[must_use]
    pub fn shard(&self, place: Place) -> Rc<Shard<MemoryStore>> {
        let mut shards = self.inner.shards.borrow_mut();
        let origin = place.origin(&self.inner.config.host);
        let fresh = || Rc::new(Shard::new(origin, MemoryStore::new(Rc::clone(&self.inner.faults))));
        Rc::clone(shards.entry(place).or_insert_with(fresh))
    }

    /// Every place that has a shard.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        self.inner.shards.borrow().keys().copied().collect()
    }

    /// Lets every shard do what it owes to the views and to clients, as its alarm would.
    pub async fn ring_alarms(&self) -> Result<(), Failure> {
        let inside = self.inside();
        for place in self.places() {
            let shard = self.shard(place);
            follow_up(&shard, &inside).await?;
            while shard.next_client_to_tell().is_some_and(|due| due <= self.now()) {
                tell_clients(&shard, &inside).await?;
            }
        }
        Ok(())
    }

    /// Moves the clock.
    pub fn set_now(&self, now: Timestamp) {
        self.inner.clock.set(now.0);
    }

    /// From now on a pause takes as long as it says, and nothing may be run but by [`Self::finished`].
    pub fn let_time_pass(&self) {
        self.inner.clock.run();
    }

    /// Runs a future to its end. While nothing in it can go on, time does.
    pub fn finished<T>(&self, future: impl Future<Output = T>) -> T {
        self.inner.clock.finished(future)
    }

    /// What was counted of this by every isolate.
    #[must_use]
    pub fn counted(&self, metric: Metric) -> u64 {
        self.inner.account.value(metric)
    }

    /// What the operator was told.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.inner.notes.borrow().clone()
    }
}

impl World for MemoryWorld {
    type Log = Self;
    type Views = MemoryViews;
    type Keys = SoftwareKeys;
    type Archive = MemoryArchive;
    type Outbound = MemoryOutbound;

    fn log(&self) -> &Self {
        self
    }

    fn views(&self) -> &MemoryViews {
        &self.views
    }

    fn keys(&self) -> &SoftwareKeys {
        &self.inner.keys
    }

    fn archive(&self) -> &MemoryArchive {
        &self.inner.archive
    }

    fn outbound(&self) -> &MemoryOutbound {
        &self.inner.outbound
    }

    fn config(&self) -> &Config {
        &self.inner.config
    }

    fn memory(&self) -> &Memory<SoftwareKeys> {
        &self.memory
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.inner.clock.now())
    }

    fn random(&self) -> Result<[u8; 32], Failure> {
        let drawn = self.inner.drawn.get();
        self.inner.drawn.set(drawn + 1);
        Ok(Digest::of(&drawn.to_be_bytes()).0)
    }

    async fn pause(&self, milliseconds: u32) {
        self.inner.clock.pause(milliseconds.into()).await;
    }

    fn calls(&self) -> u32 {
        u32::try_from(self.faults().counted().calls.len()).unwrap_or(u32::MAX)
    }

    fn rows_written(&self) -> Option<u64> {
        Some(self.faults().counted().rows_written)
    }

    fn count(&self, metric: Metric, value: u64) {
        self.inner.account.add(metric, value);
    }

    fn note(&self, line: &str) {
        self.inner.notes.borrow_mut().push(line.to_owned());
    }
}
