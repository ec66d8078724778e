//! Consent withdrawn: what was given under it ends with it.

use super::{Decision, lasting, sessions};
use crate::{
    Body, Draft, Refusal, State, Timestamp,
    body::{ConsentWithdrawn, RevokedBy},
    command::WithdrawConsent,
    token::Party,
};

pub(super) fn withdraw(state: &State, command: &WithdrawConsent, now: Timestamp) -> Result<Decision, Refusal> {
    sessions::acts(state, &command.person, now)?;
    let subject = &command.person.subject;
    let party = Party::Subject(subject.clone());
    let of_client = state.grants(&party).filter(|(_, row)| row.client == command.client);
    let standing = of_client.filter(|(seq, _)| state.revoked(&party, *seq).is_none());
    let ended = standing.map(|(seq, row)| (seq, lasting::until(state, &party, seq, row.until)));
    let grants: Vec<_> = ended.filter(|(_, until)| now < *until).take(sessions::MOST_GRANTS).collect();
    if grants.is_empty() && state.consent(subject, &command.client).is_none() {
        return Ok(Decision::nothing_to_do());
    }
    let body = ConsentWithdrawn { by: RevokedBy::Person, reason: String::new(), grants };
    let draft = Draft::of(Body::ConsentWithdrawn(body)).about(Some(subject.clone()));
    Ok(Decision::grant(draft.of_client(command.client.clone())))
}
