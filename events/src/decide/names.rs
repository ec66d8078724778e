//! Unique names: claimed on the shard of their keyed hash before the subject exists at home.
//!
//! The log carries a random claim id; the hash that the name lives under is outside the fold.

use super::Decision;
use crate::{
    Body, Draft, Refusal, State,
    body::{NameClaimed, NameReleased},
    command::{ClaimName, ReleaseName},
};

pub(super) fn claim(state: &State, command: &ClaimName) -> Result<Decision, Refusal> {
    if state.name_holder.is_some_and(|holder| holder != command.claim) {
        return Err(Refusal::NameTaken);
    }
    if state.claim(&command.claim).is_some() {
        return Ok(Decision::nothing_to_do());
    }
    let draft = Draft::of(Body::NameClaimed(NameClaimed { claim: command.claim })).about(Some(command.subject.clone()));
    Ok(Decision::grant(draft))
}

pub(super) fn release(state: &State, command: &ReleaseName) -> Result<Decision, Refusal> {
    let row = state.claim(&command.claim).ok_or(Refusal::ClaimUnknown)?;
    let draft = Draft::of(Body::NameReleased(NameReleased { claim: command.claim })).about(Some(row.subject.clone()));
    Ok(Decision::grant(draft))
}
