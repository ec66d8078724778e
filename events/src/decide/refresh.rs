//! Refresh: every use rotates (RFC 9700 §4.14.2), and one token never has two successors.
//!
//! For a short grace after its first rotation a token gets the same answer again, so that a lost response
//! or a race logs nobody out; the first use of the successor closes it. Any other return of a rotated token
//! is reuse and ends the family. That is judged before anything else about the token, here, where rotation
//! is decided.

use super::{Decision, code, family::Root, issue};
use crate::{
    Body, Refusal, Scope, State, Timestamp,
    body::{RefreshRefused, RefreshReplayed, RevokedBy},
    command::{InspectRefresh, PresentedRefresh, Refresh, RevokeRefresh},
    envelope::Outcome,
    token::{Cause, IssuedToken, RefreshGranted, TokenKind},
};

/// What the presented token is to its family.
enum Use {
    /// The good one.
    Current,
    /// The one before it, still in its grace.
    InGrace,
    /// One that was rotated.
    Rotated,
}

pub(super) fn refresh(state: &State, command: &Refresh, now: Timestamp) -> Result<Decision, Refusal> {
    issue::caller_is_current(state, &command.caller)?;
    issue::key_is_trusted(state, &command.signing)?;
    command.id_token.as_ref().map_or(Ok(()), |signing| issue::key_is_trusted(state, signing))?;
    let root = genuine(state, &command.token)?;
    if root.row.client != command.caller.client {
        return Err(Refusal::TokenOfAnotherClient);
    }
    let usage = usage(root, &command.token, command, now)?;
    if matches!(usage, Use::Rotated) {
        return Ok(reused(state, root, &command.token));
    }
    match judge(state, root, command, &usage, now) {
        Ok(decision) => Ok(decision),
        Err(refusal) => Ok(refused(root, &command.token, refusal)),
    }
}

/// The family of a token whose secret part is right.
fn genuine<'a>(state: &'a State, token: &PresentedRefresh) -> Result<Root<'a>, Refusal> {
    let root = Root::at(state, token.family).ok_or(Refusal::RefreshTokenUnknown)?;
    let is_genuine = state.refresh_is_proven && token.generation >= 1 && token.generation <= root.row.generation;
    if is_genuine { Ok(root) } else { Err(Refusal::RefreshTokenUnknown) }
}

fn usage(root: Root<'_>, token: &PresentedRefresh, command: &Refresh, now: Timestamp) -> Result<Use, Refusal> {
    if token.generation == root.row.generation {
        return Ok(Use::Current);
    }
    let rotated_at = root.row.rotated_at.ok_or(Refusal::RefreshTokenUnknown)?;
    let is_the_last_one = token.generation + 1 == root.row.generation;
    // A clock that went back closes the grace.
    let is_in_time = now >= rotated_at && now <= rotated_at.after(command.grace);
    Ok(if is_the_last_one && is_in_time { Use::InGrace } else { Use::Rotated })
}

fn judge(state: &State, root: Root<'_>, command: &Refresh, usage: &Use, now: Timestamp) -> Result<Decision, Refusal> {
    root.stands(state)?;
    if root.row.refresh_until.is_none_or(|until| now >= until) {
        return Err(Refusal::RefreshTokenExpired);
    }
    let token_lives = root.row.token_until.is_some_and(|until| now < until);
    match (usage, root.row.issued) {
        (Use::InGrace, Some(issued)) if token_lives && can_be_given_again(root, command) => {
            Ok(replayed(root, &command.token, issued))
        }
        (Use::InGrace, _) => rotated(state, root, command, root.row.generation, root.row.refresh_until, now),
        (Use::Current | Use::Rotated, _) => {
            let until = Some(root.refresh_until(command.lifetime, now));
            rotated(state, root, command, root.row.generation + 1, until, now)
        }
    }
}

/// Whether the edge still signs with the keys that the first answer was signed with.
fn can_be_given_again(root: Root<'_>, command: &Refresh) -> bool {
    let wants_id_token = command.scope.as_ref().is_none_or(|scope| scope.contains("openid"));
    let id_kid = command.id_token.as_ref().filter(|_| wants_id_token).map(|signing| &signing.kid);
    root.row.is_signed_by(&command.signing.kid, id_kid)
}

/// The same answer again; that it was needed is noted once per rotation.
fn replayed(root: Root<'_>, token: &PresentedRefresh, issued: u64) -> Decision {
    let again = Decision::stands(issued);
    if root.row.replayed {
        return again;
    }
    let body = RefreshReplayed { family: root.event.seq, generation: token.generation, issued };
    again.recording(root.draft(Body::RefreshReplayed(body)))
}

/// A new access token, and the refresh token of this generation.
fn rotated(
    state: &State,
    root: Root<'_>,
    command: &Refresh,
    generation: u64,
    until: Option<Timestamp>,
    now: Timestamp,
) -> Result<Decision, Refusal> {
    let held = root.scope().ok_or(Refusal::RefreshTokenUnknown)?.intersection(&command.client_scope);
    let held = issue::entitled(state, root.event.subject.as_ref(), &held);
    let scope = narrowed(&held, command.scope.as_ref())?;
    let until = until.ok_or(Refusal::RefreshTokenUnknown)?;
    let (audience, acr, amr, auth_time, claims) = authorization(root);
    let expires_at = issue::expiry(&command.signing, now);
    let is_code = matches!(root.event.body, Body::CodeIssued(_));
    let token = IssuedToken {
        kind: TokenKind::Access,
        kid: command.signing.kid.clone(),
        algorithm: command.signing.algorithm,
        expires_at: if is_code { expires_at } else { expires_at.min(crate::Timestamp::at_seconds(until.seconds())) },
        id_token: code::id_token(command.id_token.as_ref().filter(|_| is_code), &scope, now),
        claims: if command.scope.is_some() { Vec::new() } else { claims },
        scope,
        audience,
        cause: Cause::Refresh,
        may_act: root.may_act(),
        acr,
        amr,
        auth_time,
        assertion_issuer: None,
        machine: None,
        session: root.session(),
        refresh: Some(RefreshGranted { family: root.event.seq, generation, until }),
    };
    let mut draft = root.draft(Body::TokenRefreshed(token));
    draft.ancestors = root.lineage();
    draft.actors.clone_from(&root.event.actors);
    Ok(Decision::grant(draft))
}

/// RFC 6749 §6: no more than was granted; a token that wants less does not lessen the grant.
fn narrowed(held: &Scope, wanted: Option<&Scope>) -> Result<Scope, Refusal> {
    match wanted {
        Some(wanted) if !wanted.is_within(held) => Err(Refusal::ScopeExceedsClient),
        Some(wanted) if wanted.is_empty() => Err(Refusal::ScopeEmpty),
        Some(wanted) => Ok(wanted.clone()),
        None if held.is_empty() => Err(Refusal::ScopeEmpty),
        None => Ok(held.clone()),
    }
}

type Authorization = (Vec<String>, Option<String>, Vec<String>, Option<Timestamp>, Vec<String>);

/// What the person authorized, apart from the scope.
fn authorization(root: Root<'_>) -> Authorization {
    match &root.event.body {
        Body::CodeIssued(code) => {
            (code.audience.clone(), Some(code.acr.clone()), code.amr.clone(), Some(code.auth_time), code.claims.clone())
        }
        body => body.issued().map_or_else(Authorization::default, |token| {
            (token.audience.clone(), token.acr.clone(), token.amr.clone(), token.auth_time, Vec::new())
        }),
    }
}

/// The family, and only the family, is over.
fn reused(state: &State, root: Root<'_>, token: &PresentedRefresh) -> Decision {
    let refusal = Refusal::RefreshTokenReused;
    let is_dead = root.event.party().is_some_and(|party| state.revoked(&party, root.event.seq).is_some());
    if is_dead {
        return refused(root, token, refusal);
    }
    let mut draft = root.draft(root.ended(state, RevokedBy::RefreshReuse, ""));
    draft.outcome = Outcome::Refused(refusal);
    Decision::refuse(refusal).recording(draft)
}

fn refused(root: Root<'_>, token: &PresentedRefresh, refusal: Refusal) -> Decision {
    let body = RefreshRefused { family: token.family, generation: token.generation, unrecorded: None };
    let mut draft = root.draft(Body::RefreshRefused(body));
    draft.outcome = Outcome::Refused(refusal);
    Decision::refuse(refusal).recording(draft)
}

/// Only the good one of a family that stands is live.
pub(super) fn inspect(state: &State, command: &InspectRefresh, now: Timestamp) -> Result<Decision, Refusal> {
    let root = genuine(state, &command.token)?;
    if command.token.generation != root.row.generation {
        return Err(Refusal::RefreshTokenReused);
    }
    root.stands(state)?;
    if root.row.refresh_until.is_none_or(|until| now >= until) {
        return Err(Refusal::RefreshTokenExpired);
    }
    root.row.issued.map(Decision::stands).ok_or(Refusal::RefreshTokenUnknown)
}

/// By the token's own client (RFC 7009): any genuine token of the family takes the grant with it.
pub(super) fn revoke(state: &State, command: &RevokeRefresh) -> Result<Decision, Refusal> {
    issue::caller_is_current(state, &command.caller)?;
    let root = genuine(state, &command.token)?;
    if root.row.client != command.caller.client {
        return Err(Refusal::TokenOfAnotherClient);
    }
    let dead = root.event.party().and_then(|party| state.revoked(&party, root.event.seq));
    if let Some(row) = dead {
        return Ok(Decision::stands(row.by));
    }
    Ok(Decision::grant(root.draft(root.ended(state, RevokedBy::Client, ""))))
}
