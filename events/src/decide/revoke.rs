//! Revocation: what ends, and until when the log must remember that it did.
//!
//! A token takes its exchanged descendants with it, a grant everything under it, a subject everything
//! issued to it until now. No descendant outlives what it was exchanged from, so a revocation is
//! remembered until its target would have expired. Revoking twice is revoking once.

use super::{Decision, issue, live};
use crate::{
    Body, Draft, Event, Refusal, State, Timestamp,
    body::{self, RevokedBy},
    command::{RevokeGrant, RevokeIssued, RevokeSubjectTokens, RevokeToken},
    envelope::GrantOf,
    state::RevokedRow,
    token::IssuedToken,
};

/// By the token's own client (RFC 7009); a token that is dead already needs nothing.
pub(super) fn token(state: &State, command: &RevokeToken, now: Timestamp) -> Result<Decision, Refusal> {
    issue::caller_is_current(state, &command.caller)?;
    let token = live::genuine(state, &command.token)?;
    if token.event.client.as_ref() != Some(&command.caller.client) {
        return Err(Refusal::TokenOfAnotherClient);
    }
    if now >= token.issued.expires_at {
        return Ok(Decision::nothing_to_do());
    }
    Ok(revoke_issued(state, token.event, token.issued, RevokedBy::Client, ""))
}

pub(super) fn issued(state: &State, command: &RevokeIssued) -> Result<Decision, Refusal> {
    let event = state.event(command.target).ok_or(Refusal::TokenUnknown)?;
    let token = event.body.issued().ok_or(Refusal::TokenUnknown)?;
    Ok(revoke_issued(state, event, token, command.by, &command.reason))
}

fn revoke_issued(state: &State, event: &Event, token: &IssuedToken, by: RevokedBy, reason: &str) -> Decision {
    if let Some(row) = revoked(state, event) {
        return Decision::stands(row.by);
    }
    let body = ended(event, token, by, reason);
    Decision::grant(about(event, Body::TokenRevoked(body)))
}

pub(super) fn grant(state: &State, command: &RevokeGrant) -> Result<Decision, Refusal> {
    let event = state.event(command.target).ok_or(Refusal::GrantUnknown)?;
    let token = event.body.issued().filter(|_| event.grant == Some(event.seq)).ok_or(Refusal::GrantUnknown)?;
    if let Some(row) = revoked(state, event) {
        return Ok(Decision::stands(row.by));
    }
    let body = ended(event, token, command.by, &command.reason);
    Ok(Decision::grant(about(event, Body::GrantRevoked(body))))
}

pub(super) fn subject_tokens(state: &State, command: &RevokeSubjectTokens) -> Result<Decision, Refusal> {
    state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    let body = body::SubjectTokensRevoked { reason: command.reason.clone() };
    Ok(Decision::grant(Draft::of(Body::SubjectTokensRevoked(body)).about(Some(command.subject.clone()))))
}

fn revoked<'a>(state: &'a State, event: &Event) -> Option<&'a RevokedRow> {
    event.party().and_then(|party| state.revoked(&party, event.seq))
}

fn ended(event: &Event, token: &IssuedToken, by: RevokedBy, reason: &str) -> body::Ended {
    body::Ended {
        target: event.seq,
        by,
        reason: reason.to_owned(),
        until: token.expires_at,
        machine: token.machine.clone(),
    }
}

fn about(event: &Event, body: Body) -> Draft {
    Draft {
        client: event.client.clone(),
        grant: event.grant.map_or(GrantOf::Nothing, GrantOf::Position),
        ..Draft::of(body).about(event.subject.clone())
    }
}
