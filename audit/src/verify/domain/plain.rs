//! What holds for every event, and for every event that issues a token.

use super::{Appended, Held};
use grantlog_events::{Outcome, Timestamp, envelope::MAX_EVENT, key::LONGEST_TOKEN, token::IssuedToken};

pub(super) fn holds(appended: &Appended<'_>, bytes: &[u8]) -> Held {
    let event = appended.event;
    if bytes.len() > MAX_EVENT {
        return Err(format!("it has {} bytes, over the limit of {MAX_EVENT}", bytes.len()));
    }
    if event.occurred_at > event.recorded_at {
        return Err("it was recorded before it occurred".to_owned());
    }
    Ok(())
}

pub(super) fn token(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let event = appended.event;
    if event.outcome != Outcome::Granted {
        return Err("it issues a token and says that it was refused".to_owned());
    }
    let Some(client) = &event.client else { return Err("it issues a token to no client".to_owned()) };
    if appended.state.client(client).is_some_and(|row| row.deleted) {
        return Err(format!("it issues a token to the deleted client {client}"));
    }
    if appended.state.distrusted(&token.kid).is_some() {
        return Err(format!("it issues a token under the compromised key {}", token.kid));
    }
    if let Some(id_token) = token.id_token.as_ref().filter(|it| appended.state.distrusted(&it.kid).is_some()) {
        return Err(format!("it issues an ID token under the compromised key {}", id_token.kid));
    }
    let whole_second = Timestamp::at_seconds(token.expires_at.seconds()) == token.expires_at;
    if !whole_second || token.expires_at > event.occurred_at.after(LONGEST_TOKEN) {
        return Err("it issues a token that lives longer than any may, or not to a whole second".to_owned());
    }
    Ok(())
}
