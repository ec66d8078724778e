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
        let held = self.0.borrow().get(&address(request)).copied();
        held.is_some_and(|(since, count)| count >= MOST_WRONG && now < since.after(ATTEMPTS_WINDOW))
    }

    pub(super) fn count(&self, request: &Request, now: Timestamp) {
        let mut held = self.0.borrow_mut();
        if held.len() >= MOST_ADDRESSES {
            held.clear();
        }
        let entry = held.entry(address(request)).or_insert((now, 0));
        if now >= entry.0.after(ATTEMPTS_WINDOW) {
            *entry = (now, 0);
        }
        entry.1 = entry.1.saturating_add(1);
    }
}

/// Where a request comes from, as the platform says it; on one machine there is one address.
fn address(request: &Request) -> [u8; 16] {
    let told = request.headers().get(CLIENT_ADDRESS).map(http::HeaderValue::as_bytes).unwrap_or_default();
    Digest::of(told).half()
}
