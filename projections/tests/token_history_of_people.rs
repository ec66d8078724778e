//! History of tokens that a person's login led to: codes, refreshes, exchanged families, and what ends them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod log;

use grantlog_events::{Place, Refusal, Subject, decide::Answer};
use grantlog_projections::token_history;
use log::{Log, people::OFFLINE};
use serde_json::{Value, json};

const SHARD: Place = Place { epoch: 1, shard: 0 };

fn told(log: &Log, seq: u64) -> Value {
    token_history::of(log.events.iter().cloned(), log.event(seq), None, log.now).unwrap().to_json()
}

fn touching(history: &Value) -> Vec<(&str, &str)> {
    let events = history["events"].as_array().unwrap();
    events.iter().map(|event| (event["type"].as_str().unwrap(), event["address"].as_str().unwrap())).collect()
}

fn here(seq: u64) -> String {
    SHARD.at(seq).to_string()
}

/// A person's grant: session, code, first token.
struct Login {
    log: Log,
    person: Subject,
    session: u64,
    code: u64,
    first: u64,
}

fn login(scope: &str) -> Login {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let session = log.log_in(&person);
    let code = log.later(1).code(&person, session, scope);
    let first = log.later(1).redeem(code);
    Login { log, person, session, code, first }
}

#[test]
fn a_token_of_a_code_tells_of_its_session_its_code_and_what_its_refresh_token_bought() {
    let Login { mut log, person, session, code, first } = login("openid profile");
    let second = log.later(10).refresh(code, 1);
    let third = log.later(100).refresh(code, 2);
    let history = told(&log, first);
    assert_eq!((&history["grant"], &history["lineage"]), (&json!(here(code)), &json!([])));
    assert_eq!((&history["session"], &history["subject"]), (&json!(here(session)), &json!(person.as_str())));
    let of_first = [
        ("session_started", here(session)),
        ("code_issued", here(code)),
        ("code_redeemed", here(first)),
        ("token_refreshed", here(second)),
    ];
    assert_eq!(touching(&history), of_first.each_ref().map(|(kind, at)| (*kind, at.as_str())));
    let of_third = [
        ("session_started", here(session)),
        ("code_issued", here(code)),
        ("token_refreshed", here(second)),
        ("token_refreshed", here(third)),
    ];
    assert_eq!(touching(&told(&log, third)), of_third.each_ref().map(|(kind, at)| (*kind, at.as_str())));
    assert_eq!(told(&log, first)["children"], json!([]), "a refresh token is nobody's ancestor");
}

/// R1, E13: that an answer was given again is part of the history of the token that was given.
#[test]
fn a_replay_touches_the_token_that_was_given_again_and_the_one_it_came_with() {
    let Login { mut log, code, first, .. } = login("openid");
    let second = log.later(10).refresh(code, 1);
    assert_eq!(log.later(1).refresh(code, 1), second);
    let replayed = here(second + 1);
    for seq in [first, second] {
        assert!(touching(&told(&log, seq)).contains(&("refresh_replayed", replayed.as_str())));
    }
}

/// E13: why a refresh failed stands in the history of the token it would have replaced.
#[test]
fn a_refused_refresh_is_part_of_the_history_of_the_token_it_came_with() {
    let Login { mut log, person, code, first, .. } = login(OFFLINE);
    log.later(1).suspend(&person, true);
    assert_eq!(log.try_to_refresh(code, 1), Answer::Refused(Refusal::SubjectSuspended));
    let history = told(&log, first);
    let last = history["events"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["type"], &last["outcome"]),
        (&json!("refresh_refused"), &json!({ "refused": "subject_suspended" }))
    );
    assert_eq!(history["ended_by"]["cause"], "subject_suspended");
}

/// RB, V15: a grant is one login with one client; another one is not touched.
#[test]
fn another_grant_of_the_same_person_touches_nothing() {
    let Login { mut log, person, session, code, first } = login("openid");
    let before = touching(&told(&log, first)).len();
    let other = log.code(&person, session, "openid");
    let others = log.redeem(other);
    log.refresh(other, 1);
    let elsewhere = log.log_in(&person);
    log.end_session(elsewhere, true);
    log.revoke_grant(other);
    let history = told(&log, first);
    assert_eq!((touching(&history).len(), &history["state"]), (before, &json!("active")));
    assert_eq!(told(&log, others)["state"], "revoked");
    assert!(log.try_to_refresh(code, 1) == Answer::Granted);
}

#[test]
fn the_end_of_the_session_ends_what_was_issued_for_its_duration() {
    let Login { mut log, session, code, .. } = login("openid");
    let token = log.later(5).refresh(code, 1);
    let by = log.later(5).end_session(session, false);
    let history = told(&log, token);
    assert_eq!((&history["state"], &history["reason"]), (&json!("revoked"), &json!("session_ended")));
    assert_eq!(history["revoked_at"], "2024-05-01T10:00:12.000Z");
    assert_eq!(history["ended_by"], json!({ "address": here(by), "cause": "session_ended", "by": "logout" }));
    assert!(touching(&history).contains(&("session_ended", here(by).as_str())));
}

#[test]
fn a_grant_that_outlives_its_session_ends_with_it_only_where_that_is_said() {
    let Login { mut log, session, first, .. } = login(OFFLINE);
    let bare = log.clone();
    log.later(5).end_session(session, true);
    let history = told(&log, first);
    assert_eq!((&history["state"], &history["reason"]), (&json!("revoked"), &json!("session_ended")));
    assert_eq!(history["ended_by"]["cause"], "grant_revoked");
    let mut log = bare;
    log.later(5).end_session(session, false);
    let history = told(&log, first);
    assert_eq!((&history["state"], history.get("session")), (&json!("active"), None));
}

#[test]
fn a_withdrawn_consent_ends_the_grants_under_it() {
    let Login { mut log, person, session, code, .. } = login(OFFLINE);
    let token = log.later(5).refresh(code, 1);
    let by = log.later(5).withdraw(&person, session);
    let history = told(&log, token);
    assert_eq!((&history["state"], &history["reason"]), (&json!("revoked"), &json!("consent_withdrawn")));
    assert_eq!(history["ended_by"], json!({ "address": here(by), "cause": "grant_revoked", "by": "person" }));
}

/// R3, RA: reuse ends every token of the family, and says that it was reuse.
#[test]
fn reuse_of_a_refresh_token_is_the_reason_why_its_family_ended() {
    let Login { mut log, code, first, .. } = login("openid");
    let second = log.later(10).refresh(code, 1);
    assert_eq!(log.later(31).try_to_refresh(code, 1), Answer::Refused(Refusal::RefreshTokenReused));
    let by = here(log.state.head.next - 1);
    for token in [first, second] {
        let history = told(&log, token);
        assert_eq!((&history["state"], &history["reason"]), (&json!("revoked"), &json!("refresh_token_reuse")));
        assert_eq!(history["ended_by"]["address"], by);
    }
}

/// R20: a code that is used again ends what it bought.
#[test]
fn reuse_of_a_code_is_the_reason_why_its_tokens_ended() {
    let Login { mut log, code, first, .. } = login("openid");
    let again = log.redemption(code);
    assert_eq!(log.later(1).run(&again.into()), Answer::Refused(Refusal::CodeReused));
    assert_eq!(told(&log, first)["reason"], "code_reuse");
}

/// X5: what is refreshed in an exchanged family descends from the exchange and all above it.
#[test]
fn what_an_exchanged_family_refreshes_descends_from_the_exchange() {
    let Login { mut log, code, first, .. } = login(OFFLINE);
    let exchange = log.later(1).exchange_with_refresh(first);
    let refreshed = log.later(1).refresh(exchange, 1);
    let again = log.later(1).refresh(exchange, 2);
    let jti = |seq| log.jti(seq).to_string();
    assert_eq!(told(&log, first)["children"], json!([jti(exchange)]));
    assert_eq!(told(&log, first)["descendants"], 3);
    assert_eq!(told(&log, exchange)["children"], json!([jti(refreshed), jti(again)]));
    let history = told(&log, again);
    assert_eq!(history["lineage"], json!([jti(first), jti(exchange)]));
    assert_eq!((&history["grant"], &history["client_id"]), (&json!(here(code)), &json!("gateway")));
    assert!(touching(&history).contains(&("code_issued", here(code).as_str())));
    log.later(1).revoke(first, "");
    assert_eq!(told(&log, again)["ended_by"]["cause"], "ancestor_revoked");
}

#[test]
fn revoking_an_exchanged_family_ends_its_refreshed_tokens_and_not_the_grant() {
    let Login { mut log, first, .. } = login(OFFLINE);
    let exchange = log.later(1).exchange_with_refresh(first);
    let refreshed = log.later(1).refresh(exchange, 1);
    assert_eq!(log.later(31).refresh(exchange, 2), refreshed + 1);
    assert_eq!(log.later(31).try_to_refresh(exchange, 1), Answer::Refused(Refusal::RefreshTokenReused));
    assert_eq!(told(&log, refreshed)["reason"], "refresh_token_reuse");
    assert_eq!(told(&log, exchange)["state"], "revoked");
    assert_eq!(told(&log, first)["state"], "active");
}
