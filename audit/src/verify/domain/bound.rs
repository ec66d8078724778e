//! A token that is bound to a session is its person's, and is not issued after the session has ended.

use super::{Appended, Held};
use grantlog_events::token::{IssuedToken, Party};

pub(super) fn to_no_ended_session(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let Some(session) = token.session else { return Ok(()) };
    let address = appended.files.at(session);
    let subject = appended.event.subject.as_ref();
    if subject.is_none_or(|subject| appended.state.session(subject, session).is_none()) {
        return Err(format!("it is bound to {address}, which is no session of its person"));
    }
    let revoked = subject.and_then(|subject| appended.state.revoked(&Party::Subject(subject.clone()), session));
    match revoked {
        Some(row) => Err(format!("it is bound to the session {address}, which {} ended", appended.files.at(row.by))),
        None => Ok(()),
    }
}
