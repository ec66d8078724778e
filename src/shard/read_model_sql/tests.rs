//! E1: the read model moves only over contiguous events, and an old event changes nothing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use super::{Change, Ending, batch, upsert};
use crate::{
    memory::{MemoryViews, finished},
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
    MemoryViews::new(Rc::default(), Rc::default())
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

/// A grant ends by what came after it, once, and is not begun again.
#[test]
fn an_event_read_twice_or_out_of_turn_neither_ends_nor_begins_a_grant() {
    let views = views();
    let write = |seq: u64, change: Change| {
        finished(views.write_read_model(&[upsert("1/0", &event(seq, false), change)])).unwrap();
        finished(views.read_model_rows(HOME, Table::Grants)).unwrap()
    };
    let grant = || Change::Grant {
        address: "1.0.4".to_owned(),
        subject: "ada".to_owned(),
        client: "app".to_owned(),
        session: Some("1.0.2".to_owned()),
        scope: "openid".to_owned(),
    };
    let ended_at = |rows: Vec<Vec<Parameter>>| rows[0][5].clone();
    let at = |seq: u64| Parameter::Integer(1_000 + seq);
    let all = || Change::GrantsEnded(Ending::Subject("ada".to_owned()));
    let session = || Change::GrantsEnded(Ending::Session { subject: "ada".to_owned(), session: "1.0.2".to_owned() });
    assert_eq!(ended_at(write(5, grant())), Parameter::Null);
    assert_eq!(ended_at(write(3, all())), Parameter::Null, "what was issued until then, and no more");
    assert_eq!(ended_at(write(7, session())), at(7));
    assert_eq!(ended_at(write(9, all())), at(7));
    assert_eq!(ended_at(write(5, grant())), at(7));
}
