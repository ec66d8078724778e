//! `client_credentials` (RFC 6749 §4.4): a machine's own grant, on a random shard, so that a busy
//! client makes no hot one. An assertion that authenticated the client is spent by the same event.

use super::{
    Accepts, Form, OAuthError, Outcome, Request, Response, Stop, because, call, client, client_and_ring,
    issued::Issued, shards, signing, spending_place,
};
use crate::{
    jose::{self, Ring},
    ports::World,
};
use grantlog_events::{Place, Refusal, Scope, client::GrantType, command::Issue};

pub(super) async fn issue<W: World>(world: &W, request: &Request, form: &Form) -> Result<Response, Stop> {
    let (mut client, mut ring) = client_and_ring(world, request, form, Accepts::Confidential).await?;
    client.may_use(GrantType::ClientCredentials)?;
    targets_are_the_issuer(form, &world.config().issuer)?;
    let spend = client.assertion.as_ref().map(crate::jose::Assertion::spend);
    let place = match &spend {
        Some(spend) => spending_place(world, &ring, &spend.assertion)?,
        None => random_place(world, &ring)?,
    };
    for attempt in 0..2 {
        let command = Issue {
            caller: client.caller(),
            signing: signing(world, &ring, &client)?,
            scope: scope(form)?,
            client_scope: client.metadata().scope.clone(),
            audience: vec![world.config().issuer.clone()],
            subject: None,
            spend: spend.clone(),
            assertion_issuer: None,
            may_act: None,
            acr: None,
            amr: Vec::new(),
            auth_time: None,
        };
        match call(world, place, command).await? {
            Outcome::Granted(events) => {
                let event = events.first().ok_or_else(super::odd_reply)?;
                return Issued::of(event, &client).answer(world, &ring).await;
            }
            Outcome::Refused(Refusal::ClientViewStale) if attempt == 0 => {
                client.view = client::reproven(world, request, form, &client).await?;
                client.may_use(GrantType::ClientCredentials)?;
            }
            Outcome::Refused(Refusal::KeyCompromised) if attempt == 0 => {
                ring = jose::ring::reload(world).await?;
            }
            Outcome::Refused(Refusal::AssertionSpent) => {
                return because(OAuthError::InvalidClient, "The client assertion was used before.");
            }
            Outcome::Refused(refusal) => return Err(super::refused(refusal)),
        }
    }
    Err(super::odd_reply())
}

fn random_place<W: World>(world: &W, ring: &Ring<W::Keys>) -> Result<Place, Stop> {
    let epoch = world.config().log_epoch;
    let shard = grantlog_events::identity::shard_of(&world.random()?, shards(ring, epoch)?);
    Ok(Place { epoch, shard })
}

/// Only an exchange gives tokens for others than the issuer; to ask for another target here is an error, not
/// something to pass over (RFC 8707 §2).
pub(super) fn targets_are_the_issuer(form: &Form, issuer: &str) -> Result<(), Stop> {
    let asked = [form.values("audience"), form.values("resource")].concat();
    if asked.iter().all(|target| target == issuer) {
        Ok(())
    } else {
        because(OAuthError::InvalidTarget, "Tokens of this grant are for the issuer.")
    }
}

/// The scope that was asked for, if any.
pub(super) fn scope(form: &Form) -> Result<Option<Scope>, Stop> {
    let Some(text) = form.value("scope") else { return Ok(None) };
    let scope = Scope::parse(text).map_err(|_| Stop::from(OAuthError::InvalidScope))?;
    if scope.is_empty() { Ok(None) } else { Ok(Some(scope)) }
}
