//! History of a token: who ended it, when, what descends from it, and the bounds of `?at=`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod log;

use grantlog_events::{
    Body, Draft, Place, Subject, Timestamp,
    command::{EraseSubject, HearClient, HearKey},
};
use grantlog_projections::token_history::{self, At, TokenHistory};
use log::{Log, START};
use serde_json::{Value, json};

const SHARD: Place = Place { epoch: 1, shard: 0 };

fn ask(log: &Log, seq: u64, at: Option<At>) -> Option<TokenHistory> {
    token_history::of(log.events.iter().cloned(), log.event(seq), at, log.now)
}

fn told(log: &Log, seq: u64) -> Value {
    ask(log, seq, None).unwrap().to_json()
}

/// A person's token, exchanged once and once more.
fn chain() -> (Log, Subject, [u64; 3]) {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let first = log.issue(Some(&person), "openid profile");
    let second = log.later(1).exchange(first, None);
    let third = log.later(1).exchange(second, None);
    (log, person, [first, second, third])
}

fn addresses(history: &Value) -> Vec<&str> {
    history["events"].as_array().unwrap().iter().map(|event| event["address"].as_str().unwrap()).collect()
}

#[test]
fn a_live_token_tells_its_lineage_and_its_children() {
    let (log, person, [first, second, third]) = chain();
    let history = told(&log, second);
    assert_eq!(history["state"], "active");
    assert_eq!(history["kind"], "access_token");
    assert_eq!(history["issued_at"], "2024-05-01T10:00:01.000Z");
    assert_eq!(history["expires_at"], "2024-05-01T10:15:00.000Z");
    assert_eq!(history["subject"], person.as_str());
    assert_eq!(history["client_id"], "gateway");
    assert_eq!(history["scope"], "openid profile");
    assert_eq!(history["grant"], format!("1.0.{first}"));
    assert_eq!(history["lineage"], json!([log.jti(first).to_string()]));
    assert_eq!(history["children"], json!([log.jti(third).to_string()]));
    assert_eq!(told(&log, first)["descendants"], 2);
    assert_eq!(history.get("revoked_at"), None);
}

#[test]
fn the_delegation_chain_has_the_newest_actor_first() {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let token = log.issue(Some(&person), "openid");
    let (older, newer) = (log.issue(None, "openid"), log.issue(None, "openid"));
    let once = log.exchange(token, Some(older));
    let twice = log.exchange(once, Some(newer));
    let actor = |seq| json!({ "client_id": "app", "jti": log.jti(seq).to_string() });
    assert_eq!(told(&log, twice)["actors"], json!([actor(newer), actor(older)]));
    assert!(addresses(&told(&log, newer)).contains(&format!("1.0.{twice}").as_str()));
}

/// X5: revoking a token kills its whole subtree, and only that.
#[test]
fn revoking_a_token_ends_its_subtree_and_nothing_above() {
    let (mut log, _, [first, second, third]) = chain();
    let by = log.later(1).revoke(second, "stolen");
    assert_eq!(told(&log, first)["state"], "active");
    let own = told(&log, second);
    assert_eq!((&own["state"], &own["reason"]), (&json!("revoked"), &json!("stolen")));
    assert_eq!(own["revoked_at"], "2024-05-01T10:00:03.000Z");
    assert_eq!(own["ended_by"], json!({ "address": format!("1.0.{by}"), "cause": "token_revoked", "by": "operator" }));
    assert_eq!(told(&log, third)["ended_by"]["cause"], "ancestor_revoked");
    assert!(addresses(&told(&log, third)).contains(&format!("1.0.{by}").as_str()));
}

#[test]
fn whatever_ends_a_token_is_named() {
    type Ends = fn(&mut Log, &Subject, u64) -> u64;
    let cases: [(&str, Ends); 6] = [
        ("grant_revoked", |log, _, first| log.revoke_grant(first)),
        ("subject_tokens_revoked", |log, person, _| log.revoke_subject(person)),
        ("subject_suspended", |log, person, _| log.suspend(person, true)),
        ("subject_erased", |log, person, _| log.grant(EraseSubject { subject: person.clone() })),
        ("client_deleted", |log, _, _| log.grant(told_of_gateway(true))),
        ("client_tokens_revoked", |log, _, _| log.grant(told_of_gateway(false))),
    ];
    for (cause, ends) in cases {
        let (mut log, person, [first, second, _]) = chain();
        let by = ends(log.later(5), &person, first);
        let history = told(&log, second);
        assert_eq!(history["state"], "revoked", "{cause}");
        assert_eq!(history["ended_by"]["cause"], cause);
        assert_eq!(history["ended_by"]["address"], format!("1.0.{by}"));
        assert_eq!(history["revoked_at"], "2024-05-01T10:00:07.000Z");
    }
}

fn told_of_gateway(deleted: bool) -> HearClient {
    HearClient { client: log::client("gateway"), generation: 1, registry_seq: 9, deleted, revoke_tokens: !deleted }
}

#[test]
fn a_distrusted_key_ends_what_it_signed() {
    let (mut log, _, [first, ..]) = chain();
    log.grant(HearKey { kid: log::kid(), registry_seq: 3 });
    assert_eq!(told(&log, first)["ended_by"]["cause"], "key_compromised");
}

#[test]
fn a_suspension_that_ends_gives_life_back_and_a_revocation_within_it_does_not() {
    let (mut log, person, [first, second, _]) = chain();
    log.later(1).suspend(&person, true);
    let by = log.later(1).revoke(second, "");
    log.later(1).suspend(&person, false);
    assert_eq!(told(&log, first)["state"], "active");
    assert_eq!(told(&log, second)["ended_by"]["address"], format!("1.0.{by}"));
}

#[test]
fn a_voided_exchange_is_revoked_and_nobodys_child() {
    let (mut log, _, [first, second, _]) = chain();
    let actor = log.issue(None, "openid");
    let delegated = log.exchange(first, Some(actor));
    log.void(delegated);
    let own = told(&log, delegated);
    assert_eq!((&own["state"], &own["reason"]), (&json!("revoked"), &json!("voided")));
    assert_eq!(told(&log, first)["children"], json!([log.jti(second).to_string()]));
    assert_eq!(told(&log, first)["descendants"], 2);
}

#[test]
fn a_token_that_outlived_its_time_has_expired_and_is_not_revoked_afterwards() {
    let (mut log, person, [first, ..]) = chain();
    log.now = Timestamp(START + 900_000);
    assert_eq!(told(&log, first)["state"], "expired");
    log.revoke_subject(&person);
    assert_eq!(told(&log, first)["state"], "expired");
}

#[test]
fn an_instant_shows_what_was_recorded_by_then() {
    let (mut log, _, [first, second, _]) = chain();
    log.later(10).revoke(first, "");
    let revoked_at = log.now;
    let at = |millis| ask(&log, first, Some(At::Instant(Timestamp(millis)))).map(|history| history.life.name());
    assert_eq!(at(revoked_at.0 - 1), Some("active"));
    assert_eq!(at(revoked_at.0), Some("revoked"));
    assert_eq!(at(START - 1), None);
    let before_exchange = ask(&log, first, Some(At::Instant(Timestamp(START)))).unwrap();
    assert!(before_exchange.children.is_empty());
    assert!(ask(&log, second, Some(At::Instant(Timestamp(START)))).is_none());
}

#[test]
fn an_address_is_an_exact_and_inclusive_bound_within_one_millisecond() {
    let mut log = Log::open(SHARD);
    let token = log.issue(None, "openid");
    let by = log.revoke(token, "");
    let at = |seq| ask(&log, token, Some(At::Address(seq))).map(|history| history.life.name());
    assert_eq!(at(token - 1), None);
    assert_eq!(at(token), Some("active"));
    assert_eq!(at(by), Some("revoked"));
}

#[test]
fn an_event_that_is_not_in_the_log_or_issued_no_token_has_no_history() {
    let (log, _, [first, ..]) = chain();
    let elsewhere = grantlog_events::Event { request: None, ..log.event(first).clone() };
    assert!(token_history::of(log.events.iter().cloned(), &elsewhere, None, log.now).is_none());
    assert!(ask(&log, 1, None).is_none());
}

#[test]
fn a_refused_exchange_is_part_of_the_tokens_history() {
    let (mut log, _, [first, ..]) = chain();
    let mut command = log.exchange_of(first, None);
    command.audience = vec!["https://elsewhere.example".to_owned()];
    log.run(&command.into());
    let history = told(&log, first);
    let last = history["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["type"], "exchange_refused");
    assert_eq!(last["outcome"], json!({ "refused": "target_not_admitted" }));
}

#[test]
fn an_unknown_ancestor_is_shown_by_its_address() {
    let mut log = Log::open(SHARD);
    let first = log.issue(None, "openid");
    let Body::TokenIssued(issued) = log.event(first).body.clone() else { panic!("not issued") };
    let forged = Draft { ancestors: vec![0], ..Draft::of(Body::TokenImpersonated(issued.token)) }
        .of_client(log::client("gateway"))
        .under(grantlog_events::envelope::GrantOf::Position(first));
    let seq = log.forge(forged);
    assert_eq!(told(&log, seq)["lineage"], json!(["1.0.0"]));
}
