//! Revocation: what ends, and until when the log must remember that it did.
//!
//! A token takes its exchanged descendants with it, a grant everything under it, a subject everything
//! issued to it until now. A revocation is remembered until its target would have expired and, where a
//! refresh token was exchanged from it, until that one has. Revoking twice is revoking once.

use super::{Decision, family::Root, issue, lasting, live, sessions};
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
    let until = lasting::until(state, &command.token.party, token.event.seq, token.issued.expires_at);
    if now >= until {
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
    let body = ended(state, event, token, by, reason);
    Decision::grant(about(event, Body::TokenRevoked(body)))
}

pub(super) fn grant(state: &State, command: &RevokeGrant) -> Result<Decision, Refusal> {
    let event = state.event(command.target).ok_or(Refusal::GrantUnknown)?;
    if let (Body::CodeIssued(_), Some(root)) = (&event.body, Root::at(state, event.seq)) {
        return Ok(match revoked(state, event) {
            Some(row) => Decision::stands(row.by),
            None => Decision::grant(root.draft(root.ended(state, command.by, &command.reason))),
        });
    }
    let token = event.body.issued().filter(|_| event.grant == Some(event.seq)).ok_or(Refusal::GrantUnknown)?;
    if let Some(row) = revoked(state, event) {
        return Ok(Decision::stands(row.by));
    }
    let body = ended(state, event, token, command.by, &command.reason);
    Ok(Decision::grant(about(event, Body::GrantRevoked(body))))
}

/// Sessions are dead with everything else; each is ended by name too, so that the clients in it are told.
pub(super) fn subject_tokens(
    state: &State,
    command: &RevokeSubjectTokens,
    now: Timestamp,
) -> Result<Decision, Refusal> {
    state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    let body = body::SubjectTokensRevoked { reason: command.reason.clone() };
    let revoked = Draft::of(Body::SubjectTokensRevoked(body)).about(Some(command.subject.clone()));
    let sessions = sessions::end_some(state, &command.subject, &command.reason, now);
    Ok(sessions.into_iter().fold(Decision::grant(revoked), Decision::recording))
}

fn revoked<'a>(state: &'a State, event: &Event) -> Option<&'a RevokedRow> {
    event.party().and_then(|party| state.revoked(&party, event.seq))
}

fn ended(state: &State, event: &Event, token: &IssuedToken, by: RevokedBy, reason: &str) -> body::Ended {
    let own = token.expires_at;
    body::Ended {
        target: event.seq,
        by,
        reason: reason.to_owned(),
        until: event.party().map_or(own, |party| lasting::until(state, &party, event.seq, own)),
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
