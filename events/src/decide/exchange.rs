//! Token exchange (RFC 8693): a live token buys another, never a greater one.
//!
//! What decides is the subject token's own event, not the shape of the request: a token that names who
//! may act is never exchanged without that actor, and actors stay through every further exchange. The
//! new token's scope, life and lineage follow from its parent's. A refused exchange of a genuine token
//! leaves one event and no other state.

use super::{
    Decision, issue,
    live::{self, LiveToken},
    needs::is_here,
};
use crate::{
    Body, Digest, Draft, Refusal, Scope, State, Stored, Timestamp,
    body::{self, ExchangeRefused},
    command::{Exchange, VoidExchange},
    envelope::{GrantOf, Outcome},
    token::{Actor, Cause, IssuedToken, Party, Presented, RefreshGranted, TokenKind},
};

/// The longest chain of actors.
pub const MAX_ACTORS: usize = 16;
/// The longest chain of exchanges.
pub const MAX_ANCESTORS: usize = 32;
/// The most audiences and, apart from them, the most resources of one request.
pub const MAX_TARGETS: usize = 10;

pub(super) fn exchange(state: &State, command: &Exchange, now: Timestamp) -> Result<Decision, Refusal> {
    issue::caller_is_current(state, &command.caller)?;
    issue::key_is_trusted(state, &command.signing)?;
    let parent = live::genuine(state, &command.subject_token)?;
    match judge(state, command, now) {
        Ok(draft) => Ok(Decision::grant(draft)),
        Err(refusal) => Ok(Decision::refuse(refusal).recording(refused(command, parent, refusal))),
    }
}

fn judge(state: &State, command: &Exchange, now: Timestamp) -> Result<Draft, Refusal> {
    let parent = live::live(state, &command.subject_token, now)?;
    let policy = command.policy.as_ref().ok_or(Refusal::ClientMayNotExchange)?;
    if !policy.subject_clients.admits(&command.subject_token.client) {
        return Err(Refusal::SubjectClientNotAdmitted);
    }
    actor_is_admitted(state, command, parent, now)?;
    let ancestors = lineage(parent)?;
    let refresh = refresh(state, command, parent, &ancestors, now)?;
    let token = IssuedToken {
        kind: TokenKind::Access,
        kid: command.signing.kid.clone(),
        algorithm: command.signing.algorithm,
        expires_at: issue::expiry(&command.signing, now).min(parent.issued.expires_at),
        scope: narrowed_scope(state, command, parent)?,
        audience: admitted_targets(command)?,
        cause: Cause::Exchange,
        may_act: parent.issued.may_act.clone(),
        acr: parent.issued.acr.clone(),
        amr: parent.issued.amr.clone(),
        auth_time: parent.issued.auth_time,
        assertion_issuer: None,
        machine: machine(command, parent),
        session: parent.issued.session,
        // Claims by name were asked of the person by the first client; they don't travel.
        claims: Vec::new(),
        refresh,
        id_token: None,
    };
    let body = if command.actor_token.is_some() { Body::TokenDelegated(token) } else { Body::TokenImpersonated(token) };
    Ok(Draft {
        ancestors,
        actors: chain_of_actors(command, parent)?,
        policy: Some(Digest::of(&policy.to_bytes()).half()),
        ..Draft::of(body)
            .about(parent.event.subject.clone())
            .of_client(command.caller.client.clone())
            .under(GrantOf::Position(command.subject_token.grant))
    })
}

fn actor_is_admitted(state: &State, command: &Exchange, parent: LiveToken<'_>, now: Timestamp) -> Result<(), Refusal> {
    let Some(policy) = &command.policy else { return Err(Refusal::ClientMayNotExchange) };
    let Some(actor) = &command.actor_token else {
        // Impersonation: only where no actor was demanded and the client has the right to it.
        return match (&parent.issued.may_act, policy.impersonation) {
            (Some(_), _) => Err(Refusal::ActorRequired),
            (None, false) => Err(Refusal::ImpersonationNotAllowed),
            (None, true) => Ok(()),
        };
    };
    if let Some(may_act) = &parent.issued.may_act {
        let names_someone = may_act.sub.is_some() || may_act.client.is_some();
        let named = names_someone
            && may_act.sub.as_ref().is_none_or(|party| *party == actor.party)
            && may_act.client.as_ref().is_none_or(|client| *client == actor.client);
        if !named {
            return Err(Refusal::ActorNotNamedByMayAct);
        }
    }
    if !policy.actors.admits(&actor.client) {
        return Err(Refusal::ActorClientNotAdmitted);
    }
    if is_here(actor, command.subject_token.jti.address.place) {
        live::live(state, actor, now).map_err(|_| Refusal::ActorTokenNotLive)?;
    }
    Ok(())
}

/// Subject's ∩ client's ∩ requested; nothing is ever substituted for an empty result.
fn narrowed_scope(state: &State, command: &Exchange, parent: LiveToken<'_>) -> Result<Scope, Refusal> {
    let held = issue::entitled(state, parent.event.subject.as_ref(), &parent.issued.scope);
    let held = held.intersection(&command.client_scope);
    let granted = command.scope.as_ref().map_or_else(|| held.clone(), |wanted| wanted.intersection(&held));
    if granted.is_empty() { Err(Refusal::ScopeEmpty) } else { Ok(granted) }
}

fn admitted_targets(command: &Exchange) -> Result<Vec<String>, Refusal> {
    let Some(policy) = &command.policy else { return Err(Refusal::ClientMayNotExchange) };
    if command.audience.len() > MAX_TARGETS || command.resource.len() > MAX_TARGETS {
        return Err(Refusal::TooManyTargets);
    }
    let admitted = command.audience.iter().all(|audience| policy.audiences.contains(audience))
        && command.resource.iter().all(|resource| policy.resources.contains(resource));
    if !admitted {
        return Err(Refusal::TargetNotAdmitted);
    }
    let mut targets: Vec<String> = Vec::new();
    for target in command.audience.iter().chain(&command.resource) {
        if !targets.contains(target) {
            targets.push(target.clone());
        }
    }
    if targets.is_empty() {
        targets.push(command.default_audience.clone());
    }
    Ok(targets)
}

/// A refresh token, where policy gives one and nobody acts. It begins a family of its own, good for one fixed time;
/// what was bound to a session stays so.
fn refresh(
    state: &State,
    command: &Exchange,
    parent: LiveToken<'_>,
    ancestors: &[u64],
    now: Timestamp,
) -> Result<Option<RefreshGranted>, Refusal> {
    if !command.refresh_token {
        return Ok(None);
    }
    let is_allowed = command.policy.as_ref().is_some_and(|policy| policy.refresh_token)
        && command.actor_token.is_none()
        && parent.event.actors.is_empty()
        && ancestors.len() < MAX_ANCESTORS;
    let (true, Some(lifetime), Some(subject)) = (is_allowed, command.refresh_lifetime, &parent.event.subject) else {
        return Err(Refusal::RefreshTokenNotAllowed);
    };
    let until = now.after(lifetime);
    let until = match parent.issued.session {
        Some(session) => until.min(state.session(subject, session).ok_or(Refusal::SessionEnded)?.until),
        None => until,
    };
    Ok(Some(RefreshGranted { family: state.head.next, generation: 1, until }))
}

fn lineage(parent: LiveToken<'_>) -> Result<Vec<u64>, Refusal> {
    if parent.event.ancestors.len() >= MAX_ANCESTORS {
        return Err(Refusal::TooManyAncestors);
    }
    Ok(parent.event.ancestors.iter().copied().chain([parent.event.seq]).collect())
}

/// The new actor before those that acted already (RFC 8693 §4.1).
fn chain_of_actors(command: &Exchange, parent: LiveToken<'_>) -> Result<Vec<Actor>, Refusal> {
    let newest = command.actor_token.as_ref().map(|actor| Actor { party: actor.party.clone(), jti: actor.jti.clone() });
    let chain: Vec<Actor> = newest.into_iter().chain(parent.event.actors.iter().cloned()).collect();
    if chain.len() > MAX_ACTORS { Err(Refusal::TooManyActors) } else { Ok(chain) }
}

/// Whom `sub` goes on naming when a machine token changes hands.
fn machine(command: &Exchange, parent: LiveToken<'_>) -> Option<crate::ClientId> {
    match parent.event.party() {
        Some(Party::Client(client)) if client != command.caller.client => Some(client),
        _ => None,
    }
}

fn refused(command: &Exchange, parent: LiveToken<'_>, refusal: Refusal) -> Draft {
    Draft {
        outcome: Outcome::Refused(refusal),
        ..Draft::of(Body::ExchangeRefused(ExchangeRefused { token: parent.event.seq, unrecorded: None }))
            .about(parent.event.subject.clone())
            .of_client(command.caller.client.clone())
            .under(grant_of(&command.subject_token))
    }
}

fn grant_of(token: &Presented) -> GrantOf {
    GrantOf::Position(token.grant)
}

/// Takes back an exchange whose actor turned out not to be live. Voiding twice is voiding once.
pub(super) fn void(state: &State, command: &VoidExchange) -> Result<Decision, Refusal> {
    let event = state.event(command.target).ok_or(Refusal::ExchangeUnknown)?;
    let Body::TokenDelegated(token) = &event.body else { return Err(Refusal::ExchangeUnknown) };
    if let Some(row) = event.party().and_then(|party| state.revoked(&party, command.target)) {
        return Ok(Decision::stands(row.by));
    }
    let voided = body::ExchangeVoided {
        target: command.target,
        reason: command.reason,
        until: token.expires_at,
        machine: token.machine.clone(),
    };
    let draft = Draft {
        outcome: Outcome::Refused(command.reason),
        grant: event.grant.map_or(GrantOf::Nothing, GrantOf::Position),
        client: event.client.clone(),
        ..Draft::of(Body::ExchangeVoided(voided)).about(event.subject.clone())
    };
    Ok(Decision::grant(draft))
}
