//! E1: the read model moves only over contiguous events, and an old event changes nothing.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::{Change, batch, upsert};
use crate::{
    memory::{Faults, MemoryViews, finished},
    ports::{Parameter, Views},
};
use grantlog_events::{
    Body, Digest, Draft, Event, Header, Place, RequestId, Subject, Timestamp,
    body::SubjectProfile,
    chain::{Head, Stamp},
    state::Standing,
};
use grantlog_projections::read_model::Table;
use std::rc::Rc;

const HOME: Place = Place { epoch: 1, shard: 0 };

fn event(seq: u64, suspended: bool) -> Event {
    let header = Header { request: RequestId([1; 16]), entropy: [2; 10], attempt: 0 };
    let origin = HOME.origin("id.example");
    let stamp = Stamp { origin: &origin, header: &header, command: [0; 16], now: Timestamp(1_000 + seq), version: "1" };
    let profile = SubjectProfile { suspended, auditor: false, password: false };
    let body = if seq == 0 { Body::SubjectCreated(profile) } else { Body::SubjectUpdated(profile) };
    let draft = Draft::of(body).about(Some(Subject::born(1, [7; 16])));
    stamp.on(draft, &Head { next: seq, last: Digest::default(), recorded_at: Timestamp(0) }, 0)
}

fn views() -> MemoryViews {
    MemoryViews::new(Rc::new(Faults::default()))
}

fn standing(views: &MemoryViews) -> Parameter {
    finished(views.read_model_rows(HOME, Table::Subjects)).unwrap().remove(0).remove(2)
}

#[test]
fn a_batch_that_leaves_a_gap_is_refused_as_a_whole() {
    let views = views();
    finished(views.write_read_model(&batch(HOME, 0, &[event(0, false)]))).unwrap();
    finished(views.write_read_model(&batch(HOME, 2, &[event(2, true)]))).unwrap_err();
    assert_eq!(finished(views.read_model_position(HOME)).unwrap(), Some(0));
    assert_eq!(standing(&views), Parameter::Text("active".to_owned()));
    finished(views.write_read_model(&batch(HOME, 1, &[event(1, false), event(2, true)]))).unwrap();
    assert_eq!(finished(views.read_model_position(HOME)).unwrap(), Some(2));
}

#[test]
fn the_first_batch_of_a_log_begins_at_its_genesis() {
    let views = views();
    finished(views.write_read_model(&batch(HOME, 1, &[event(1, false)]))).unwrap_err();
    assert_eq!(finished(views.read_model_position(HOME)).unwrap(), None);
}

#[test]
fn a_batch_read_twice_changes_nothing_the_second_time() {
    let views = views();
    let first = batch(HOME, 0, &[event(0, false)]);
    finished(views.write_read_model(&first)).unwrap();
    finished(views.write_read_model(&first)).unwrap_err();
    assert_eq!(finished(views.read_model_position(HOME)).unwrap(), Some(0));
}

#[test]
fn an_older_event_never_overwrites_what_a_later_one_wrote() {
    let views = views();
    finished(views.write_read_model(&batch(HOME, 0, &[event(0, false), event(1, true)]))).unwrap();
    let subject = Subject::born(1, [7; 16]).to_string();
    let change = Change::Subject { subject, standing: Standing::Active, sealed: None };
    finished(views.write_read_model(&[upsert("1/0", &event(0, false), change)])).unwrap();
    assert_eq!(standing(&views), Parameter::Text("suspended".to_owned()));
}
