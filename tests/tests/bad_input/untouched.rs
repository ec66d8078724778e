//! The proof that nothing was written: the end of every log, before and after.

use grantlog_tests::{
    audit::{Auditor, place_and_seq},
    party::Cast,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

static TURN: Mutex<()> = Mutex::new(());

/// Prepares, then runs `attack`, which may send only what is refused, and stops the test if any log grew
/// by anything but the record of reading it.
pub(crate) fn writes_nothing<T>(prepare: impl FnOnce(&Cast) -> T, attack: impl FnOnce(&Cast, &T)) {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let cast = Cast::on_shared();
    let prepared = prepare(&cast);
    let auditor = Auditor::of(&cast.service);
    let before = ends(&auditor);
    attack(&cast, &prepared);
    // Whatever was to be written later has been.
    thread::sleep(Duration::from_millis(200));
    let written: Vec<String> = new_events(&auditor, &before);
    drop(turn);
    assert!(written.is_empty(), "bad input wrote {written:?}");
}

/// The last position of each log.
fn ends(auditor: &Auditor) -> BTreeMap<String, u64> {
    let mut ends = BTreeMap::new();
    for event in auditor.events(&[("limit", "1000")]) {
        let (place, seq) = place_and_seq(&event);
        let end = ends.entry(place).or_insert(seq);
        *end = seq.max(*end);
    }
    ends
}

fn new_events(auditor: &Auditor, before: &BTreeMap<String, u64>) -> Vec<String> {
    let is_new = |event: &serde_json::Value| {
        let (place, seq) = place_and_seq(event);
        before.get(&place).is_none_or(|end| seq > *end)
    };
    let events = auditor.events(&[("limit", "1000")]);
    let new = events.iter().filter(|event| is_new(event) && event["type"] != "audit_queried");
    new.map(|event| format!("{} {}", event["address"], event["type"])).collect()
}
