//! What a person sees of themselves: where they are logged in, and whom they let in.

use super::{AccountReading, ApplicationReading, Reply, SessionReading, Shard, Store};
use crate::failure::Failure;
use grantlog_events::{
    ClientId, Refusal, State, Timestamp,
    command::Person,
    decide::session_is_live,
    state::{Key, Row},
};

/// Sessions that live and remembered consents, for who holds a live session.
pub(super) fn account<S: Store>(shard: &Shard<S>, person: &Person, now: Timestamp) -> Result<Reply, Failure> {
    let mut state = State::default();
    let mut applications = Vec::new();
    let subject = &person.subject;
    let mut stored = shard.store().rows(&[Key::of_subject(subject)])?;
    stored.extend(shard.store().rows_under(&Key::sessions_of(subject))?);
    stored.extend(shard.store().rows_under(&Key::consents_of(subject))?);
    for (key, bytes) in stored {
        let (key, row) =
            Row::read(&key, &bytes).map_err(|malformed| Failure::lasting("reading a person's rows", malformed))?;
        if let (Row::Consent(consent), Some(client)) = (&row, client_of(&key)) {
            applications.push(ApplicationReading { client, scope: consent.scope.clone(), since: consent.since });
        }
        state.restore(key, row);
    }
    if !session_is_live(&state, subject, person.session, now) {
        return Ok(Reply::Refused(Refusal::LoginRequired));
    }
    let mut sessions = Vec::new();
    for (session, row) in state.sessions(subject) {
        if session_is_live(&state, subject, session, now) {
            let started = shard.event(session)?.occurred_at;
            sessions.push(SessionReading { session, started, last_used: row.last_used, until: row.until });
        }
    }
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_used));
    Ok(Reply::Account(AccountReading { sessions, applications }))
}

fn client_of(key: &Key) -> Option<ClientId> {
    key.as_str().rsplit_once('/').and_then(|(_, client)| ClientId::parse(client).ok())
}
