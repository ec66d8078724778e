//! An issuing event, worded as a token. The same event always gives the same claims.

use super::{super::ring::Ring, TYPE};
use crate::{config::Config, failure::Failure, pairwise, ports::World};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    Event,
    token::{Actor, IssuedToken, MayAct},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The token that an event issued, signed with the key that the event names.
///
/// People are named in it as the client that gets it knows them.
pub async fn sign<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    event: &Event,
    sector: Option<&str>,
) -> Result<String, Failure> {
    let unusable = |what| Failure::lasting("wording a token", what);
    let token = event.body.issued().ok_or_else(|| unusable("the event issued none"))?;
    let claims = Claims::of(world.config(), event, token, sector).ok_or_else(|| unusable("the event lacks a party"))?;
    let header = json!({ "alg": token.algorithm.name(), "kid": token.kid.as_str(), "typ": TYPE });
    let mut jwt = part(&header)?;
    jwt.push('.');
    jwt.push_str(&part(&claims)?);
    let signature = ring.sign(world.keys(), &token.kid, jwt.as_bytes()).await?;
    jwt.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut jwt);
    Ok(jwt)
}

/// What a token that this event issued says, as JSON; `None` if it issued none.
#[must_use]
pub fn claims(config: &Config, event: &Event, sector: Option<&str>) -> Option<Value> {
    let token = event.body.issued()?;
    serde_json::to_value(Claims::of(config, event, token, sector)?).ok()
}

fn part(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_vec(value).map_err(|error| Failure::lasting("wording a token", error))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: String,
    aud: Value,
    exp: u64,
    iat: u64,
    jti: String,
    client_id: &'a str,
    scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    acr: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    amr: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    may_act: Option<Value>,
    lin: Vec<u64>,
    /// The session that the token dies with.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    /// Claims asked for by name beside those of the scope (OIDC Core §5.5).
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    clm: &'a [String],
}

impl<'a> Claims<'a> {
    fn of(config: &'a Config, event: &'a Event, token: &'a IssuedToken, sector: Option<&str>) -> Option<Self> {
        Some(Self {
            iss: &config.issuer,
            sub: pairwise::word_sub(config, sector, &event.party()?),
            aud: audience(&token.audience),
            exp: token.expires_at.seconds(),
            iat: event.occurred_at.seconds(),
            jti: event.jti().to_string(),
            client_id: event.client.as_ref()?.as_str(),
            scope: token.scope.to_string(),
            auth_time: token.auth_time.map(grantlog_events::Timestamp::seconds),
            acr: token.acr.as_deref(),
            amr: &token.amr,
            act: act(config, sector, &event.actors),
            may_act: token.may_act.as_ref().map(|named| may_act(config, sector, named)),
            sid: token.session.map(|seq| event.origin.place().at(seq).dashed()),
            clm: &token.claims,
            lin: std::iter::once(event.grant?).chain(event.ancestors.iter().copied()).collect(),
        })
    }
}

fn audience(audience: &[String]) -> Value {
    match audience {
        [one] => json!(one),
        more => json!(more),
    }
}

/// RFC 8693 §4.1: the current actor outermost, earlier ones within.
fn act(config: &Config, sector: Option<&str>, actors: &[Actor]) -> Option<Value> {
    actors.iter().rev().fold(None, |earlier, actor| {
        let mut link =
            Map::from_iter([("sub".to_owned(), Value::from(pairwise::word_sub(config, sector, &actor.party)))]);
        link.extend(earlier.map(|earlier| ("act".to_owned(), earlier)));
        Some(Value::Object(link))
    })
}

fn may_act(config: &Config, sector: Option<&str>, may_act: &MayAct) -> Value {
    let named = |party| Value::from(pairwise::word_sub(config, sector, party));
    let sub = may_act.sub.as_ref().map(|party| ("sub".to_owned(), named(party)));
    let client = may_act.client.as_ref().map(|client| ("client_id".to_owned(), client.as_str().into()));
    Value::Object(sub.into_iter().chain(client).collect())
}
