//! The `jti` of ancestors: an event names them by position, an auditor by token.
//!
//! Most are on the same page; the rest are asked for, up to a bound. One past it is shown by its address,
//! which names the same event.

use super::page::{self, ReadEvent};
use crate::{http::Stop, ports::World};
use grantlog_events::{Address, Jti};
use std::collections::{BTreeMap, BTreeSet};

/// How many ancestors one answer looks up.
const MOST_LOOKUPS: usize = 50;

/// Tokens by the address of the event that issued them.
#[derive(Debug)]
pub(super) struct Names(BTreeMap<Address, Jti>);

impl Names {
    pub(super) async fn of<W: World>(world: &W, events: &[ReadEvent]) -> Result<Self, Stop> {
        let mut names: BTreeMap<Address, Jti> =
            events.iter().map(|read| (read.event.address(), read.event.jti())).collect();
        let ancestors = |read: &ReadEvent| {
            let place = read.event.origin.place();
            read.event.ancestors.iter().map(move |seq| place.at(*seq)).collect::<Vec<_>>()
        };
        let missing: BTreeSet<Address> =
            events.iter().flat_map(ancestors).filter(|address| !names.contains_key(address)).collect();
        for address in missing.into_iter().take(MOST_LOOKUPS) {
            if let Some(read) = page::event(world, address).await? {
                names.insert(address, read.event.jti());
            }
        }
        Ok(Self(names))
    }

    pub(super) fn jti_at(&self, address: Address) -> Option<Jti> {
        self.0.get(&address).cloned()
    }
}
