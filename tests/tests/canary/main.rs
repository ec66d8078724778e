//! Canaries: secrets, tokens and personal data that are used everywhere, well and badly, and must then
//! be in no file of the state and in no line of output.
//!
//! Clear claims may exist in KV alone (DESIGN §9); secrets and tokens nowhere at all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod flock;
mod needles;

use flock::Flock;
use grantlog_tests::server::OwnServer;
use needles::{Finding, Needle, search};
use std::{thread, time::Duration};

/// E17.
#[test]
fn no_secret_token_or_personal_datum_is_in_any_store_or_any_output() {
    let mut server = OwnServer::start("canary");
    let flock = Flock::release(&server.service());
    // Alarms project what was left over.
    thread::sleep(Duration::from_secs(2));
    server.kill();
    let needles = flock.needles();
    let found = search(&[server.state(), server.log()], &needles);
    let kv = server.state().join("v3").join("kv");
    let in_kv = found.iter().filter(|finding| finding.file.starts_with(&kv));
    assert!(
        in_kv.clone().any(|finding| finding.is_personal),
        "clear claims are in KV, so this search finds what is there"
    );
    let leaked: Vec<&Finding> =
        found.iter().filter(|finding| !(finding.is_personal && finding.file.starts_with(&kv))).collect();
    assert!(leaked.is_empty(), "{} of {} canaries leaked: {leaked:#?}", leaked.len(), needles.len());
}

/// Erasure leaves nothing behind, in KV neither.
#[test]
fn nothing_of_an_erased_person_is_left_anywhere() {
    let mut server = OwnServer::start("erasure");
    let (user, words) = flock::person(&server.service());
    assert_eq!(user.erase().status, 204);
    thread::sleep(Duration::from_secs(2));
    server.kill();
    let needles: Vec<Needle> = words.iter().map(|word| Needle::personal(word)).collect();
    let found = search(&[server.state(), server.log()], &needles);
    assert!(found.is_empty(), "an erased person is still in {found:#?}");
}
