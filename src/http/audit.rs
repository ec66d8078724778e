//! The audit log as auditors read it (scope `audit`): events in order, and the history of one token.
//!
//! Reading is itself an event: each query is recorded in the registry before it is answered, so that
//! nobody reads unseen. Nothing personal is shown: what is sealed stays sealed.

mod filter;
mod names;
mod page;
mod scan;
#[cfg(test)]
mod tests;

use super::{
    OAuthError, Request, Response, Stop, answer,
    form::Form,
    operator::{self, Operator},
    stop::{because, odd_reply},
};
use crate::{
    failure::Failure,
    jose,
    ports::{Log, World},
    shard::{Ask, Reply, Run, fresh_header},
};
use filter::Filter;
use grantlog_events::{Address, Digest, Jti, Place, command::RecordQuery};
use grantlog_projections::{
    rendered::instant,
    token_history::{At, Fold, TokenHistory},
};

const SCOPE: &str = "audit";

/// The most pages that one token's history may take. A longer log needs an index.
const MOST_PAGES: u32 = 900;

/// `GET /audit/events`.
pub(super) async fn events<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let operator = operator::with_scope(world, request, SCOPE).await?;
    let filter = Filter::parse(&Form::of_query(request)?)?;
    record(world, request, &operator, "/audit/events".to_owned()).await?;
    let ring = jose::ring::ring(world).await?;
    let found = scan::scan(world, &scan::logs(&ring, &filter), &filter).await?;
    Ok(answer::json(&found.to_json(world, filter.raw).await?))
}

/// `GET /audit/tokens/{jti}`.
pub(super) async fn token<W: World>(world: &W, request: &Request, jti: &str) -> Result<Response, Stop> {
    let operator = operator::with_scope(world, request, SCOPE).await?;
    let jti = Jti::parse(jti).map_err(|_| unknown())?;
    let at = at(&Form::of_query(request)?, jti.address.place)?;
    record(world, request, &operator, format!("/audit/tokens/{jti}")).await?;
    if jti.address.place.is_registry() || !operator::is_log(world, jti.address.place).await? {
        return Err(unknown());
    }
    let history = history(world, jti, at).await?.ok_or_else(unknown)?;
    Ok(answer::json(&history.to_json()))
}

/// `?at=`: an instant, or an address in the token's own log.
fn at(query: &Form, place: Place) -> Result<Option<At>, Stop> {
    let Some(text) = query.value("at") else { return Ok(None) };
    if let Some(instant) = instant::parse(text) {
        return Ok(Some(At::Instant(instant)));
    }
    match Address::parse(text) {
        Ok(address) if address.place == place => Ok(Some(At::Address(address.seq))),
        Ok(_) => because(OAuthError::InvalidRequest, "at is an address in another log than the token's."),
        Err(_) => because(OAuthError::InvalidRequest, "at is neither an RFC 3339 instant nor an address."),
    }
}

fn unknown() -> Stop {
    Stop::Error(OAuthError::NotFound, "No event issued this token.".to_owned())
}

/// Folds the token's log, unless its own event is not there.
async fn history<W: World>(world: &W, jti: Jti, at: Option<At>) -> Result<Option<TokenHistory>, Stop> {
    let place = jti.address.place;
    let issued = page::event(world, jti.address)
        .await?
        .filter(|read| read.event.jti() == jti && read.event.body.issued().is_some());
    let Some(issued) = issued else { return Ok(None) };
    let mut fold = Fold::new(issued.event, at);
    let mut from = 0;
    for _ in 0..MOST_PAGES {
        let page = page::read(world, place, from, page::LARGEST).await?;
        let within = page.events.iter().all(|read| fold.take(&read.event, &read.bytes));
        from = page.next;
        if page.is_last || !within {
            return Ok(fold.finish(world.now()));
        }
    }
    Err(Failure::lasting("telling a token's history", "its log is longer than one request may read").into())
}

/// Who read what, before they get to see it.
async fn record<W: World>(world: &W, request: &Request, operator: &Operator, endpoint: String) -> Result<(), Stop> {
    let query = Digest::of(request.uri().query().unwrap_or_default().as_bytes()).half();
    let command =
        RecordQuery { caller: operator.client().clone(), subject: operator.subject().cloned(), endpoint, query };
    let run = Run { header: fresh_header(world)?, command: command.into(), private: None };
    match world.log().ask(Place::REGISTRY, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(_) => Ok(()),
        _ => Err(odd_reply()),
    }
}
