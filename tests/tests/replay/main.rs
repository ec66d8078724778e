//! Replay equals live: what a shard decides by is what its own log says, row by row and byte by byte.
//!
//! All logs are exported over HTTP, found again in the objects' files, and folded with the code that
//! everybody may run; the rows that result are compared with those in each object's file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod logs;
mod stored;
mod traffic;

use grantlog_projections::replay;
use grantlog_tests::{Service, environment, party::Cast, server::OwnServer};
use std::{collections::BTreeMap, path::Path};

/// DESIGN §3. Traffic of every kind, and then `kill -9`.
#[test]
fn folding_each_log_gives_the_rows_that_its_object_holds() {
    let mut server = OwnServer::start("replay");
    traffic::play(&server.service());
    let logs = logs::all(&server.service());
    server.kill();
    let compared = must_agree(&logs, &server.state());
    assert!(compared > 100, "there was hardly any state: the test says nothing");
}

/// The same of the shared server, with whatever all tests before this one did to it.
#[test]
fn folding_each_log_of_the_whole_run_gives_the_rows_that_its_object_holds() {
    let service = Service::shared();
    let _ = Cast::of(&service).first_token();
    let logs = logs::all(&service);
    must_agree(&logs, &environment::state());
}

/// DESIGN §3: an issued token is one row, in the object's own file, and no index is written with it.
#[test]
fn a_token_issued_or_exchanged_is_one_row_in_the_file_of_its_object() {
    let mut server = OwnServer::start("rows");
    let service = server.service();
    let cast = Cast::of(&service);
    let first = cast.first_token();
    let exchange = || cast.backend.exchange(&first).audience(&service.issuer).request().send().expect(200);
    exchange();
    let (before, indices) = stored::rows_and_indices(&server.state());
    assert_eq!(indices, 0);
    for _ in 0..5 {
        exchange();
    }
    let (exchanged, _) = stored::rows_and_indices(&server.state());
    assert_eq!(exchanged - before, 5);
    for _ in 0..5 {
        drop(cast.actor.own_token("openid"));
    }
    let (issued, _) = stored::rows_and_indices(&server.state());
    assert_eq!(issued - exchanged, 5);
    server.kill();
}

/// Answers with the number of rows that were compared.
fn must_agree(logs: &BTreeMap<String, Vec<Vec<u8>>>, state: &Path) -> usize {
    let objects = stored::objects(state);
    assert!(!objects.is_empty(), "there is no object under {}", state.display());
    let mut compared = 0;
    for (origin, exported) in logs {
        let live = objects.get(origin).unwrap_or_else(|| panic!("no object holds the log {origin}"));
        let events = live.all_events();
        // What came after the export, like the record of reading it, is in the object alone.
        assert!(events.starts_with(exported), "{origin}: the export is not the beginning of what the object holds");
        let folded = fold(origin, &events);
        must_equal(origin, &folded, &live.rows);
        compared += folded.len();
    }
    println!("{compared} rows of {} logs are equal", logs.len());
    assert_eq!(logs.len(), objects.len(), "an object holds a log that was not exported");
    assert!(compared > 0, "there was nothing to compare");
    compared
}

fn fold(origin: &str, events: &[Vec<u8>]) -> BTreeMap<String, Vec<u8>> {
    let state = replay::replay(events).unwrap_or_else(|broken| panic!("{origin} {broken}"));
    replay::rows(&state).into_iter().collect()
}

fn must_equal(origin: &str, folded: &BTreeMap<String, Vec<u8>>, live: &BTreeMap<String, Vec<u8>>) {
    for key in folded.keys().chain(live.keys()) {
        assert_eq!(
            folded.get(key),
            live.get(key),
            "{origin}: the row {key:?} of the replay (left) and of the object differ"
        );
    }
}
