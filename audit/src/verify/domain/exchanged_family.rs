//! A refresh token that an exchange brings begins a family of its own, for a person, where nobody acts, and
//! lives no longer than the session it is bound to.

use super::{Exchanged, Held};
use grantlog_events::{Body, decide::MAX_ANCESTORS};

pub(super) fn begins(exchanged: &Exchanged<'_>) -> Held {
    let (event, token) = (exchanged.appended.event, exchanged.token);
    let Some(refresh) = &token.refresh else { return Ok(()) };
    if refresh.family != event.seq || refresh.generation != 1 {
        return Err("its refresh token does not begin a family of its own".to_owned());
    }
    if !matches!(event.body, Body::TokenImpersonated(_)) || !event.actors.is_empty() {
        return Err("it brings a refresh token, and somebody acts".to_owned());
    }
    let Some(subject) = &event.subject else { return Err("it brings a refresh token of nobody".to_owned()) };
    if event.ancestors.len() >= MAX_ANCESTORS {
        return Err("it brings a refresh token that could not be used".to_owned());
    }
    let session = token.session.and_then(|session| exchanged.appended.state.session(subject, session));
    if session.is_some_and(|session| refresh.until > session.until) {
        return Err("its refresh token outlives the session".to_owned());
    }
    Ok(())
}
