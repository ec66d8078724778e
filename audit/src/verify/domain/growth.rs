//! An exchange never buys a greater token: neither more scope nor a longer life.

use super::{Exchanged, Held};
use grantlog_events::decide::MAX_TARGETS;

pub(super) fn is_none(exchanged: &Exchanged<'_>) -> Held {
    let (token, parent) = (exchanged.token, exchanged.parent_token);
    if !token.scope.is_within(&parent.scope) {
        return Err(format!("its scope \"{}\" exceeds its parent's \"{}\"", token.scope, parent.scope));
    }
    if token.scope.is_empty() {
        return Err("its scope is empty".to_owned());
    }
    if token.expires_at > parent.expires_at {
        return Err("it outlives the token it was exchanged from".to_owned());
    }
    if !token.claims.is_empty() || token.id_token.is_some() {
        return Err("it comes with claims by name or an ID token, which no exchange brings".to_owned());
    }
    if token.audience.len() > 2 * MAX_TARGETS {
        return Err(format!("it has {} audiences, over the limit", token.audience.len()));
    }
    Ok(())
}
