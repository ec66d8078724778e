//! People: created, changed, suspended, erased. What is personal travels sealed, never here.

use super::Decision;
use crate::{
    Body, Draft, Refusal, State,
    body::SubjectErased,
    command::{CreateSubject, EraseSubject, UpdateSubject},
    state::Standing,
};

pub(super) fn create(state: &State, command: &CreateSubject) -> Result<Decision, Refusal> {
    if state.subject(&command.subject).is_some() {
        return Err(Refusal::SubjectExists);
    }
    let draft = Draft::of(Body::SubjectCreated(command.profile.clone())).about(Some(command.subject.clone()));
    Ok(Decision::grant(Draft { seals: true, ..draft }))
}

pub(super) fn update(state: &State, command: &UpdateSubject) -> Result<Decision, Refusal> {
    let row = state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    if row.standing == Standing::Erased {
        return Err(Refusal::SubjectErased);
    }
    let draft = Draft::of(Body::SubjectUpdated(command.profile.clone())).about(Some(command.subject.clone()));
    Ok(Decision::grant(Draft { seals: true, ..draft }))
}

pub(super) fn erase(state: &State, command: &EraseSubject) -> Result<Decision, Refusal> {
    let row = state.subject(&command.subject).ok_or(Refusal::SubjectUnknown)?;
    if row.standing == Standing::Erased {
        return Ok(Decision::stands(row.changed));
    }
    let body = Body::SubjectErased(SubjectErased {});
    Ok(Decision::grant(Draft::of(body).about(Some(command.subject.clone()))))
}
