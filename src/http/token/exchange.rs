//! Token exchange at the edge (RFC 8693 §2): signatures and routing; the rules are the shard's.
//!
//! The subject token's own shard decides and appends. An actor from another shard is asked about in
//! parallel; if it is refused, the exchange is voided before the answer and no token leaves.

use super::{
    Accepts, Form, OAuthError, Outcome, Request, Response, Stop, because, call, call_with,
    client::{self, AuthenticatedClient},
    client_and_ring, client_credentials,
    issued::Issued,
    signing, spend_assertion,
};
use crate::{
    failure::Failure,
    http::{
        operator::{Inspected, inspect, is_log},
        stop::unverified,
    },
    jose::{self, Ring, Verified},
    ports::World,
};
use grantlog_events::{
    Event, Refusal,
    client::GrantType,
    command::{Exchange, VoidExchange},
};
use std::rc::Rc;

const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";
const REFRESH_TOKEN: &str = "urn:ietf:params:oauth:token-type:refresh_token";

pub(super) async fn exchange<W: World>(world: &W, request: &Request, form: &Form) -> Result<Response, Stop> {
    let (mut client, mut ring) = client_and_ring(world, request, form, Accepts::Confidential).await?;
    client.may_use(GrantType::TokenExchange)?;
    let presented = presented(world, form).await?;
    if !is_log(world, presented.subject.presented.jti.address.place).await? {
        return Err(refused(Refusal::TokenUnknown));
    }
    spend_assertion(world, &ring, &client).await?;
    for attempt in 0..2 {
        let command = command(world, form, &client, &ring, &presented)?;
        let signed_with = command.signing.kid.clone();
        let (outcome, secret) = decided(world, command, &presented).await?;
        match outcome {
            Outcome::Granted(events) => {
                let event = events.first().ok_or_else(super::odd_reply)?;
                return Issued::of(event, &client).bearing(secret).answer(world, &ring).await;
            }
            Outcome::Refused(Refusal::ClientViewStale) if attempt == 0 => {
                client.view = client::reproven(world, request, form, &client).await?;
                client.may_use(GrantType::TokenExchange)?;
            }
            Outcome::Refused(Refusal::KeyCompromised) if attempt == 0 => {
                ring = jose::ring::reload(world).await?;
                if *ring.signing(client.metadata().access_token_alg)? == signed_with {
                    return Err(refused(Refusal::KeyCompromised));
                }
            }
            Outcome::Refused(refusal) => return Err(refused(refusal)),
        }
    }
    Err(Failure::passing("exchanging a token", "client or key changed twice in one request").into())
}

/// The tokens a request presents, their signatures checked.
struct Tokens {
    subject: Verified,
    actor: Option<Verified>,
}

async fn presented<W: World>(world: &W, form: &Form) -> Result<Tokens, Stop> {
    let subject_token = form.required("subject_token")?;
    is_access_token(form.required("subject_token_type")?)?;
    let actor_token = match (form.value("actor_token"), form.value("actor_token_type")) {
        (None, None) => None,
        (Some(token), Some(kind)) => is_access_token(kind).map(|()| Some(token))?,
        (Some(_), None) => return because(OAuthError::InvalidRequest, "The parameter actor_token_type is missing."),
        (None, Some(_)) => {
            return because(OAuthError::InvalidRequest, "There is an actor_token_type without actor_token.");
        }
    };
    let actor = match actor_token {
        Some(token) => Some(verified(world, token).await?),
        None => None,
    };
    Ok(Tokens { subject: verified(world, subject_token).await?, actor })
}

async fn verified<W: World>(world: &W, token: &str) -> Result<Verified, Stop> {
    jose::access_token::verify(world, token).await.map_err(|error| unverified(error, OAuthError::InvalidRequest))
}

fn is_access_token(kind: &str) -> Result<(), Stop> {
    match kind {
        ACCESS_TOKEN | JWT => Ok(()),
        _ => because(OAuthError::InvalidRequest, "Only access tokens can be exchanged."),
    }
}

fn command<W: World>(
    world: &W,
    form: &Form,
    client: &AuthenticatedClient,
    ring: &Rc<Ring<W::Keys>>,
    tokens: &Tokens,
) -> Result<Exchange, Stop> {
    let refresh_token = match form.value("requested_token_type") {
        None | Some(ACCESS_TOKEN | JWT) => false,
        Some(REFRESH_TOKEN) => true,
        Some(_) => return because(OAuthError::InvalidRequest, "The requested_token_type is not supported."),
    };
    let resource = form.values("resource");
    if !resource.iter().all(|resource| super::is_absolute_uri(resource)) {
        return because(OAuthError::InvalidTarget, "A resource must be an absolute URI without fragment.");
    }
    Ok(Exchange {
        caller: client.caller(),
        signing: signing(world, ring, client)?,
        client_scope: client.metadata().scope.clone(),
        policy: client.metadata().token_exchange.clone(),
        scope: client_credentials::scope(form)?,
        audience: form.values("audience"),
        resource,
        default_audience: world.config().issuer.clone(),
        subject_token: tokens.subject.presented.clone(),
        actor_token: tokens.actor.as_ref().map(|actor| actor.presented.clone()),
        refresh_token,
        refresh_lifetime: Some(super::refresh_lifetime(world, client)),
    })
}

/// The subject's shard decides; a foreign actor's shard is asked meanwhile.
async fn decided<W: World>(world: &W, command: Exchange, tokens: &Tokens) -> Result<(Outcome, Option<[u8; 32]>), Stop> {
    let place = command.subject_token.jti.address.place;
    let foreign = tokens.actor.as_ref().filter(|actor| actor.presented.jti.address.place != place);
    let Some(actor) = foreign else { return call_with(world, place, command, None).await };
    let (outcome, dead) = futures_util::join!(call(world, place, command), inspect(world, actor));
    let outcome = match (outcome?, dead) {
        (Outcome::Granted(events), Ok(Inspected::Live(_))) => Outcome::Granted(events),
        (Outcome::Granted(events), Ok(Inspected::Dead)) => {
            void(world, &events, Refusal::ActorTokenNotLive).await?;
            Outcome::Refused(Refusal::ActorTokenNotLive)
        }
        // Nothing is known of the actor: the exchange is taken back, and that is no verdict.
        (Outcome::Granted(events), Err(stop)) => {
            void(world, &events, Refusal::ActorTokenNotLive).await?;
            return Err(stop);
        }
        (Outcome::Refused(refusal), _) => Outcome::Refused(refusal),
    };
    Ok((outcome, None))
}

async fn void<W: World>(world: &W, events: &[Event], reason: Refusal) -> Result<(), Stop> {
    let event = events.first().ok_or_else(super::odd_reply)?;
    let command = VoidExchange { target: event.seq, reason };
    match call(world, event.address().place, command).await? {
        Outcome::Granted(_) => Ok(()),
        Outcome::Refused(refusal) => Err(super::odd_refusal(refusal)),
    }
}

fn refused(refusal: Refusal) -> Stop {
    Stop::Error(OAuthError::of_exchange(refusal), super::sentence(refusal))
}
