//! The audit interface: everything once, in order, by whatever is asked for; and reading it leaves a trace.

use grantlog_tests::{
    Registration, Service,
    audit::{Auditor, place_and_seq},
    jwt,
    party::Cast,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// E1, E9: pages follow positions; no event is left out and none comes twice.
#[test]
fn small_pages_give_each_event_once_and_in_the_order_of_its_log() {
    let cast = Cast::on_shared();
    for _ in 0..5 {
        let _ = cast.delegated(&cast.first_token());
    }
    let auditor = Auditor::of(&cast.service);
    let query = |limit| [("subject", cast.user.id.as_str()), ("limit", limit)];
    let (in_pages, at_once) = (auditor.events(&query("3")), auditor.events(&query("1000")));
    assert_eq!(addresses(&in_pages), addresses(&at_once));
    assert!(in_pages.len() >= 11, "one person created, ten tokens issued: {}", in_pages.len());
    must_ascend(&in_pages);
}

/// E1: over the registry, which every test writes to meanwhile, positions are dense from 0.
#[test]
fn a_whole_log_has_no_gap() {
    let service = Service::shared();
    let events = Auditor::of(&service).events(&[("limit", "500")]);
    must_ascend(&events);
    let mut next: BTreeMap<String, u64> = BTreeMap::new();
    for event in &events {
        let (place, seq) = place_and_seq(event);
        let expected = next.entry(place).or_default();
        assert_eq!(seq, *expected, "a gap before {}", event["address"]);
        *expected += 1;
    }
    assert!(next.len() > 1, "there is a registry and at least one more log");
}

/// CONTRACT, audit: each filter admits what it names and nothing else.
#[test]
fn filters_admit_what_they_name_and_nothing_else() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let child = cast.delegated(&token);
    let auditor = Auditor::of(&cast.service);
    let of_client = auditor.events(&[("client_id", &cast.backend.id)]);
    assert!(!of_client.is_empty() && of_client.iter().all(|event| event["client_id"] == cast.backend.id.as_str()));
    let delegations = auditor.events(&[("subject", &cast.user.id), ("type", "token_delegated")]);
    assert_eq!(
        delegations.iter().map(|event| event["jti"].as_str()).collect::<Vec<_>>(),
        [Some(jwt::jti(&child).as_str())]
    );
    let at = delegations[0]["recorded_at"].as_str().unwrap();
    let since = auditor.events(&[("subject", &cast.user.id), ("from", at)]);
    assert!(since.iter().any(|event| event["jti"] == delegations[0]["jti"]), "`from` is included");
    let until = auditor.events(&[("subject", &cast.user.id), ("to", at)]);
    assert!(until.iter().all(|event| event["recorded_at"].as_str() < Some(at)), "`to` is not");
}

/// DESIGN §3: an event says who, what, when and with which outcome, and names its bytes by their digest.
#[test]
fn an_event_says_who_what_when_and_how_it_ended() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    cast.backend.exchange(&token).scope("phone").send().must_refuse(400, "invalid_scope");
    let events = Auditor::of(&cast.service).events(&[("subject", &cast.user.id), ("raw", "true")]);
    for event in &events {
        for member in ["address", "id", "type", "occurred_at", "recorded_at", "digest", "raw", "subject"] {
            assert!(event[member].is_string(), "no {member} in {event}");
        }
        assert!(event["body"].is_object());
        assert_eq!(event["digest"].as_str().unwrap().len(), 64);
    }
    let outcomes: BTreeSet<String> = events.iter().map(|event| event["outcome"].to_string()).collect();
    assert!(outcomes.contains("\"granted\"") && outcomes.contains(r#"{"refused":"scope_empty"}"#), "{outcomes:?}");
}

/// DESIGN §10: reading the log is an event in the registry; other tests read meanwhile, so at least one.
#[test]
fn reading_the_log_leaves_a_trace_in_it() {
    let service = Service::shared();
    let auditor = Auditor::of(&service);
    let traces = || auditor.events(&[("type", "audit_queried"), ("limit", "1000")]).len();
    let before = traces();
    let _ = auditor.page(&[("limit", "1")], None).expect(200);
    // The page, and the counting before it.
    assert!(traces() >= before + 2);
}

/// An unknown token is 404, also one whose place exists.
#[test]
fn an_unknown_token_has_no_history() {
    let cast = Cast::on_shared();
    let jti = jwt::jti(&cast.first_token());
    let auditor = Auditor::of(&cast.service);
    let forged = format!("{}{}", &jti[..jti.len() - 1], if jti.ends_with('0') { '1' } else { '0' });
    for unknown in [forged.as_str(), "1-0-0-00000000", "1-9999-1-00000000", "7-1-1-00000000", "1-1-999999999-00000000"]
    {
        let answer = cast.service.get(&format!("/audit/tokens/{unknown}")).bearer(&auditor.token).send();
        assert!(answer.status == 404 && answer.error().is_some(), "{unknown}: {answer:?}");
    }
}

/// CONTRACT: `?at=` takes an address too, and is exact to the event.
#[test]
fn the_past_can_be_asked_for_to_the_event() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    assert_eq!(cast.frontend.revoke(&token).status, 200);
    let (auditor, jti) = (Auditor::of(&cast.service), jwt::jti(&token));
    let history = auditor.history(&jti);
    let events = history["events"].as_array().unwrap();
    let (issued, revoked) =
        (events[0]["address"].as_str().unwrap(), events[events.len() - 1]["address"].as_str().unwrap());
    assert_eq!(auditor.history_at(&jti, issued)["state"], "active");
    assert_eq!(auditor.history_at(&jti, revoked)["state"], "revoked");
}

/// E4: machine grants spread over the logs, so that a busy client makes no hot one.
#[test]
fn a_busy_clients_own_tokens_are_spread_over_the_logs() {
    let client = Registration::machine("busy").scope("read").register(&Service::shared());
    let shard = |token: &str| jwt::jti(token).split('-').nth(1).unwrap().to_owned();
    let shards: BTreeSet<String> = (0..64).map(|_| shard(&client.own_token("read"))).collect();
    // Of 64 shards, 64 random picks leave fewer than 25 with a chance of less than one in a million.
    assert!(shards.len() >= 25, "64 tokens went to {} logs", shards.len());
}

fn addresses(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["address"].as_str().unwrap()).collect()
}

fn must_ascend(events: &[Value]) {
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for (place, seq) in events.iter().map(place_and_seq) {
        let before = last.insert(place.clone(), seq);
        assert!(before.is_none_or(|before| before < seq), "{place}: {seq} came after {before:?}");
    }
}
