//! Replay equals live: what a shard decides by is what its own log says, row by row and byte by byte.
//!
//! On a server of its own, after traffic of every kind: all logs are exported over HTTP and folded with
//! the code that everybody may run; the rows that result are compared with those in each object's file.
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
use grantlog_tests::server::OwnServer;
use std::collections::BTreeMap;

/// Issue 2, "must show"; DESIGN §3.
#[test]
fn folding_each_log_gives_the_rows_that_its_object_holds() {
    let mut server = OwnServer::start("replay");
    traffic::play(&server.service());
    let logs = logs::all(&server.service());
    // Nothing may be written between the export and the look at the files, alarms included.
    server.kill();
    let objects = stored::objects(&server.state());
    assert!(!objects.is_empty(), "there is no object under {}", server.state().display());
    let mut compared = 0;
    for (origin, events) in &logs {
        let live = objects.get(origin).unwrap_or_else(|| panic!("no object holds the log {origin}"));
        let folded = fold(origin, &events[..]);
        assert!(live.events >= events.len() as u64, "{origin}: the object has fewer events than were exported");
        if live.events == events.len() as u64 {
            must_equal(origin, &folded, &live.rows);
            compared += folded.len();
        } else {
            // The reading itself was recorded after it was read.
            let all = live.all_events();
            assert_eq!(&all[..events.len()], &events[..], "{origin}: the export is not the beginning of the log");
            let folded = fold(origin, &all);
            must_equal(origin, &folded, &live.rows);
            compared += folded.len();
        }
    }
    println!("{compared} rows of {} logs are equal", logs.len());
    assert_eq!(logs.len(), objects.len(), "an object holds a log that was not exported");
    assert!(compared > 100, "there was hardly any state: the test says nothing");
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
