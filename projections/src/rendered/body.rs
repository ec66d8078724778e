//! Bodies as JSON: one readable member per field, exhaustive over the registry of types.
//!
//! A new event type does not compile until it has a rendering here. Positions are shown as addresses in
//! the event's own log.

mod people;

use super::{
    Members, instant,
    metadata::{as_json, metadata},
};
use grantlog_events::{
    Body, Event, Place,
    body::{AssertionSpent, Ended, ExchangeRefused, ExchangeVoided, SubjectProfile, TokenIssued},
    token::{IssuedToken, MayAct},
};
use serde_json::{Value, json};

/// The JSON form of an event's body.
#[must_use]
pub fn body(event: &Event) -> Value {
    let here = |seq: u64| event.origin.place().at(seq).to_string();
    let in_registry = |seq: u64| Place::REGISTRY.at(seq).to_string();
    match &event.body {
        Body::LogOpened(log) => {
            json!({ "log": place(log.place), "verifier_key": log.verifier_key, "birth": hex(&log.birth) })
        }
        Body::EpochOpened(epoch) => json!({ "epoch": epoch.epoch, "shards": epoch.shards }),
        Body::LogBorn(born) => json!({ "origin": born.origin.as_str(), "verifier_key": born.verifier_key }),
        Body::ClientRegistered(client) => json!({ "metadata": metadata(&client.metadata) }),
        Body::ClientUpdated(client) => json!({
            "generation": client.generation,
            "metadata": metadata(&client.metadata),
            "secret_replaced": client.secret_replaced,
        }),
        Body::ClientDeleted(client) => json!({ "generation": client.generation }),
        Body::ClientTokensRevoked(client) => json!({ "generation": client.generation, "reason": client.reason }),
        Body::ClientChangeConfirmed(client) => {
            json!({ "generation": client.generation, "positions": positions(&client.positions) })
        }
        Body::KeyPublished(key) => {
            json!({ "kid": key.kid.as_str(), "alg": key.algorithm.name(), "jwk": as_json(&key.jwk) })
        }
        Body::KeyActivated(key) => json!({ "kid": key.kid.as_str() }),
        Body::KeyRetired(key) => json!({ "kid": key.kid.as_str(), "until": instant::format(key.until) }),
        Body::KeyRemoved(key) => json!({ "kid": key.kid.as_str() }),
        Body::KeyCompromised(key) => json!({ "kid": key.kid.as_str(), "reason": key.reason }),
        Body::KeyCompromiseConfirmed(key) => {
            json!({ "kid": key.kid.as_str(), "positions": positions(&key.positions) })
        }
        Body::AuditQueried(query) => json!({ "endpoint": query.endpoint, "query": hex(&query.query) }),
        Body::ClientChanged(client) => json!({
            "generation": client.generation,
            "registry_event": in_registry(client.registry_seq),
            "deleted": client.deleted,
            "tokens_revoked": client.revoke_tokens,
        }),
        Body::KeyDistrusted(key) => {
            json!({ "kid": key.kid.as_str(), "registry_event": in_registry(key.registry_seq) })
        }
        Body::NameClaimed(name) => json!({ "claim": hex(&name.claim) }),
        Body::NameReleased(name) => json!({ "claim": hex(&name.claim) }),
        Body::SubjectCreated(subject) | Body::SubjectUpdated(subject) => profile(subject),
        Body::AttributesContinued(continued) => json!({ "piece": continued.piece }),
        Body::SubjectErased(_) => json!({}),
        Body::TokenIssued(issued) => first_token(issued, &here),
        Body::TokenDelegated(issued)
        | Body::TokenImpersonated(issued)
        | Body::CodeRedeemed(issued)
        | Body::TokenRefreshed(issued) => token(issued, &here).into(),
        Body::ExchangeRefused(refused) => refused_exchange(&here(refused.token), refused),
        Body::ExchangeVoided(taken_back) => voided(&here(taken_back.target), taken_back),
        Body::AssertionSpent(assertion) => spent(assertion),
        Body::TokenRevoked(ended) | Body::GrantRevoked(ended) => revocation(&here(ended.target), ended),
        Body::SubjectTokensRevoked(subject) => json!({ "reason": subject.reason }),
        Body::SessionStarted(_)
        | Body::SessionRenewed(_)
        | Body::SessionEnded(_)
        | Body::LoginRefused(_)
        | Body::LogoutDelivered(_)
        | Body::LogoutAbandoned(_)
        | Body::ConsentGranted(_)
        | Body::ConsentWithdrawn(_)
        | Body::CodeIssued(_)
        | Body::RefreshReplayed(_)
        | Body::RefreshRefused(_) => people::body(event, &here),
    }
}

fn place(place: Place) -> String {
    format!("{}.{}", place.epoch, place.shard)
}

fn positions(positions: &[(Place, u64)]) -> Vec<String> {
    positions.iter().map(|(place, seq)| place.at(*seq).to_string()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

fn profile(profile: &SubjectProfile) -> Value {
    json!({ "suspended": profile.suspended, "auditor": profile.auditor, "password": profile.password })
}

fn refused_exchange(token: &str, refused: &ExchangeRefused) -> Value {
    let mut members = Members::default();
    members.put("subject_token", token);
    members.put_some("unrecorded", refused.unrecorded);
    members.into()
}

fn voided(target: &str, voided: &ExchangeVoided) -> Value {
    let mut members = Members::default();
    members.put("target", target);
    members.put("reason", voided.reason.name());
    members.put("until", instant::format(voided.until));
    members.put_some("machine_client_id", voided.machine.as_ref().map(ToString::to_string));
    members.into()
}

fn revocation(target: &str, ended: &Ended) -> Value {
    let mut members = Members::default();
    members.put("target", target);
    members.put("by", ended.by.name());
    members.put_some("reason", (!ended.reason.is_empty()).then(|| ended.reason.clone()));
    members.put("until", instant::format(ended.until));
    members.put_some("machine_client_id", ended.machine.as_ref().map(ToString::to_string));
    members.into()
}

fn spent(spent: &AssertionSpent) -> Value {
    json!({ "assertion": hex(&spent.assertion), "until": instant::format(spent.until) })
}

fn first_token(issued: &TokenIssued, here: &impl Fn(u64) -> String) -> Value {
    let mut members = token(&issued.token, here);
    members.put_some("assertion_spent", issued.spent.as_ref().map(spent));
    members.into()
}

fn token(token: &IssuedToken, here: &impl Fn(u64) -> String) -> Members {
    let mut members = Members::default();
    members.put("kind", token.kind.name());
    members.put("kid", token.kid.as_str());
    members.put("alg", token.algorithm.name());
    members.put("expires_at", instant::format(token.expires_at));
    members.put("scope", token.scope.to_string());
    members.put("audience", token.audience.clone());
    members.put("cause", token.cause.name());
    members.put_some("may_act", token.may_act.as_ref().map(may_act));
    members.put_some("acr", token.acr.clone());
    members.put_list("amr", token.amr.iter().cloned().map(Value::from).collect());
    members.put_some("auth_time", token.auth_time.map(instant::format));
    members.put_some("assertion_issuer", token.assertion_issuer.clone());
    members.put_some("machine_client_id", token.machine.as_ref().map(ToString::to_string));
    people::put_of_person(&mut members, token, here);
    members
}

fn may_act(may_act: &MayAct) -> Value {
    let mut members = Members::default();
    members.put_some("sub", may_act.sub.as_ref().map(ToString::to_string));
    members.put_some("client_id", may_act.client.as_ref().map(ToString::to_string));
    members.into()
}
