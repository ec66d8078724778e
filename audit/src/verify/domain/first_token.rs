//! A first token begins its own grant, for a person who may be given tokens, with nobody acting.

use super::{Appended, Held};
use grantlog_events::{Body, state::Standing, token::IssuedToken};

pub(super) fn may_be_issued(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let event = appended.event;
    if event.grant != Some(event.seq) {
        return Err("it issues a first token under a grant that is not its own".to_owned());
    }
    if !event.actors.is_empty() || token.machine.is_some() {
        return Err("it issues a first token in which someone acts".to_owned());
    }
    if token.session.is_some() || token.refresh.is_some() || token.id_token.is_some() || !token.claims.is_empty() {
        return Err("it issues a first token with what only a login brings".to_owned());
    }
    if let Body::TokenIssued(issued) = &event.body
        && let Some(spent) = &issued.spent
        && appended.state.spent(&spent.assertion).is_some()
    {
        return Err("it was bought with an assertion that was already spent".to_owned());
    }
    let Some(subject) = &event.subject else { return Ok(()) };
    match appended.state.subject(subject).map(|row| row.standing) {
        Some(Standing::Active) => Ok(()),
        Some(Standing::Suspended) => Err(format!("it issues a token to the suspended {subject}")),
        Some(Standing::Erased) => Err(format!("it issues a token to the erased {subject}")),
        None => Err(format!("it issues a token to {subject}, who is not at home here")),
    }
}
