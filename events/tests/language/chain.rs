//! The chain: each event's place, and what of it only the stamp knows.

use crate::sample::{HOME, client, event};
use grantlog_events::{
    Body, Digest, Draft, Event, EventId, Header, Jti, RequestId, Stored, Subject, Timestamp,
    body::SubjectErased,
    chain::{Head, Stamp},
    identity::shard_of,
    stored::Bytes,
    token::Party,
};
use std::collections::BTreeSet;

fn stamped(now: u64, head: &Head, ordinal: u64) -> Event {
    let header = Header { request: RequestId([1; 16]), entropy: [3; 10], attempt: 0 };
    let origin = HOME.origin("op.example");
    let stamp = Stamp { origin: &origin, header: &header, command: [4; 16], now: Timestamp(now), version: "0.1.0" };
    stamp.on(Draft::of(Body::SubjectErased(SubjectErased {})), head, ordinal)
}

fn past(event: &Event) -> Head {
    Head::past(event, &event.to_bytes())
}

/// E18: an event that was moved, dropped, edited or put in from elsewhere does not continue the chain.
#[test]
fn the_head_admits_the_next_event_and_no_other() {
    let first = stamped(1_000, &Head::default(), 0);
    let head = past(&first);
    let next = stamped(2_000, &head, 0);
    assert!(Head::default().admits(&first) && head.admits(&next));
    assert!(!head.admits(&first) && !Head::default().admits(&next));
    assert!(!head.admits(&Event { seq: 2, ..next.clone() }));
    assert!(!head.admits(&Event { prev: Digest([0; 32]), ..next.clone() }));
    assert!(!head.admits(&Event { recorded_at: Timestamp(999), ..next.clone() }));
    let edited = Event { client: Some(client("other")), ..first };
    assert!(!past(&edited).admits(&next));
}

/// The deciding clock is kept as it was, the order of recording never goes back.
#[test]
fn recorded_at_never_goes_back_when_the_clock_does() {
    let head = past(&stamped(5_000, &Head::default(), 0));
    let event = stamped(3_000, &head, 0);
    assert_eq!((event.occurred_at, event.recorded_at), (Timestamp(3_000), Timestamp(5_000)));
    assert!(head.admits(&event));
}

/// A retry is recognised by its first event.
#[test]
fn the_first_event_of_a_command_carries_its_digest_and_each_has_its_own_id() {
    let events: Vec<Event> = (0..600).map(|ordinal| stamped(1_000, &Head::default(), ordinal)).collect();
    assert!(events[0].command.is_some() && events[1..].iter().all(|event| event.command.is_none()));
    let ids: BTreeSet<EventId> = events.iter().map(|event| event.id).collect();
    assert_eq!(ids.len(), 600);
}

/// The entropy that came with the request is what makes a `jti` hard to guess.
#[test]
fn an_id_is_a_ulid_of_the_clock_and_of_the_entropy_that_came_along() {
    let event = stamped(1_000, &Head::default(), 0);
    assert_eq!(event.id, EventId::new(Timestamp(1_000), [3; 10]));
    assert_eq!(event.id.0, [0, 0, 0, 0, 3, 232, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
    assert_eq!(event.jti().to_string(), "1-42-0-0c1g60r3");
}

#[test]
fn a_jti_has_one_spelling() {
    let text = "1-42-70001-0c1g60r3";
    assert_eq!(Jti::parse(text).unwrap().to_string(), text);
    let (shard, short, long) = ("1-042-7-0c1g60r3", "1-42-7-0c1g60r", "1-42-7-0c1g60r33");
    let (upper, vowel, sign) = ("1-42-7-0C1G60R3", "1-42-7-0c1g60ri", "1-42-+7-0c1g60r3");
    let (three, five, wide) = ("1-42-0c1g60r3", "1-42-7-7-0c1g60r3", "1-4294967296-7-0c1g60r3");
    for bad in ["", "-", shard, short, long, upper, vowel, sign, three, five, wide, " 1-42-7-0c1g60r3"] {
        assert!(Jti::parse(bad).is_err(), "{bad}");
    }
}

/// The box is bound to the event that it stands in.
#[test]
fn the_associated_data_of_a_sealed_box_is_the_event_without_it() {
    let open = event(Body::SubjectErased(SubjectErased {}));
    let sealed = Event { sealed: Some(Bytes(vec![1, 2, 3])), ..open.clone() };
    assert_eq!(sealed.unsealed(), open.to_bytes());
    assert_ne!(sealed.to_bytes(), open.to_bytes());
}

/// A home is for life: SHA-256 as it is published, big-endian, modulo.
#[test]
fn a_home_is_the_first_eight_bytes_of_a_hash_modulo_the_shards() {
    // SHA-256("abc") begins ba7816bf8f01cfea.
    assert_eq!(shard_of(b"abc", 1_000), u32::try_from(0xba78_16bf_8f01_cfea_u64 % 1_000).unwrap());
    assert_eq!(shard_of(b"abc", 1), 0);
    let subject = Subject::born(7, [1; 16]);
    assert_eq!((subject.epoch(), Subject::parse(subject.as_str()).unwrap()), (7, subject.clone()));
    assert!(subject.home(64) < 64);
}

/// A `sub` is a person or a client by its form alone.
#[test]
fn no_client_id_has_the_form_of_a_subject() {
    let subject = Subject::born(1, [1; 16]);
    assert!(grantlog_events::ClientId::parse(subject.as_str()).is_err());
    assert_eq!(Party::parse(subject.as_str()).unwrap(), Party::Subject(subject));
    assert_eq!(Party::parse("app").unwrap(), Party::Client(client("app")));
}
