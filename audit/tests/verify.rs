//! E18: truncate, reorder, edit, drop, fork: each found by `verify`, each with its own exit code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{FIRST, SECOND, World, assert_wrong, bytes_of, fresh_path, grantlog, rechained};
use grantlog_events::{Event, Place, Stored, cbor::Value};
use std::fs;

#[test]
fn a_sound_export_passes_and_is_not_authenticated() {
    let export = World::new().write();
    let ended = grantlog(&["verify", &export.path(), "--json"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    let report: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["sound"], true);
    assert_eq!(report["authenticated"], false);
    assert_eq!(report["logs"], 3);
    assert_eq!(report["checked"].as_array().unwrap().len(), 9);
    assert!(export.verify().out.contains("authenticated: false"));
    assert_eq!(ended.err, "", "no bar where nobody watches");
}

/// E18: an edit of one byte, wherever it is.
#[test]
fn an_edited_byte_is_found_wherever_it_is() {
    let world = World::new();
    let export = world.write();
    let sound = fs::read(export.events(FIRST)).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for at in (0..sound.len()).step_by(5) {
        let mut edited = sound.clone();
        edited[at] ^= 1 << (at % 8);
        fs::write(export.events(FIRST), &edited).unwrap();
        let ended = export.verify();
        assert!(matches!(ended.code, 13 | 16), "byte {at}: {} {}", ended.code, ended.out);
        seen.insert(ended.code);
    }
    assert_eq!(seen.len(), 2, "both kinds of edit occur");
}

/// E18: an edit that stays canonical.
#[test]
fn an_event_that_was_rewritten_differs_from_its_entry() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    let edited = Event { client: Some(bundle::log::client("other")), ..world.first.event(world.chain[1]).clone() };
    events[3] = edited.to_bytes();
    fs::write(export.events(FIRST), events.concat()).unwrap();
    assert_wrong(&export.verify(), 13, "1.0.3: the event's bytes have the digest");
}

#[test]
fn another_spelling_of_the_same_event_is_not_canonical() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    // The map's head with its length in a byte of its own.
    let length = events[1][0] & 0x1f;
    events[1].splice(0..1, [0xb8, length]);
    export.put_log(FIRST, &events);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_wrong(&export.verify(), 16, "1.0.1: the bytes are not the canonical form of an event");
}

#[test]
fn bytes_that_are_no_items_are_not_canonical() {
    let world = World::new();
    let export = world.write();
    let mut bytes = fs::read(export.events(SECOND)).unwrap();
    bytes.push(0xff);
    fs::write(export.events(SECOND), bytes).unwrap();
    assert_wrong(&export.verify(), 16, "not CBOR of definite length");
}

/// E18: a cut tail is seen against the manifest, also in the middle of an event.
#[test]
fn a_cut_tail_is_found() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    let whole = events.concat();
    events.pop();
    fs::write(export.events(FIRST), events.concat()).unwrap();
    assert_wrong(&export.verify(), 15, "the tail was cut");
    fs::write(export.events(FIRST), &whole[..whole.len() - 3]).unwrap();
    assert_wrong(&export.verify(), 15, "the tail was cut");
    let sealed = fs::read(export.manifest()).unwrap();
    export.put_log(FIRST, &events);
    fs::write(export.manifest(), sealed).unwrap();
    assert_wrong(&export.verify(), 15, "6 of 7 events");
}

#[test]
fn a_last_event_that_the_manifest_does_not_name_is_a_cut_tail() {
    let world = World::new();
    let export = world.write();
    let sealed = fs::read(export.manifest()).unwrap();
    let mut events: Vec<Event> = world.first.events.iter().map(|(event, _)| event.clone()).collect();
    events.last_mut().unwrap().sealed = Some(grantlog_events::stored::Bytes(vec![1]));
    export.put_log(FIRST, &rechained(&events));
    fs::write(export.manifest(), sealed).unwrap();
    assert_wrong(&export.verify(), 15, "is not the one that the manifest names");
}

/// E18: reordered, with and without the digests and the manifest made to agree.
#[test]
fn a_reorder_is_found() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    events.swap(4, 5);
    fs::write(export.events(FIRST), events.concat()).unwrap();
    assert_wrong(&export.verify(), 14, "1.0.4: here stands the event of position 5");
    export.put_log(FIRST, &events);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_wrong(&export.verify(), 14, "1.0.4: the event has position 5");
}

/// E18: dropped in the middle, with and without the digests and the manifest made to agree.
#[test]
fn a_gap_is_found() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    events.remove(5);
    fs::write(export.events(FIRST), events.concat()).unwrap();
    assert_wrong(&export.verify(), 14, "1.0.5: here stands the event of position 6");
    export.put_log(FIRST, &events);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_wrong(&export.verify(), 14, "1.0.5: the event has position 6");
}

#[test]
fn a_link_that_does_not_hold_is_found_though_everything_else_agrees() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    events[4] = Event { client: Some(bundle::log::client("other")), ..world.first.event(4).clone() }.to_bytes();
    export.put_log(FIRST, &events);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_wrong(&export.verify(), 14, "1.0.5: the event does not follow the one before it");
}

#[test]
fn an_event_of_another_log_is_found() {
    let mut world = World::new();
    let foreign = world.second.events[0].clone();
    world.first.events[0] = foreign;
    assert_wrong(&world.write().verify(), 14, "1.0.0: the event belongs to the log op.example/log/1/1");
}

/// E18: a bare chain can be recomputed; what was verified before cannot.
#[test]
fn a_recomputed_chain_passes_alone_and_fails_against_the_last_verified_state() {
    let mut world = World::new();
    let state = fresh_path("state");
    assert_eq!(world.write().verify_against(&state).code, 0);
    let mut events: Vec<Event> = world.first.events.iter().map(|(event, _)| event.clone()).collect();
    events.last_mut().unwrap().client = Some(bundle::log::client("other"));
    let forked = rechained(&events);
    let export = world.write();
    export.put_log(FIRST, &forked);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_eq!(export.verify().code, 0);
    assert_wrong(&export.verify_against(&state), 12, "1.0.6: forked");
    world.first.events.pop();
    assert_wrong(&world.write().verify_against(&state), 12, "rolled back to 6 events; 7 were verified before");
    fs::remove_file(state).unwrap();
}

#[test]
fn an_extension_passes_and_becomes_the_last_verified_state() {
    let mut world = World::new();
    let state = fresh_path("state");
    let ended = world.write().verify_against(&state);
    assert!(ended.out.contains("nothing was verified before"), "{}", ended.out);
    world.first.revoke(world.chain[0], "");
    let longer = world.write();
    let ended = longer.verify_against(&state);
    assert!(ended.out.contains("every log extends its last verified end"), "{}", ended.out);
    world.first.events.pop();
    assert_wrong(&world.write().verify_against(&state), 12, "8 were verified before");
    let ended = longer.verify_against(&state);
    assert_eq!(ended.code, 0, "a failed run leaves the state as it was");
    fs::remove_file(state).unwrap();
}

#[test]
fn an_unreadable_directory_or_state_is_no_verdict() {
    let absent = fresh_path("absent");
    assert_wrong(&grantlog(&["verify", absent.to_str().unwrap()]), 2, "cannot be read");
    let export = World::new().write();
    let state = fresh_path("state");
    fs::write(&state, "[]").unwrap();
    assert_wrong(&export.verify_against(&state), 2, "holds no verified state");
    fs::remove_file(state).unwrap();
}

/// A reader fails closed on a type that it does not know, and does not call it an alteration.
#[test]
fn an_event_type_from_the_future_is_unreadable() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.second);
    let Value::Map(mut entries) = Value::decode(&events[1]).unwrap() else { panic!("not a map") };
    entries.iter_mut().find(|(key, _)| *key == 2).unwrap().1 = Value::Uint(9999);
    events[1] = Value::Map(entries).encode();
    fs::write(export.events(SECOND), events.concat()).unwrap();
    assert_wrong(&export.verify(), 13, "1.1.1");
    export.put_log(SECOND, &events);
    export.seal([Place::REGISTRY, FIRST, SECOND]);
    assert_wrong(&export.verify(), 2, "event type 9999 is unknown");
}

#[test]
fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    for arguments in [&["verify"][..], &["verify", "a", "--key", "k"], &["rebuild"], &[], &["verify", "a", "b"]] {
        assert_eq!(grantlog(arguments).code, 1, "{arguments:?}");
    }
    assert_eq!(grantlog(&["--help"]).code, 0);
}
