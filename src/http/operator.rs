//! Operator endpoints check their token at its shard, as introspection does: the log decides.

use super::{
    OAuthError, Request, Stop, bearer,
    stop::{self, unverified},
};
use crate::{
    jose::{self, Verified},
    ports::{Log, World},
    shard::{Ask, Reply, Run, fresh_header},
};
use grantlog_events::{Event, Place, command::Inspect, token::Party};

/// A live token of this issuer with the scope an endpoint wants.
#[derive(Debug)]
pub(super) struct Operator {
    pub(super) token: Verified,
}

/// Proves that the caller may use an endpoint that wants `scope`.
pub(super) async fn with_scope<W: World>(world: &W, request: &Request, scope: &str) -> Result<Operator, Stop> {
    let operator = live(world, request).await?;
    if operator.token.presented.scope.contains(scope) {
        Ok(operator)
    } else {
        Err(Stop::Error(OAuthError::InsufficientScope, format!("The scope {scope} is needed.")))
    }
}

/// Proves that the caller's token is live and meant for this issuer.
pub(super) async fn live<W: World>(world: &W, request: &Request) -> Result<Operator, Stop> {
    let presented = bearer::presented(request)?;
    let token = jose::access_token::verify(world, &presented)
        .await
        .map_err(|error| unverified(error, OAuthError::InvalidToken))?;
    let event = match inspect(world, &token).await? {
        Inspected::Live(event) => event,
        Inspected::Dead => {
            return Err(Stop::Error(OAuthError::InvalidToken, "The token is not active.".to_owned()));
        }
    };
    // Whom it is meant for, its event says, whatever the token says.
    if event.body.issued().is_some_and(|issued| issued.audience.contains(&world.config().issuer)) {
        Ok(Operator { token })
    } else {
        Err(Stop::Error(OAuthError::InvalidToken, "The token is not meant for this issuer.".to_owned()))
    }
}

/// What a token's own shard says of it.
pub(super) enum Inspected {
    /// It lives; this event issued it.
    Live(Box<Event>),
    /// It is dead, or was never issued.
    Dead,
}

/// Asks the token's own shard.
pub(super) async fn inspect<W: World>(world: &W, token: &Verified) -> Result<Inspected, Stop> {
    let place = token.presented.jti.address.place;
    if !is_log(world, place).await? {
        return Ok(Inspected::Dead);
    }
    let command = Inspect { token: token.presented.clone() };
    let run = Run { header: fresh_header(world)?, command: command.into(), private: None };
    match world.log().ask(place, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(events) => {
            let event = events.into_iter().next().ok_or_else(stop::odd_reply)?;
            Ok(Inspected::Live(Box::new(event)))
        }
        Reply::Refused(refusal) if stop::is_not_live(refusal) => Ok(Inspected::Dead),
        Reply::Refused(refusal) => Err(stop::odd_refusal(refusal)),
        _ => Err(stop::odd_reply()),
    }
}

/// Whether there is a log at a place. An epoch may have been opened since the ring was read, so that an
/// unknown one is looked up, as seldom as an unknown key is.
pub(super) async fn is_log<W: World>(world: &W, place: Place) -> Result<bool, Stop> {
    let ring = jose::ring::ring(world).await?;
    let is_open = |shards: Option<u32>| shards.is_some_and(|shards| place.shard < shards);
    if ring.shards(place.epoch).is_none()
        && !place.is_registry()
        && world.memory().may_look_for_a_key(ring.loaded_at(), world.now())
    {
        return Ok(is_open(jose::ring::reload(world).await?.shards(place.epoch)));
    }
    Ok(is_open(ring.shards(place.epoch)))
}

impl Operator {
    /// The client that acts, for the record.
    pub(super) fn client(&self) -> &grantlog_events::ClientId {
        &self.token.presented.client
    }

    /// The person who acts, if it is one.
    pub(super) fn subject(&self) -> Option<&grantlog_events::Subject> {
        match &self.token.presented.party {
            Party::Subject(subject) => Some(subject),
            Party::Client(_) => None,
        }
    }
}
