//! Sessions: alive while used, for so long at most; ended one by one, with what was issued for their duration.

use super::{Decision, ending};
use crate::{
    Body, ClientId, Draft, Refusal, State, Subject, Timestamp,
    body::{LogoutAbandoned, LogoutDelivered, RevokedBy, SessionEnded},
    command::{EndSession, Person, SettleLogout},
    key::LONGEST_TOKEN,
    state::{GrantRow, SessionRow, Standing},
};

/// The person's session, if it lives.
pub(super) fn live<'a>(
    state: &'a State,
    subject: &Subject,
    session: u64,
    now: Timestamp,
) -> Result<&'a SessionRow, Refusal> {
    let person = state.subject(subject).ok_or(Refusal::LoginRequired)?;
    let row = state.session(subject, session).ok_or(Refusal::LoginRequired)?;
    let lives = person.standing == Standing::Active
        && person.dead_through.is_none_or(|through| session > through)
        && row.ended.is_none()
        && now < row.until
        && now < row.last_used.after(row.idle);
    if lives { Ok(row) } else { Err(Refusal::LoginRequired) }
}

/// Whether a person's session lives at `now`; the state must hold the person and the session.
#[must_use]
pub fn session_is_live(state: &State, subject: &Subject, session: u64, now: Timestamp) -> bool {
    live(state, subject, session, now).is_ok()
}

/// The person's own session must live before they may act by it.
pub(super) fn acts(state: &State, person: &Person, now: Timestamp) -> Result<(), Refusal> {
    live(state, &person.subject, person.session, now).map(|_| ())
}

/// Ending twice is ending once.
pub(super) fn end(state: &State, command: &EndSession, now: Timestamp) -> Result<Decision, Refusal> {
    let event = state.event(command.session).ok_or(Refusal::SessionUnknown)?;
    let Body::SessionStarted(_) = event.body else { return Err(Refusal::SessionUnknown) };
    let subject = event.subject.as_ref().ok_or(Refusal::SessionUnknown)?;
    if command.subject.as_ref().is_some_and(|named| named != subject) {
        return Err(Refusal::SessionUnknown);
    }
    if let Some(person) = &command.person {
        acts(state, person, now)?;
        if person.subject != *subject {
            return Err(Refusal::SessionUnknown);
        }
    }
    let row = state.session(subject, command.session).ok_or(Refusal::SessionUnknown)?;
    if let Some(ended) = row.ended {
        return Ok(Decision::stands(ended));
    }
    let (by, reason) = (command.by, &command.reason);
    let outliving = |row: &GrantRow| command.with_grants && row.session == Some(command.session) && row.offline;
    let ends = ending::standing(state, subject, outliving, now);
    let end = Decision::grant(ended(subject, command.session, row, by, reason, ending::named(&ends)));
    Ok(ending::apart(ends, subject, by, reason).fold(end, Decision::recording))
}

/// The end of every session of a person that has not ended: what is left out would return with the person.
pub(super) fn end_all(state: &State, subject: &Subject, reason: &str, now: Timestamp) -> Vec<Draft> {
    let open = state.sessions(subject).filter(|(_, row)| row.ended.is_none() && now < row.until);
    open.map(|(session, row)| ended(subject, session, row, RevokedBy::SubjectEnded, reason, Vec::new())).collect()
}

/// The same, so many by name at most, where the others are dead with the person for good.
pub(super) fn end_some(state: &State, subject: &Subject, reason: &str, now: Timestamp) -> Vec<Draft> {
    let mut ended = end_all(state, subject, reason, now);
    ended.truncate(MOST_ENDED_AT_ONCE);
    ended
}

/// The most sessions that one command ends by name only so that the clients in them are told.
const MOST_ENDED_AT_ONCE: usize = 100;

fn ended(
    subject: &Subject,
    session: u64,
    row: &SessionRow,
    by: RevokedBy,
    reason: &str,
    grants: Vec<(u64, Timestamp)>,
) -> Draft {
    let body = SessionEnded {
        session,
        by,
        reason: reason.to_owned(),
        until: row.until.after(LONGEST_TOKEN),
        grants,
        notify: row.clients.clone(),
    };
    Draft::of(Body::SessionEnded(body)).about(Some(subject.clone()))
}

/// What became of telling a client; what is settled stays settled.
pub(super) fn settle_logout(state: &State, command: &SettleLogout) -> Decision {
    if state.notice(&command.subject, command.session, &command.client).is_none() {
        return Decision::nothing_to_do();
    }
    let (session, attempts) = (command.session, command.attempts);
    let body = match &command.abandoned {
        None => Body::LogoutDelivered(LogoutDelivered { session, attempts }),
        Some(reason) => Body::LogoutAbandoned(LogoutAbandoned { session, attempts, reason: reason.clone() }),
    };
    Decision::grant(about(&command.subject, &command.client, body))
}

fn about(subject: &Subject, client: &ClientId, body: Body) -> Draft {
    Draft::of(body).about(Some(subject.clone())).of_client(client.clone())
}
