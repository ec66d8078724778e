//! What an isolate remembers between requests: key ring and client views, for 30 s. Never a verdict.
//!
//! Each request loads for itself and then stores, so no request waits for another's work.

use super::{authorize::Throttle, strangers::Strangers};
use crate::{jose::Ring, ports::Keys};
use grantlog_events::{ClientId, Timestamp};
use grantlog_projections::client::ClientView;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

/// How long a remembered view may be used, in milliseconds.
const FRESH_FOR: u64 = 30_000;

/// How many client views are kept; a flood of client ids must not fill the isolate.
const MOST_CLIENTS: usize = 1_000;

/// How long no second unknown key makes us read the ring again, in milliseconds: a flood of them must not
/// reach the registry.
const LOOK_EVERY: u64 = 5_000;

/// A ring younger than this knows all there is to know, in milliseconds: keys are published long before they sign.
const JUST_READ: u64 = 1_000;

/// How long no second wrong proof of a client makes us read the registry again, in milliseconds: a view read
/// since knows all there is to know, and a flood of wrong secrets must not reach the registry.
const DOUBT_EVERY: u64 = 1_000;

/// Key ring and client views, each with the instant it was loaded.
pub struct Memory<K: Keys> {
    ring: RefCell<Option<(Timestamp, Rc<Ring<K>>)>>,
    looked_at: Cell<Option<Timestamp>>,
    clients: RefCell<BTreeMap<ClientId, (Timestamp, Rc<ClientView>)>>,
    doubted: RefCell<BTreeMap<ClientId, Timestamp>>,
    /// Wrong passwords by the address they come from.
    pub(super) throttle: Throttle,
    /// Clients that are none.
    pub(super) strangers: Strangers,
}

impl<K: Keys> Default for Memory<K> {
    fn default() -> Self {
        Self {
            ring: RefCell::new(None),
            looked_at: Cell::new(None),
            clients: RefCell::default(),
            doubted: RefCell::default(),
            throttle: Throttle::default(),
            strangers: Strangers::default(),
        }
    }
}

impl<K: Keys> Memory<K> {
    /// The ring, if it was loaded less than 30 s ago.
    pub fn ring(&self, now: Timestamp) -> Option<Rc<Ring<K>>> {
        self.ring.borrow().as_ref().filter(|(at, _)| is_fresh(*at, now)).map(|(_, ring)| Rc::clone(ring))
    }

    /// Remembers the ring.
    pub fn keep_ring(&self, ring: Rc<Ring<K>>, now: Timestamp) {
        *self.ring.borrow_mut() = Some((now, ring));
    }

    /// Whether the ring, read at `read_at`, may be read again for a key it does not know; a yes is good for once.
    pub fn may_look_for_a_key(&self, read_at: Timestamp, now: Timestamp) -> bool {
        let looked = self.looked_at.get().is_some_and(|at| now >= at && now.since(at) < LOOK_EVERY);
        if looked || (now >= read_at && now.since(read_at) < JUST_READ) {
            return false;
        }
        self.looked_at.set(Some(now));
        true
    }

    /// A client's view, if it was loaded less than 30 s ago.
    pub fn client(&self, client: &ClientId, now: Timestamp) -> Option<Rc<ClientView>> {
        self.clients.borrow().get(client).filter(|(at, _)| is_fresh(*at, now)).map(|(_, view)| Rc::clone(view))
    }

    /// Remembers a client's view, unless a later generation is remembered.
    pub fn keep_client(&self, view: Rc<ClientView>, now: Timestamp) {
        let mut clients = self.clients.borrow_mut();
        if clients.len() >= MOST_CLIENTS {
            clients.clear();
        }
        let later = clients.get(&view.client).is_some_and(|(_, held)| held.generation > view.generation);
        if !later {
            clients.insert(view.client.clone(), (now, view));
        }
    }

    /// Whether a client's view may be read again because the client did not prove itself; a yes is good for once.
    pub fn may_doubt_client(&self, client: &ClientId, now: Timestamp) -> bool {
        let mut doubted = self.doubted.borrow_mut();
        if doubted.get(client).is_some_and(|at| now >= *at && now.since(*at) < DOUBT_EVERY) {
            return false;
        }
        if doubted.len() >= MOST_CLIENTS {
            doubted.clear();
        }
        doubted.insert(client.clone(), now);
        true
    }

    /// Forgets a client's view.
    pub fn forget_client(&self, client: &ClientId) {
        self.clients.borrow_mut().remove(client);
    }

    /// Forgets everything, as a new isolate would.
    pub fn forget(&self) {
        *self.ring.borrow_mut() = None;
        self.looked_at.set(None);
        self.clients.borrow_mut().clear();
        self.doubted.borrow_mut().clear();
        self.strangers.forget();
    }
}

fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    now.since(at) < FRESH_FOR && now >= at
}
