//! Questions to an export: a token's state at an instant, replay, lineage, diff.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{Ended, Export, FIRST, SECOND, World, bytes_of, fresh_path, grantlog};
use grantlog_events::Place;
use grantlog_projections::replay::rows_digest;
use serde_json::{Value, json};
use std::fs;

fn state(export: &Export, jti: &str, at: &str) -> Ended {
    grantlog(&["state", &export.path(), "--jti", jti, "--at", at])
}

fn told(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{}", ended.err);
    serde_json::from_str(&ended.out).unwrap()
}

fn assert_refused(ended: &Ended, code: i32, words: &str) {
    assert_eq!(ended.code, code, "{}", ended.err);
    assert!(ended.err.contains(words), "{words:?} is not in {}", ended.err);
    assert_eq!(ended.err.lines().count(), 1, "one sentence");
}

#[test]
fn a_tokens_state_before_and_after_a_revocation_differs() {
    let mut world = World::new();
    let jti = world.first.jti(world.chain[1]).to_string();
    world.first.later(10).revoke(world.chain[0], "stolen");
    let export = world.write();
    let before = told(&state(&export, &jti, "2024-05-01T10:00:14.999Z"));
    let after = told(&state(&export, &jti, "2024-05-01T10:00:15Z"));
    assert_eq!((&before["state"], &before["reason"]), (&json!("active"), &Value::Null));
    assert_eq!((&after["state"], &after["reason"]), (&json!("revoked"), &json!("stolen")));
    assert_eq!(after["revoked_at"], "2024-05-01T10:00:15.000Z");
    assert_eq!(after["ended_by"]["cause"], "ancestor_revoked");
    assert_eq!(after["lineage"], json!([world.first.jti(world.chain[0]).to_string()]));
    assert_eq!(after["children"], json!([world.first.jti(world.chain[2]).to_string()]));
}

#[test]
fn an_address_bounds_exactly() {
    let mut world = World::new();
    let jti = world.first.jti(world.chain[1]).to_string();
    let by = world.first.revoke(world.chain[1], "");
    let export = world.write();
    assert_eq!(told(&state(&export, &jti, &format!("1.0.{}", by - 1)))["state"], "active");
    assert_eq!(told(&state(&export, &jti, &format!("1.0.{by}")))["state"], "revoked");
    assert_refused(&state(&export, &jti, &format!("1.0.{}", by + 1)), 2, "has no event");
}

#[test]
fn without_a_bound_the_present_decides() {
    let world = World::new();
    let jti = world.first.jti(world.chain[0]).to_string();
    let ended = grantlog(&["state", &world.write().path(), "--jti", &jti]);
    assert_eq!(told(&ended)["state"], "expired");
}

#[test]
fn what_the_export_cannot_answer_is_said_in_a_sentence() {
    let world = World::new();
    let export = world.write();
    let jti = world.first.jti(world.chain[0]);
    let early = state(&export, &jti.to_string(), "2024-05-01T09:00:00Z");
    assert_refused(&early, 2, "Nothing had issued");
    let forged = format!("1-0-{}-00000000", jti.address.seq);
    assert_refused(&state(&export, &forged, "2024-06-01T00:00:00Z"), 2, "Nothing had issued");
    assert_refused(&state(&export, "1-9-0-00000000", "2024-06-01T00:00:00Z"), 2, "no log 1-9");
    assert_refused(&state(&export, "nonsense", "1.0.1"), 1, "not a jti");
    assert_refused(&state(&export, &jti.to_string(), "yesterday"), 1, "neither RFC 3339 nor an address");
    assert_refused(&state(&export, &jti.to_string(), "1.1.1"), 1, "in another log");
}

#[test]
fn replay_leaves_the_rows_that_the_shard_had() {
    let mut world = World::new();
    world.first.revoke(world.chain[0], "");
    let export = world.write();
    let replayed = told(&grantlog(&["replay", &export.path(), "--json"]));
    for (index, log) in world.logs().into_iter().enumerate() {
        let told = &replayed["logs"][index];
        assert_eq!(told["origin"], log.origin.as_str());
        assert_eq!(told["events"], log.events.len());
        assert_eq!(told["rows_sha256"], rows_digest(&log.state).hex());
    }
    assert!(grantlog(&["replay", &export.path()]).out.contains("op.example/log/1/0: 8 events, 3 rows,"));
}

#[test]
fn replay_stops_at_the_first_thing_wrong() {
    let world = World::new();
    let export = world.write();
    let mut events = bytes_of(&world.first);
    events.remove(3);
    fs::write(export.events(FIRST), events.concat()).unwrap();
    let ended = grantlog(&["replay", &export.path()]);
    assert_refused(&ended, 14, "op.example/log/1/0, at position 3: the event has position 4");
    fs::write(export.events(FIRST), b"\xff").unwrap();
    assert_refused(&grantlog(&["replay", &export.path()]), 16, "After 1.0.0: no whole event");
}

#[test]
fn a_lineage_is_a_tree_with_who_acts() {
    let mut world = World::new();
    world.first.void(world.delegated);
    let jti = |seq| world.first.jti(seq).to_string();
    let [root, once, twice] = world.chain;
    let export = world.write();
    let ended = grantlog(&["lineage", &export.path(), "--jti", &jti(once)]);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], format!("grant 1.0.{root}"));
    assert_eq!(lines[1], format!("  {} token_expired to app scope \"openid profile\"", jti(root)));
    assert_eq!(lines[2], format!("    {} token_expired to gateway scope \"openid profile\" <", jti(once)));
    assert_eq!(lines[3], format!("      {} token_expired to gateway scope \"openid profile\"", jti(twice)));
    assert_eq!(lines[4], format!("    {} voided to gateway scope \"openid profile\"", jti(world.delegated)));
    assert_eq!(lines[5], format!("      acting: app with {}", world.second.jti(world.actor)));
    let dot = grantlog(&["lineage", &export.path(), "--jti", &jti(once), "--dot"]).out;
    assert!(dot.starts_with("digraph \"1.0.2\" {") && dot.ends_with("}\n"));
    assert!(dot.contains(&format!("\"{}\" -> \"{}\";", jti(root), jti(once))));
    assert!(dot.contains("style=dashed, label=\"app\""));
}

#[test]
fn a_diff_names_the_first_difference_of_each_log() {
    let mut world = World::new();
    let (same, export) = (world.write(), world.write());
    let ended = grantlog(&["diff", &same.path(), &export.path()]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "no difference\n"));
    world.first.revoke(world.chain[0], "");
    let longer = world.write();
    let ended = grantlog(&["diff", &export.path(), &longer.path()]);
    assert_eq!(ended.code, 3);
    assert_eq!(ended.out, "1.0.7: the right export goes on from here, by 1 events\n");
    let mut events = bytes_of(&world.second);
    events.swap(0, 1);
    longer.put_log(SECOND, &events);
    longer.seal([Place::REGISTRY, SECOND]);
    let ended = grantlog(&["diff", &export.path(), &longer.path()]);
    assert_eq!(ended.out, "1-0: only in the left export\n1.1.0: the exports hold different events here\n");
    let absent = fresh_path("absent");
    assert_refused(&grantlog(&["diff", &export.path(), absent.to_str().unwrap()]), 2, "cannot be read");
}
