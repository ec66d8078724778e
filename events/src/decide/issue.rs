//! Issuing: a root authorization and its first token, in one event.
//!
//! Client credentials begin a grant of the client itself; an assertion (RFC 7523) begins one of a
//! person and is spent by the same event.

use super::Decision;
use crate::{
    Body, Draft, Refusal, Scope, State, Subject, Timestamp,
    body::{AssertionSpent, TokenIssued},
    command::{Caller, Issue, Signing},
    envelope::GrantOf,
    key::LONGEST_TOKEN,
    state::Standing,
    token::{Cause, IssuedToken, TokenKind},
};

/// The scope that opens the audit log.
const AUDIT: &str = "audit";

pub(super) fn issue(state: &State, command: &Issue, now: Timestamp) -> Result<Decision, Refusal> {
    caller_is_current(state, &command.caller)?;
    key_is_trusted(state, &command.signing)?;
    subject_may_be_given_tokens(state, command)?;
    if command.spend.as_ref().is_some_and(|spend| state.spent(&spend.assertion).is_some()) {
        return Err(Refusal::AssertionSpent);
    }
    let token = IssuedToken {
        kind: TokenKind::Access,
        kid: command.signing.kid.clone(),
        algorithm: command.signing.algorithm,
        expires_at: expiry(&command.signing, now),
        scope: granted_scope(state, command)?,
        audience: command.audience.clone(),
        cause: if command.subject.is_some() { Cause::Assertion } else { Cause::ClientCredentials },
        may_act: command.may_act.clone(),
        acr: command.acr.clone(),
        amr: command.amr.clone(),
        auth_time: command.auth_time,
        assertion_issuer: command.assertion_issuer.clone(),
        machine: None,
        session: None,
        claims: Vec::new(),
        refresh: None,
        id_token: None,
    };
    let spent = command.spend.as_ref().map(|spend| AssertionSpent { assertion: spend.assertion, until: spend.until });
    let event = Draft::of(Body::TokenIssued(TokenIssued { token, spent }))
        .about(command.subject.clone())
        .of_client(command.caller.client.clone())
        .under(GrantOf::Itself);
    Ok(Decision::grant(event))
}

/// A shard that was told of a later change does not decide by an earlier one.
pub(super) fn caller_is_current(state: &State, caller: &Caller) -> Result<(), Refusal> {
    match state.client(&caller.client) {
        Some(row) if row.generation > caller.generation => Err(Refusal::ClientViewStale),
        Some(row) if row.deleted => Err(Refusal::ClientDeleted),
        _ => Ok(()),
    }
}

pub(super) fn key_is_trusted(state: &State, signing: &Signing) -> Result<(), Refusal> {
    if state.distrusted(&signing.kid).is_some() { Err(Refusal::KeyCompromised) } else { Ok(()) }
}

/// `exp` in whole seconds, as the token will carry it; never past the time that its key stays in the JWKS.
pub(super) fn expiry(signing: &Signing, now: Timestamp) -> Timestamp {
    Timestamp::at_seconds(now.seconds()).after(signing.lifetime.min(LONGEST_TOKEN))
}

/// A client that asks for more than it is registered for is told so; asking for nothing means all.
fn granted_scope(state: &State, command: &Issue) -> Result<Scope, Refusal> {
    let wanted = command.scope.as_ref().unwrap_or(&command.client_scope);
    if !wanted.is_within(&command.client_scope) {
        return Err(Refusal::ScopeExceedsClient);
    }
    let granted = entitled(state, command.subject.as_ref(), wanted);
    if granted.is_empty() && !wanted.is_empty() { Err(Refusal::ScopeEmpty) } else { Ok(granted) }
}

/// What a person may hold of a scope: the audit log is read only with the entitlement that the home knows.
pub(super) fn entitled(state: &State, subject: Option<&Subject>, scope: &Scope) -> Scope {
    match subject {
        Some(subject) if !state.subject(subject).is_some_and(|row| row.auditor) => scope.without(AUDIT),
        _ => scope.clone(),
    }
}

fn subject_may_be_given_tokens(state: &State, command: &Issue) -> Result<(), Refusal> {
    let Some(subject) = &command.subject else { return Ok(()) };
    match state.subject(subject).ok_or(Refusal::SubjectUnknown)?.standing {
        Standing::Active => Ok(()),
        Standing::Suspended => Err(Refusal::SubjectSuspended),
        Standing::Erased => Err(Refusal::SubjectErased),
    }
}
