//! Wrong passwords by address: counted in this isolate's memory, without any call. The account's own count is
//! in its log.

use crate::http::{CLIENT_ADDRESS, Request};
use grantlog_events::{Digest, Timestamp, decide::ATTEMPTS_WINDOW};
use std::{cell::RefCell, collections::BTreeMap};

/// How many wrong passwords one address may send within the window.
const MOST_WRONG: u32 = 50;

/// How many addresses are remembered before the memory starts over.
const MOST_ADDRESSES: usize = 10_000;

/// Wrong passwords of late, by the digest of the address they came from.
#[derive(Debug, Default)]
pub struct Throttle(RefCell<BTreeMap<[u8; 16], (Timestamp, u32)>>);

impl Throttle {
    /// Whether too many wrong passwords came from where this request comes from.
    pub(super) fn is_closed(&self, request: &Request, now: Timestamp) -> bool {
        let held = address(request).and_then(|address| self.0.borrow().get(&address).copied());
        held.is_some_and(|(since, count)| count >= MOST_WRONG && now < since.after(ATTEMPTS_WINDOW))
    }

    pub(super) fn count(&self, request: &Request, now: Timestamp) {
        let Some(address) = address(request) else { return };
        let mut held = self.0.borrow_mut();
        if held.len() >= MOST_ADDRESSES {
            held.clear();
        }
        let entry = held.entry(address).or_insert((now, 0));
        if now >= entry.0.after(ATTEMPTS_WINDOW) {
            *entry = (now, 0);
        }
        entry.1 = entry.1.saturating_add(1);
    }
}

/// Where a request comes from, as the platform or the proxy before it says. An address that nobody told is nobody's,
/// or whoever sends enough wrong passwords would keep everybody out.
fn address(request: &Request) -> Option<[u8; 16]> {
    request.headers().get(CLIENT_ADDRESS).map(|told| Digest::of(told.as_bytes()).half())
}
