//! `jwt-bearer` (RFC 7523 §2.1): an assertion of an issuer registered for the client buys a person's token.
//!
//! The assertion is spent at the subject's home by the event that it bought. `sub` is the subject's own;
//! who may act, and how the person authenticated elsewhere, is taken over.

use super::{
    Accepts, Form, OAuthError, Outcome, Request, Response, Stop, because, call,
    client::{self, AuthenticatedClient},
    client_and_ring, client_credentials,
    issued::Issued,
    shards, signing, spend_assertion,
};
use crate::{
    http::stop::unverified,
    jose::{self, Assertion, assertion},
    ports::World,
};
use grantlog_events::{Place, Refusal, Subject, client::GrantType, command::Issue};

pub(super) async fn issue<W: World>(world: &W, request: &Request, form: &Form) -> Result<Response, Stop> {
    let (mut client, mut ring) = client_and_ring(world, request, form, Accepts::Confidential).await?;
    client.may_use(GrantType::JwtBearer)?;
    client_credentials::targets_are_the_issuer(form, &world.config().issuer)?;
    let scope = client_credentials::scope(form)?;
    let granted_by = verified(world, &client, form.required("assertion")?).await?;
    let subject = Subject::parse(&granted_by.subject).map_err(|_| unknown_subject())?;
    let Some(count) = ring.shards(subject.epoch()) else { return Err(unknown_subject()) };
    let place = Place { epoch: subject.epoch(), shard: subject.home(count) };
    shards(&ring, world.config().log_epoch)?;
    spend_assertion(world, &ring, &client).await?;
    for attempt in 0..2 {
        let command = Issue {
            caller: client.caller(),
            signing: signing(world, &ring, &client)?,
            scope: scope.clone(),
            client_scope: client.metadata().scope.clone(),
            audience: vec![world.config().issuer.clone()],
            subject: Some(subject.clone()),
            spend: Some(granted_by.spend()),
            assertion_issuer: Some(granted_by.issuer.clone()),
            may_act: granted_by.may_act.clone(),
            acr: granted_by.acr.clone(),
            amr: granted_by.amr.clone(),
            auth_time: granted_by.auth_time,
        };
        match call(world, place, command).await? {
            Outcome::Granted(events) => {
                let event = events.first().ok_or_else(super::odd_reply)?;
                return Issued::of(event, &client).answer(world, &ring).await;
            }
            Outcome::Refused(Refusal::ClientViewStale) if attempt == 0 => {
                client.view = client::reproven(world, request, form, &client).await?;
                client.may_use(GrantType::JwtBearer)?;
            }
            Outcome::Refused(Refusal::KeyCompromised) if attempt == 0 => {
                ring = jose::ring::reload(world).await?;
            }
            Outcome::Refused(refusal) => return Err(super::refused(refusal)),
        }
    }
    Err(super::odd_reply())
}

async fn verified<W: World>(world: &W, client: &AuthenticatedClient, jwt: &str) -> Result<Assertion, Stop> {
    let issuer = assertion::peek_issuer(jwt);
    let registered = client.metadata().assertion_issuers.iter().find(|held| Some(&held.issuer) == issuer.as_ref());
    let Some(registered) = registered else {
        return because(OAuthError::InvalidGrant, "The client may not present assertions of this issuer.");
    };
    let own = &world.config().issuer;
    let token_endpoint = format!("{own}/token");
    let expected = assertion::Expected { issuer: &registered.issuer, audiences: &[own, &token_endpoint] };
    assertion::verify(world, &registered.jwks, jwt, &expected)
        .await
        .map_err(|error| unverified(error, OAuthError::InvalidGrant))
}

fn unknown_subject() -> Stop {
    Stop::Error(OAuthError::InvalidGrant, "The assertion's subject is not known.".to_owned())
}
