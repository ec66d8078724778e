//! The JSON form of events, member by member, and of every type in the registry.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod log;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Digest, Place};
use grantlog_projections::rendered;
use log::Log;
use serde_json::{Value, json};

const SHARD: Place = Place { epoch: 1, shard: 0 };

fn render(log: &Log, seq: u64, with_raw: bool) -> Value {
    let (event, bytes) = &log.events[usize::try_from(seq).unwrap()];
    rendered::event(event, bytes, with_raw, &|seq| (seq < log.state.head.next).then(|| log.jti(seq)))
}

#[test]
fn a_delegated_exchange_shows_every_member_of_the_contract() {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let (token, actor) = (log.issue(Some(&person), "openid profile"), log.issue(None, "openid"));
    let seq = log.later(1).exchange(token, Some(actor));
    let (event, bytes) = log.events.last().unwrap();
    assert_eq!(
        render(&log, seq, false),
        json!({
            "address": "1.0.4",
            "id": event.id.to_string(),
            "type": "token_delegated",
            "occurred_at": "2024-05-01T10:00:01.000Z",
            "recorded_at": "2024-05-01T10:00:01.000Z",
            "jti": log.jti(seq).to_string(),
            "subject": person.as_str(),
            "client_id": "delegate",
            "grant": "1.0.2",
            "ancestors": [log.jti(token).to_string()],
            "actors": [{ "client_id": "app", "jti": log.jti(actor).to_string() }],
            "outcome": "granted",
            "request_id": event.request.unwrap().to_string(),
            "body": {
                "kind": "access_token",
                "kid": "k1",
                "alg": "ES256",
                "expires_at": "2024-05-01T10:15:00.000Z",
                "scope": "openid profile",
                "audience": ["https://api.example"],
                "cause": "token_exchange",
            },
            "digest": Digest::of(bytes).hex(),
        })
    );
}

#[test]
fn the_raw_bytes_come_only_when_asked_for_and_hash_to_the_digest() {
    let log = Log::open(SHARD);
    assert_eq!(render(&log, 0, false).get("raw"), None);
    let shown = render(&log, 0, true);
    let raw = URL_SAFE_NO_PAD.decode(shown["raw"].as_str().unwrap()).unwrap();
    assert_eq!(raw, log.events[0].1);
    assert_eq!(shown["digest"], Digest::of(&raw).hex());
}

#[test]
fn what_is_absent_has_no_member() {
    let log = Log::open(SHARD);
    let shown = render(&log, 0, false);
    for member in ["subject", "client_id", "grant", "ancestors", "actors", "jti"] {
        assert_eq!(shown.get(member), None, "{member}");
    }
    assert_eq!(shown["body"]["log"], "1.0");
}

#[test]
fn an_ancestor_that_cannot_be_named_is_shown_by_its_address() {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let token = log.issue(Some(&person), "openid");
    let seq = log.exchange(token, None);
    let (event, bytes) = &log.events[usize::try_from(seq).unwrap()];
    assert_eq!(rendered::event(event, bytes, false, &|_| None)["ancestors"], json!(["1.0.2"]));
}

#[test]
fn a_refusal_is_an_outcome_with_its_code() {
    let mut log = Log::open(SHARD);
    let token = log.issue(None, "openid");
    let mut command = log.exchange_of(token, None);
    command.audience = vec!["https://elsewhere.example".to_owned()];
    log.run(&command.into());
    let shown = render(&log, 2, false);
    assert_eq!(shown["outcome"], json!({ "refused": "target_not_admitted" }));
    assert_eq!(shown["body"], json!({ "subject_token": "1.0.1" }));
}

#[test]
fn a_revocation_says_what_by_whom_and_until_when() {
    let mut log = Log::open(SHARD);
    let token = log.issue(None, "openid");
    let seq = log.revoke(token, "stolen");
    let body = json!({ "target": "1.0.1", "by": "operator", "reason": "stolen", "until": "2024-05-01T10:15:00.000Z" });
    assert_eq!(render(&log, seq, false)["body"], body);
}
