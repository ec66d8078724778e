//! A code begins its own grant, in a session that lives, for what the person consented to, and says of the login
//! what the session says.

use super::{Appended, Held, sessions};
use grantlog_events::{Body, body::CodeIssued};

/// The scope that lets a grant outlive its session (OIDC Core §11).
const OFFLINE: &str = "offline_access";

pub(super) fn are_consented_to(appended: &Appended<'_>) -> Held {
    let event = appended.event;
    match &event.body {
        Body::CodeIssued(code) => given(appended, code),
        Body::ConsentGranted(consent) => {
            let (Some(subject), Some(client)) = (&event.subject, &event.client) else {
                return Err("it is a consent of nobody or for no client".to_owned());
            };
            let before = appended.state.consent(subject, client);
            if before.is_some_and(|before| !before.scope.is_within(&consent.scope)) {
                return Err("it takes back a part of a consent".to_owned());
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn given(appended: &Appended<'_>, code: &CodeIssued) -> Held {
    let (event, state) = (appended.event, appended.state);
    let subject = sessions::person(appended)?;
    let Some(client) = &event.client else { return Err("it gives a code to no client".to_owned()) };
    if state.client(client).is_some_and(|row| row.deleted) {
        return Err(format!("it gives a code to the deleted client {client}"));
    }
    if event.grant != Some(event.seq) || !event.ancestors.is_empty() || !event.actors.is_empty() {
        return Err("it gives a code under a grant that is not its own".to_owned());
    }
    sessions::lives(appended, subject, code.session)?;
    if code.spent.as_ref().is_some_and(|pushed| state.spent(&pushed.assertion).is_some()) {
        return Err("its pushed request was already spent".to_owned());
    }
    let consented = state.consent(subject, client).is_some_and(|consent| code.scope.is_within(&consent.scope));
    if !consented || code.scope.is_empty() {
        return Err(format!("its scope \"{}\" is not what the person consented to", code.scope));
    }
    if code.offline != code.scope.contains(OFFLINE) {
        return Err("it outlives its session without being asked to, or does not though it was".to_owned());
    }
    let same = state.session(subject, code.session).is_some_and(|session| {
        code.acr == session.acr
            && code.amr == session.amr
            && code.auth_time == session.auth_time
            && code.session_until == session.until
    });
    if same { Ok(()) } else { Err("it says other things of the login than its session".to_owned()) }
}
