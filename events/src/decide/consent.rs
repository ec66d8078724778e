//! Consent withdrawn: what was given under it ends with it.

use super::{Decision, ending, sessions};
use crate::{
    Body, Draft, Refusal, State, Timestamp,
    body::{ConsentWithdrawn, RevokedBy},
    command::WithdrawConsent,
};

pub(super) fn withdraw(state: &State, command: &WithdrawConsent, now: Timestamp) -> Result<Decision, Refusal> {
    sessions::acts(state, &command.person, now)?;
    let subject = &command.person.subject;
    let ends = ending::standing(state, subject, |row| row.client == command.client, now);
    if ends.is_empty() && state.consent(subject, &command.client).is_none() {
        return Ok(Decision::nothing_to_do());
    }
    let (by, reason) = (RevokedBy::Person, "");
    let body = ConsentWithdrawn { by, reason: reason.to_owned(), grants: ending::named(&ends) };
    let withdrawn = Draft::of(Body::ConsentWithdrawn(body)).about(Some(subject.clone()));
    let withdrawn = Decision::grant(withdrawn.of_client(command.client.clone()));
    Ok(ending::apart(ends, subject, by, reason).fold(withdrawn, Decision::recording))
}
