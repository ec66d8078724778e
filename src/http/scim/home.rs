//! Where a person lives, and what is asked there.

use crate::{
    failure::Failure,
    http::{Stop, stop::odd_reply},
    jose::Ring,
    ports::{Keys, Log, World},
    shard::{Ask, Private, ProfileReading, Query, Reply, Run, fresh_header},
};
use grantlog_events::{Command, Event, Place, Refusal, Subject};

/// A person's home; `None` if the epoch was never opened, so that there is no such person.
pub(super) fn of<K: Keys>(ring: &Ring<K>, subject: &Subject) -> Option<Place> {
    let epoch = subject.epoch();
    ring.shards(epoch).map(|shards| Place { epoch, shard: subject.home(shards) })
}

/// What a log said to a command.
pub(super) enum Said {
    Done(Vec<Event>),
    /// It stands, but the views do not show it yet.
    Unconfirmed,
    Refused(Refusal),
}

pub(super) async fn run<W: World>(
    world: &W,
    place: Place,
    command: Command,
    private: Private,
) -> Result<Said, Failure> {
    let run = Run { header: fresh_header(world)?, command, private: Some(private) };
    match world.log().ask(place, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(events) => Ok(Said::Done(events)),
        Reply::Unconfirmed(_) => Ok(Said::Unconfirmed),
        Reply::Refused(refusal) => Ok(Said::Refused(refusal)),
        _ => Err(Failure::passing("asking a log", "a reply that does not fit")),
    }
}

pub(super) async fn profile<W: World>(
    world: &W,
    place: Place,
    subject: &Subject,
) -> Result<Option<ProfileReading>, Stop> {
    match world.log().ask(place, &Ask::Read(Query::Profile(subject.clone()))).await? {
        Reply::Profile(profile) => Ok(profile),
        _ => Err(odd_reply()),
    }
}

pub(super) async fn has_password<W: World>(world: &W, place: Place, subject: &Subject) -> Result<bool, Stop> {
    match world.log().ask(place, &Ask::Read(Query::Password(subject.clone()))).await? {
        Reply::Secret(verifier) => Ok(verifier.is_some()),
        _ => Err(odd_reply()),
    }
}
