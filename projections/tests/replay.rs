//! Replay equals live, and stops at the first event that is not the next of its chain.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod log;

use grantlog_events::{Event, Malformed, Place, Stored, Timestamp};
use grantlog_projections::replay::{Broken, Fault, replay, rows, rows_digest};
use log::Log;

const SHARD: Place = Place { epoch: 1, shard: 0 };

fn busy() -> Log {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let token = log.later(1).issue(Some(&person), "openid");
    let child = log.later(1).exchange(token, None);
    log.revoke(child, "");
    log.revoke_subject(&person);
    log.suspend(&person, true);
    log
}

fn bytes(log: &Log) -> Vec<Vec<u8>> {
    log.events.iter().map(|(_, bytes)| bytes.clone()).collect()
}

fn fault(log: &[Vec<u8>]) -> Broken {
    replay(log).unwrap_err()
}

#[test]
fn replay_leaves_the_rows_of_the_live_log_byte_for_byte() {
    let log = busy();
    let replayed = replay(bytes(&log)).unwrap();
    assert_eq!(rows(&replayed), rows(&log.state));
    assert_eq!(rows_digest(&replayed), rows_digest(&log.state));
    assert_eq!(replayed.head, log.state.head);
    assert_eq!(rows(&replayed).len(), 3);
}

#[test]
fn rows_that_differ_have_another_digest() {
    let (log, mut other) = (busy(), busy());
    let person = other.event(1).subject.clone().unwrap();
    other.suspend(&person, false);
    assert_ne!(rows_digest(&log.state), rows_digest(&other.state));
}

#[test]
fn the_first_thing_wrong_ends_the_replay_and_is_named() {
    let log = busy();
    let mut gap = bytes(&log);
    gap.remove(2);
    assert_eq!(fault(&gap), Broken { seq: 2, fault: Fault::OutOfPlace(3) });
    let mut edited = bytes(&log);
    edited[2] = Event { client: None, ..log.event(2).clone() }.to_bytes();
    assert_eq!(fault(&edited), Broken { seq: 3, fault: Fault::NotLinked });
    let mut early = bytes(&log);
    early[3] = Event { recorded_at: Timestamp(0), ..log.event(3).clone() }.to_bytes();
    assert_eq!(fault(&early), Broken { seq: 3, fault: Fault::TimeGoesBack });
    let mut foreign = bytes(&log);
    let origin = Place { epoch: 1, shard: 1 }.origin("op.example");
    foreign[3] = Event { origin: origin.clone(), ..log.event(3).clone() }.to_bytes();
    assert_eq!(fault(&foreign), Broken { seq: 3, fault: Fault::OfAnotherLog(origin) });
    let mut cut = bytes(&log);
    cut[1].pop();
    assert_eq!(fault(&cut).seq, 1);
    assert!(matches!(fault(&cut).fault, Fault::Malformed(Malformed::NotCanonical(_))));
}
