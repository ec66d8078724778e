//! Liveness: a token lives if its event says what it says and nothing above it has ended.
//!
//! The token's own event is compared first, so a token that was never issued here is unknown, however
//! well it is signed. Then come its own end, its ancestors, its grant, its session, its subject, its client, its key.

use super::Decision;
use crate::{
    Event, Refusal, State, Timestamp,
    state::Standing,
    token::{IssuedToken, Party, Presented},
};

/// A token that this log issued and nothing has ended; only [`live`] makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveToken<'a> {
    pub(super) event: &'a Event,
    pub(super) issued: &'a IssuedToken,
}

pub(super) fn inspect(state: &State, token: &Presented, now: Timestamp) -> Result<Decision, Refusal> {
    live(state, token, now).map(|live| Decision::stands(live.event.seq))
}

pub(super) fn live<'a>(state: &'a State, token: &Presented, now: Timestamp) -> Result<LiveToken<'a>, Refusal> {
    let genuine = genuine(state, token)?;
    if now >= genuine.issued.expires_at {
        return Err(Refusal::TokenExpired);
    }
    nothing_revoked(state, token)?;
    subject_stands(state, token)?;
    client_stands(state, token)?;
    if state.distrusted(&token.kid).is_some() {
        return Err(Refusal::KeyCompromised);
    }
    Ok(genuine)
}

/// The token's event, if it says what the token says.
pub(super) fn genuine<'a>(state: &'a State, token: &Presented) -> Result<LiveToken<'a>, Refusal> {
    let event = state.event(token.jti.address.seq).ok_or(Refusal::TokenUnknown)?;
    let issued = event.body.issued().ok_or(Refusal::TokenUnknown)?;
    let agrees = event.jti() == token.jti
        && issued.kind == token.kind
        && event.client.as_ref() == Some(&token.client)
        && event.party().as_ref() == Some(&token.party)
        && issued.kid == token.kid
        && issued.expires_at == token.expires_at
        && issued.scope == token.scope
        && event.grant == Some(token.grant)
        && event.ancestors == token.ancestors
        && issued.session == token.session;
    if agrees { Ok(LiveToken { event, issued }) } else { Err(Refusal::TokenUnknown) }
}

fn nothing_revoked(state: &State, token: &Presented) -> Result<(), Refusal> {
    if state.revoked(&token.party, token.jti.address.seq).is_some() {
        return Err(Refusal::TokenRevoked);
    }
    if token.ancestors.iter().any(|seq| state.revoked(&token.party, *seq).is_some()) {
        return Err(Refusal::AncestorRevoked);
    }
    if state.revoked(&token.party, token.grant).is_some() {
        return Err(Refusal::GrantRevoked);
    }
    if token.session.is_some_and(|seq| state.revoked(&token.party, seq).is_some()) {
        return Err(Refusal::SessionEnded);
    }
    Ok(())
}

fn subject_stands(state: &State, token: &Presented) -> Result<(), Refusal> {
    let Party::Subject(subject) = &token.party else { return Ok(()) };
    let row = state.subject(subject).ok_or(Refusal::SubjectUnknown)?;
    match row.standing {
        Standing::Suspended => Err(Refusal::SubjectSuspended),
        Standing::Erased => Err(Refusal::SubjectErased),
        Standing::Active if is_dead(row.dead_through, token) => Err(Refusal::SubjectTokensRevoked),
        Standing::Active => Ok(()),
    }
}

fn client_stands(state: &State, token: &Presented) -> Result<(), Refusal> {
    // A machine token that was exchanged has two clients: the one it was issued to, the one that `sub` names.
    let named = match &token.party {
        Party::Client(client) => Some(client),
        Party::Subject(_) => None,
    };
    for row in [Some(&token.client), named].into_iter().flatten().filter_map(|client| state.client(client)) {
        if row.deleted {
            return Err(Refusal::ClientDeleted);
        }
        if is_dead(row.dead_through, token) {
            return Err(Refusal::ClientTokensRevoked);
        }
    }
    Ok(())
}

fn is_dead(dead_through: Option<u64>, token: &Presented) -> bool {
    dead_through.is_some_and(|seq| token.jti.address.seq <= seq)
}
