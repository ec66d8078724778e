//! The walk over the logs: the registry, then each shard of each epoch, each by position (E1, E9).
//!
//! The cursor is the address of the last event *read*, wanted or not, so that work done is never done
//! again and no event is passed over. One request does a bounded amount of work and says where it stopped.

use super::{
    filter::Filter,
    names,
    page::{self, ReadEvent},
};
use crate::{
    http::Stop,
    jose::Ring,
    ports::{Keys, World},
};
use grantlog_events::{Address, Place};
use grantlog_projections::rendered;
use serde_json::{Value, json};

/// How many events one request reads at most, give or take a page.
const MOST_READ: u64 = 5_000;
/// How many calls one request makes at most.
const MOST_CALLS: u32 = 200;

/// The logs that may hold what is asked for, in the order they are read.
pub(super) fn logs<K: Keys>(ring: &Ring<K>, filter: &Filter) -> Vec<Place> {
    if let Some(subject) = &filter.subject {
        let epoch = subject.epoch();
        return ring.shards(epoch).map(|shards| Place { epoch, shard: subject.home(shards) }).into_iter().collect();
    }
    let mut places = vec![Place::REGISTRY];
    for (epoch, shards) in ring.epochs() {
        places.extend((0..*shards).map(|shard| Place { epoch: *epoch, shard }));
    }
    places.sort_unstable();
    places
}

/// What was found, and where to go on.
#[derive(Debug, Default)]
pub(super) struct Found {
    events: Vec<ReadEvent>,
    next: Option<Address>,
}

/// Reads on from the cursor until enough is found or done.
pub(super) async fn scan<W: World>(world: &W, logs: &[Place], filter: &Filter) -> Result<Found, Stop> {
    let mut found = Found::default();
    let (mut read, mut calls) = (0, 0);
    for place in logs.iter().filter(|place| filter.after.is_none_or(|after| **place >= after.place)) {
        let mut from =
            filter.after.filter(|after| after.place == *place).map_or(0, |after| after.seq.saturating_add(1));
        loop {
            if found.next.is_some() && (found.events.len() >= filter.limit || read >= MOST_READ || calls >= MOST_CALLS)
            {
                return Ok(found);
            }
            let page = page::read(world, *place, from, size(filter, found.events.len())).await?;
            calls += 1;
            read += page.events.len() as u64;
            from = page.next;
            let ended = found.take(page.events, filter);
            if page.is_last || ended {
                break;
            }
        }
    }
    if found.events.len() < filter.limit {
        found.next = None;
    }
    Ok(found)
}

/// Where everything is wanted, no more is read than is answered.
fn size(filter: &Filter, found: usize) -> u32 {
    if filter.admits_all() {
        u32::try_from(filter.limit.saturating_sub(found)).unwrap_or(page::LARGEST).clamp(1, page::LARGEST)
    } else {
        page::LARGEST
    }
}

impl Found {
    /// Takes what is wanted of a page, up to the limit; says whether the rest of this log is too late.
    fn take(&mut self, page: Vec<ReadEvent>, filter: &Filter) -> bool {
        for read in page {
            if self.events.len() >= filter.limit {
                return false;
            }
            self.next = Some(read.event.address());
            if filter.ends_before(&read.event) {
                return true;
            }
            if filter.admits(&read.event) {
                self.events.push(read);
            }
        }
        false
    }

    /// The answer; `next` is left out at the end.
    pub(super) async fn to_json<W: World>(&self, world: &W, raw: bool) -> Result<Value, Stop> {
        let names = names::Names::of(world, &self.events).await?;
        let events: Vec<Value> = self
            .events
            .iter()
            .map(|read| {
                let place = read.event.origin.place();
                rendered::event(&read.event, &read.bytes, raw, &|seq| names.jti_at(place.at(seq)))
            })
            .collect();
        Ok(match self.next {
            Some(next) => json!({ "events": events, "next": next.to_string() }),
            None => json!({ "events": events }),
        })
    }
}
