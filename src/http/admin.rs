//! `POST /admin/revocations` (scope `admin`): an operator ends tokens without holding them (V12).
//!
//! Exactly one target. It kills what was issued until then and forbids nothing new. Answered only when
//! the event is durable and every view or shard that must know has confirmed it; a 503 may be repeated.

use super::{
    OAuthError, Request, Response, Stop, answer, client, operator,
    register::body,
    stop::{because, is_missing, odd_refusal, odd_reply, unconfirmed},
};
use crate::{
    jose,
    ports::{Log, World},
    shard::{Ask, Query, Reply, Run, fresh_header},
};
use grantlog_events::{
    Address, ClientId, Command, Event, Jti, Kid, Place, Refusal, RequestId, Stored, Subject,
    body::RevokedBy,
    command::{
        CompromiseKey, EndSession, RegisterClient, RevokeClientTokens, RevokeGrant, RevokeIssued, RevokeSubjectTokens,
    },
};
use serde_json::{Map, Value, json};

const SCOPE: &str = "admin";

/// The longest reason, in characters.
const LONGEST_REASON: usize = 200;

const KINDS: [&str; 6] = ["subject", "client_id", "grant", "sid", "jti", "kid"];

/// What is to be revoked.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Subject(Subject),
    Client(ClientId),
    Grant(Address),
    Session(Address),
    Token(Jti),
    Key(Kid),
}

/// `POST /admin/revocations`.
pub(super) async fn revocations<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let object = body::object(request)?;
    let reason = reason(&object)?;
    let target = target(&object)?.ok_or_else(unknown)?;
    let client = if let Target::Client(client) = &target { Some(client.clone()) } else { None };
    if client.as_ref() == Some(&world.config().operator) {
        make_operator_known(world).await?;
    }
    let (place, command) = command(world, target, reason).await?.ok_or_else(unknown)?;
    let header = fresh_header(world)?;
    let own = header.request;
    let run = Run { header, command, private: None };
    let reply = world.log().ask(place, &Ask::Run(Box::new(run))).await?;
    if let Some(client) = &client {
        // What this isolate remembers of the client is older than what it was just told.
        world.memory().forget_client(client);
    }
    match reply {
        Reply::Granted(events) => Ok(answer::json(&told(&events, own))),
        Reply::Unconfirmed(_) => Err(unconfirmed()),
        Reply::Refused(refusal) if is_missing(refusal) => Err(unknown()),
        Reply::Refused(refusal) => Err(odd_refusal(refusal)),
        _ => Err(odd_reply()),
    }
}

/// The operator's client is configured, not registered; the registry hears of it with its first revocation, as
/// of something whose tokens may be dead. Nobody authenticates by that entry.
async fn make_operator_known<W: World>(world: &W) -> Result<(), Stop> {
    let operator = client::operator(world);
    let command = RegisterClient { client: operator.client, metadata: operator.metadata };
    let run = Run { header: fresh_header(world)?, command: command.into(), private: None };
    match world.log().ask(Place::REGISTRY, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(_) | Reply::Unconfirmed(_) | Reply::Refused(Refusal::ClientExists) => Ok(()),
        Reply::Refused(refusal) => Err(odd_refusal(refusal)),
        _ => Err(odd_reply()),
    }
}

/// Revoking twice is revoking once: what another request did is not counted again.
fn told(events: &[Event], own: RequestId) -> Value {
    let Some(event) = events.first() else { return json!({ "revoked": 0 }) };
    let revoked = u8::from(event.request == Some(own));
    json!({ "revoked": revoked, "position": event.address().to_string() })
}

fn unknown() -> Stop {
    Stop::Error(OAuthError::NotFound, "There is nothing of this name to revoke.".to_owned())
}

/// The one target; `None` if it has not the form that such a thing has, so that there is none.
fn target(object: &Map<String, Value>) -> Result<Option<Target>, Stop> {
    let mut named = KINDS
        .into_iter()
        .filter_map(|kind| object.get(kind).filter(|value| !value.is_null()).map(|value| (kind, value)));
    let (Some((kind, value)), None) = (named.next(), named.next()) else {
        return because(
            OAuthError::InvalidRequest,
            "Exactly one of subject, client_id, grant, sid, jti and kid is needed.",
        );
    };
    let Some(text) = value.as_str() else { return because(OAuthError::InvalidRequest, "The target is not a string.") };
    Ok(match kind {
        "subject" => Subject::parse(text).ok().map(Target::Subject),
        "client_id" => ClientId::parse(text).ok().map(Target::Client),
        "grant" => Address::parse(text).ok().map(Target::Grant),
        "sid" => Address::parse_dashed(text).ok().map(Target::Session),
        "jti" => Jti::parse(text).ok().map(Target::Token),
        "kid" => Kid::parse(text).ok().map(Target::Key),
        _ => None,
    })
}

/// It goes into the log as it is, so it must not be able to name a person by their address.
fn reason(object: &Map<String, Value>) -> Result<String, Stop> {
    let text = match object.get("reason").filter(|value| !value.is_null()) {
        None => return Ok(String::new()),
        Some(value) => value.as_str().unwrap_or("@"),
    };
    let plain = |character: char| !character.is_control() && character != '@';
    if text.chars().count() <= LONGEST_REASON && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        because(OAuthError::InvalidRequest, "reason is not up to 200 printable characters without @.")
    }
}

/// The command, and the log that it goes to; `None` if there is no such log or token.
async fn command<W: World>(world: &W, target: Target, reason: String) -> Result<Option<(Place, Command)>, Stop> {
    let by = RevokedBy::Operator;
    Ok(match target {
        Target::Client(client) => Some((Place::REGISTRY, RevokeClientTokens { client, reason }.into())),
        Target::Key(kid) => Some((Place::REGISTRY, CompromiseKey { kid, reason }.into())),
        Target::Subject(subject) => {
            let shards = jose::ring::ring(world).await?.shards(subject.epoch());
            let home = shards.map(|shards| Place { epoch: subject.epoch(), shard: subject.home(shards) });
            home.map(|home| (home, RevokeSubjectTokens { subject, reason }.into()))
        }
        Target::Grant(Address { place, seq }) => {
            operator::is_log(world, place).await?.then(|| (place, RevokeGrant { target: seq, by, reason }.into()))
        }
        Target::Session(Address { place, seq }) => {
            let end = EndSession { session: seq, by, reason, with_grants: true, person: None, subject: None };
            operator::is_log(world, place).await?.then(|| (place, end.into()))
        }
        Target::Token(jti) => {
            let Address { place, seq } = jti.address;
            let genuine = operator::is_log(world, place).await? && is_of_event(world, &jti).await?;
            genuine.then(|| (place, RevokeIssued { target: seq, by, reason }.into()))
        }
    })
}

/// Whether the event at the address of a `jti` has the id that it ends with.
async fn is_of_event<W: World>(world: &W, jti: &Jti) -> Result<bool, Stop> {
    let Address { place, seq } = jti.address;
    let Reply::Events(events) = world.log().ask(place, &Ask::Read(Query::Events(seq, 1))).await? else {
        return Err(odd_reply());
    };
    let Some(bytes) = events.first() else { return Ok(false) };
    let event = Event::from_bytes(&bytes.0)
        .map_err(|malformed| crate::failure::Failure::lasting("reading an event", malformed))?;
    Ok(event.jti() == *jti)
}

#[cfg(test)]
mod tests;
