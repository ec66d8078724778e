//! Events read from a log by position, with their bytes.

use crate::{
    failure::Failure,
    http::{Stop, stop::odd_reply},
    ports::{Log, World},
    shard::{Ask, Query, Reply},
};
use grantlog_events::{Address, Event, Place, Stored};

/// The most events in one page.
pub(super) const LARGEST: u32 = 500;

/// An event and its bytes as they are stored.
#[derive(Clone, Debug)]
pub(super) struct ReadEvent {
    pub(super) event: Event,
    pub(super) bytes: Vec<u8>,
}

/// Some events in order.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) events: Vec<ReadEvent>,
    /// Where the next page begins.
    pub(super) next: u64,
    /// Whether the log ended here.
    pub(super) is_last: bool,
}

/// Reads up to `most` events from a position on; positions are dense, so a gap is a failure.
pub(super) async fn read<W: World>(world: &W, place: Place, from: u64, most: u32) -> Result<Page, Stop> {
    let reply = world.log().ask(place, &Ask::Read(Query::Events(from, most))).await?;
    let Reply::Events(stored) = reply else { return Err(odd_reply()) };
    let is_last = (stored.len() as u64) < u64::from(most);
    let mut events = Vec::with_capacity(stored.len());
    let mut next = from;
    for bytes in stored {
        let event = Event::from_bytes(&bytes.0).map_err(|malformed| Failure::lasting("reading an event", malformed))?;
        if event.seq != next {
            return Err(Failure::lasting("reading events", "a position is missing").into());
        }
        next += 1;
        events.push(ReadEvent { event, bytes: bytes.0 });
    }
    Ok(Page { events, next, is_last })
}

/// The event at an address, if the log has come that far.
pub(super) async fn event<W: World>(world: &W, address: Address) -> Result<Option<ReadEvent>, Stop> {
    Ok(read(world, address.place, address.seq, 1).await?.events.into_iter().next())
}
