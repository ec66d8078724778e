//! People: created, changed, suspended, erased. What is personal travels sealed, never here.

use super::{Decision, sessions};
use crate::{
    Body, Draft, Refusal, State, Subject, Timestamp,
    body::{AttributesContinued, SubjectErased},
    command::{CreateSubject, EraseSubject, UpdateSubject},
    state::Standing,
};

/// The most events that one person's attributes take beyond the first.
const MAX_CONTINUED: u32 = 100;

pub(super) fn create(state: &State, command: &CreateSubject) -> Result<Decision, Refusal> {
    if state.subject(&command.subject).is_some() {
        return Err(Refusal::SubjectExists);
    }
    sealed(Body::SubjectCreated(command.profile.clone()), &command.subject, command.continued)
}

/// Who is suspended is logged out everywhere, and stays so when resumed.
pub(super) fn update(state: &State, command: &UpdateSubject, now: Timestamp) -> Result<Decision, Refusal> {
    let row = state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    if row.standing == Standing::Erased {
        return Err(Refusal::SubjectErased);
    }
    if command.seen.is_some_and(|seen| seen != row.changed) {
        return Err(Refusal::SubjectChanged);
    }
    let updated = sealed(Body::SubjectUpdated(command.profile.clone()), &command.subject, command.continued)?;
    let suspends = command.profile.suspended;
    let sessions = suspends.then(|| sessions::end_all(state, &command.subject, "suspended", now));
    Ok(sessions.into_iter().flatten().fold(updated, Decision::recording))
}

pub(super) fn erase(state: &State, command: &EraseSubject, now: Timestamp) -> Result<Decision, Refusal> {
    let row = state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    if row.standing == Standing::Erased {
        return Ok(Decision::stands(row.changed));
    }
    let erased = Draft::of(Body::SubjectErased(SubjectErased {})).about(Some(command.subject.clone()));
    let sessions = sessions::end_some(state, &command.subject, "erased", now);
    Ok(sessions.into_iter().fold(Decision::grant(erased), Decision::recording))
}

/// The event, and one more for each further piece of the attributes it seals.
fn sealed(body: Body, subject: &Subject, continued: u32) -> Result<Decision, Refusal> {
    if continued > MAX_CONTINUED {
        return Err(Refusal::EventTooLarge);
    }
    let sealing = |body| Draft { seals: true, ..Draft::of(body).about(Some(subject.clone())) };
    let pieces = (1..=continued).map(|piece| Body::AttributesContinued(AttributesContinued { piece }));
    Ok(pieces.map(sealing).fold(Decision::grant(sealing(body)), Decision::recording))
}
