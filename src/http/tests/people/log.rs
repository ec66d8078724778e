//! What the logs say of people.

use super::super::deployment::Service;
use grantlog_events::{Body, Event, Stored};

/// Every event of every log.
pub(super) fn events(service: &Service) -> Vec<Event> {
    let places = service.world.places().into_iter();
    let bytes = places.flat_map(|place| service.world.shard(place).store().all_events());
    bytes.map(|bytes| Event::from_bytes(&bytes).unwrap()).collect()
}

/// How many events are of this type.
pub(super) fn count(service: &Service, name: &str) -> usize {
    events(service).iter().filter(|event| event.body.name() == name).count()
}

/// Sessions that ended: by whom, and whose.
pub(super) fn ended_sessions(service: &Service) -> Vec<(&'static str, String)> {
    let ended = events(service).into_iter().filter_map(|event| match &event.body {
        Body::SessionEnded(ended) => Some((ended.by.name(), event.subject.as_ref()?.to_string())),
        _ => None,
    });
    ended.collect()
}
