//! The token endpoint: one file per grant. What they share is here: who asks, the one call, the answer.
//!
//! A request's life: client from memory → command → one call to one shard, where it is decided and
//! appended → sign → answer. The token leaves only after its event is durable.

mod client_credentials;
mod code;
mod exchange;
mod id_claims;
mod issued;
mod jwt_bearer;
mod refresh;

use super::{
    OAuthError, Request, Response, Stop,
    client::{self, Accepts, AuthenticatedClient},
    form::Form,
    stop::{because, is_taken, odd_refusal, odd_reply, unconfirmed},
};
use crate::{
    jose::{self, Ring},
    ports::{Log, World},
    shard::{Ask, Private, Reply, Run, fresh_header},
};
use grantlog_events::{
    Command, Event, Place, Refusal, Seconds,
    command::{Signing, SpendAssertion},
    identity::shard_of,
    key::Algorithm,
};
use std::rc::Rc;

/// `POST /token`.
pub(super) async fn token<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let grant_type = form.required("grant_type")?;
    match grant_type {
        "client_credentials" => client_credentials::issue(world, request, &form).await,
        "urn:ietf:params:oauth:grant-type:jwt-bearer" => jwt_bearer::issue(world, request, &form).await,
        "urn:ietf:params:oauth:grant-type:token-exchange" => exchange::exchange(world, request, &form).await,
        "authorization_code" => code::redeem(world, request, &form).await,
        "refresh_token" => refresh::refresh(world, request, &form).await,
        _ => because(OAuthError::UnsupportedGrantType, "The grant type is not supported."),
    }
}

/// Client and ring, both from memory or, in a cold isolate, read in parallel.
pub(super) async fn client_and_ring<W: World>(
    world: &W,
    request: &Request,
    form: &Form,
    accepts: Accepts,
) -> Result<(AuthenticatedClient, Rc<Ring<W::Keys>>), Stop> {
    let proven = client::authenticate(world, request, form, accepts);
    let (client, ring) = futures_util::join!(proven, jose::ring::ring(world));
    Ok((client?, ring?))
}

/// The signature a client's tokens get, and how long they live.
fn signing<W: World>(world: &W, ring: &Ring<W::Keys>, client: &AuthenticatedClient) -> Result<Signing, Stop> {
    let algorithm = client.metadata().access_token_alg;
    let lifetime = client.metadata().access_token_lifetime.unwrap_or(world.config().access_token_ttl);
    Ok(Signing { kid: ring.signing(algorithm)?.clone(), algorithm, lifetime })
}

/// The signature a client's ID tokens get; they live as long as the access token.
fn signing_id_token<W: World>(world: &W, ring: &Ring<W::Keys>, client: &AuthenticatedClient) -> Result<Signing, Stop> {
    let algorithm = client.metadata().id_token_alg.unwrap_or(Algorithm::Rs256);
    let lifetime = client.metadata().access_token_lifetime.unwrap_or(world.config().access_token_ttl);
    Ok(Signing { kid: ring.signing(algorithm)?.clone(), algorithm, lifetime })
}

/// How long a client's refresh tokens live unused.
fn refresh_lifetime<W: World>(world: &W, client: &AuthenticatedClient) -> Seconds {
    client.metadata().refresh_token_lifetime.unwrap_or(world.config().refresh_token_ttl)
}

/// Spends the client's assertion on the shard that remembers it, before the main call, so that a replay
/// can burn nothing.
pub(super) async fn spend_assertion<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    client: &AuthenticatedClient,
) -> Result<(), Stop> {
    let Some(assertion) = &client.assertion else { return Ok(()) };
    let spend = assertion.spend();
    let place = spending_place(world, ring, &spend.assertion)?;
    let command = SpendAssertion { client: client.id().clone(), spend };
    match call(world, place, command).await? {
        Outcome::Granted(_) => Ok(()),
        Outcome::Refused(refusal) if is_taken(refusal) => {
            because(OAuthError::InvalidClient, "The client assertion was used before.")
        }
        Outcome::Refused(refusal) => Err(odd_refusal(refusal)),
    }
}

/// The shard that remembers an assertion.
fn spending_place<W: World>(world: &W, ring: &Ring<W::Keys>, assertion: &[u8; 16]) -> Result<Place, Stop> {
    let epoch = world.config().log_epoch;
    Ok(Place { epoch, shard: shard_of(assertion, shards(ring, epoch)?) })
}

/// How many shards an epoch has; one that is not open is a failure of the deployment.
fn shards<K: crate::ports::Keys>(ring: &Ring<K>, epoch: u32) -> Result<u32, Stop> {
    let not_open = || crate::failure::Failure::passing("routing to a shard", "the epoch is not open");
    ring.shards(epoch).ok_or_else(|| not_open().into())
}

/// What a shard said to a command.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Granted: the event.
    Granted(Vec<Event>),
    /// Refused.
    Refused(Refusal),
}

/// One command, one call.
pub(super) async fn call<W: World>(world: &W, place: Place, command: impl Into<Command>) -> Result<Outcome, Stop> {
    call_with(world, place, command, None).await.map(|(outcome, _)| outcome)
}

/// The same with the secret part of the refresh token that is presented, and of the one that is given.
pub(super) async fn call_with<W: World>(
    world: &W,
    place: Place,
    command: impl Into<Command>,
    presented: Option<[u8; 32]>,
) -> Result<(Outcome, Option<[u8; 32]>), Stop> {
    let private = presented.map(|secret| Private { refresh: Some(secret), ..Private::default() });
    let run = Run { header: fresh_header(world)?, command: command.into(), private };
    match world.log().ask(place, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(events) => Ok((Outcome::Granted(events), None)),
        Reply::Bearing(events, secret) => Ok((Outcome::Granted(events), Some(secret))),
        Reply::Refused(refusal) => Ok((Outcome::Refused(refusal), None)),
        Reply::Unconfirmed(_) => Err(unconfirmed()),
        _ => Err(odd_reply()),
    }
}

/// A refusal as the token endpoint says it; only its name is told, as its sentence.
fn refused(refusal: Refusal) -> Stop {
    Stop::Error(OAuthError::from(refusal), sentence(refusal))
}

/// `scope_empty` as words: the log's own name of the reason, which holds nothing of the request.
fn sentence(refusal: Refusal) -> String {
    format!("Refused: {}.", refusal.name().replace('_', " "))
}

/// Whether it is an absolute URI without fragment (RFC 8707 §2).
pub(super) fn is_absolute_uri(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, rest)| (scheme, rest.is_empty()));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    };
    scheme.is_some_and(|(scheme, is_empty)| is_scheme(scheme) && !is_empty) && !text.contains('#')
}
