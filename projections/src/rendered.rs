//! Events as JSON, the form that auditors read (`GET /audit/events`).
//!
//! One event has one rendering: names as in the catalogue, times as RFC 3339 with milliseconds, digests
//! in hex. An event names its ancestors by position; their `jti` needs their event ids, so the caller
//! says how to find those, and an unknown one is shown by its address. What is sealed stays out.

mod body;
pub mod instant;
mod metadata;

pub use body::body;
pub use metadata::metadata;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    Digest, Event, Jti, Outcome,
    token::{Actor, Party},
};
use serde_json::{Map, Value, json};

/// Finds the `jti` of the token issued at a position of the same log.
pub type JtiAt<'a> = dyn Fn(u64) -> Option<Jti> + 'a;

/// The JSON form of `event`, whose stored bytes are `bytes`; `with_raw` adds those, base64url.
#[must_use]
pub fn event(event: &Event, bytes: &[u8], with_raw: bool, jti_at: &JtiAt<'_>) -> Value {
    let mut members = members(event, Digest::of(bytes), jti_at);
    members.put_some("raw", with_raw.then(|| URL_SAFE_NO_PAD.encode(bytes)));
    members.into()
}

/// The JSON form of `event` where only the digest of its bytes is at hand.
#[must_use]
pub fn event_with_digest(event: &Event, digest: Digest, jti_at: &JtiAt<'_>) -> Value {
    members(event, digest, jti_at).into()
}

fn members(event: &Event, digest: Digest, jti_at: &JtiAt<'_>) -> Members {
    let mut members = Members::default();
    members.put("address", event.address().to_string());
    members.put("id", event.id.to_string());
    members.put("type", event.body.name());
    members.put("occurred_at", instant::format(event.occurred_at));
    members.put("recorded_at", instant::format(event.recorded_at));
    members.put_some("jti", event.body.issued().map(|_| event.jti().to_string()));
    members.put_some("subject", event.subject.as_ref().map(ToString::to_string));
    members.put_some("client_id", event.client.as_ref().map(ToString::to_string));
    members.put_some("grant", event.grant.map(|seq| event.origin.place().at(seq).to_string()));
    members.put_list("ancestors", ancestors(event, jti_at));
    members.put_list("actors", event.actors.iter().map(actor).collect());
    members.put("outcome", outcome(event.outcome));
    members.put_some("request_id", event.request.map(|request| request.to_string()));
    members.put("body", body(event));
    members.put("digest", digest.hex());
    members
}

/// One link of a delegation chain: who acted, with which token.
#[must_use]
pub fn actor(actor: &Actor) -> Value {
    let jti = actor.jti.to_string();
    match &actor.party {
        Party::Subject(subject) => json!({ "sub": subject.as_str(), "jti": jti }),
        Party::Client(client) => json!({ "client_id": client.as_str(), "jti": jti }),
    }
}

fn ancestors(event: &Event, jti_at: &JtiAt<'_>) -> Vec<Value> {
    let place = event.origin.place();
    let named = |seq: &u64| jti_at(*seq).map_or_else(|| place.at(*seq).to_string(), |jti| jti.to_string());
    event.ancestors.iter().map(|seq| Value::String(named(seq))).collect()
}

fn outcome(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Granted => json!("granted"),
        Outcome::Refused(refusal) => json!({ "refused": refusal.name() }),
    }
}

/// A JSON object in the making; what is absent or empty is left out.
#[derive(Default)]
pub(crate) struct Members(Map<String, Value>);

impl Members {
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    pub(crate) fn put_some(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    pub(crate) fn put_list(&mut self, name: &str, values: Vec<Value>) {
        if !values.is_empty() {
            self.put(name, values);
        }
    }
}

impl From<Members> for Value {
    fn from(members: Members) -> Self {
        Self::Object(members.0)
    }
}
