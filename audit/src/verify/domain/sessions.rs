//! A session begins with a challenge that was not spent, is renewed while it lives, and ends once, for as long
//! as anything issued in it could live; who is told of its end is who was to be told.

use super::{Appended, Held};
use grantlog_events::{
    Body, Subject,
    body::{AssertionSpent, SessionEnded, SessionStarted},
    decide::session_is_live,
    key::LONGEST_TOKEN,
    state::Standing,
};

pub(super) fn begin_and_end_once(appended: &Appended<'_>) -> Held {
    let event = appended.event;
    match &event.body {
        Body::SessionStarted(started) => person(appended).and_then(|subject| begins(appended, subject, started)),
        Body::SessionRenewed(renewed) => {
            unspent(appended, &renewed.spent)?;
            lives(appended, person(appended)?, renewed.session)
        }
        Body::SessionEnded(ended) => person(appended).and_then(|subject| ends(appended, subject, ended)),
        Body::LogoutDelivered(told) => was_owed(appended, told.session),
        Body::LogoutAbandoned(told) => was_owed(appended, told.session),
        _ => Ok(()),
    }
}

pub(super) fn person<'a>(appended: &Appended<'a>) -> Result<&'a Subject, String> {
    appended.event.subject.as_ref().ok_or_else(|| "it is about a login of nobody".to_owned())
}

/// Asked of the rule that the shards decide by.
pub(super) fn lives(appended: &Appended<'_>, subject: &Subject, session: u64) -> Held {
    if session_is_live(appended.state, subject, session, appended.event.occurred_at) {
        return Ok(());
    }
    Err(format!("it rests on the session {}, which did not live", appended.files.at(session)))
}

fn begins(appended: &Appended<'_>, subject: &Subject, started: &SessionStarted) -> Held {
    unspent(appended, &started.spent)?;
    if appended.state.subject(subject).is_none_or(|row| row.standing != Standing::Active) {
        return Err(format!("it lets in {subject}, who may not log in"));
    }
    Ok(())
}

fn unspent(appended: &Appended<'_>, challenge: &AssertionSpent) -> Held {
    match appended.state.spent(&challenge.assertion) {
        Some(_) => Err("its sign-in challenge was already spent".to_owned()),
        None => Ok(()),
    }
}

fn ends(appended: &Appended<'_>, subject: &Subject, ended: &SessionEnded) -> Held {
    let address = appended.files.at(ended.session);
    let Some(row) = appended.state.session(subject, ended.session) else {
        return Err(format!("it ends {address}, which is no session of its person"));
    };
    if let Some(by) = row.ended {
        return Err(format!("it ends the session {address}, which {} ended already", appended.files.at(by)));
    }
    if ended.until < row.until.after(LONGEST_TOKEN) {
        return Err(format!("its end of the session {address} is forgotten before what was issued in it has expired"));
    }
    if ended.notify != row.clients {
        return Err("it tells other clients of the session's end than those that are to be told".to_owned());
    }
    Ok(())
}

fn was_owed(appended: &Appended<'_>, session: u64) -> Held {
    let event = appended.event;
    let (Some(subject), Some(client)) = (&event.subject, &event.client) else {
        return Err("it tells nobody of a logout".to_owned());
    };
    match appended.state.notice(subject, session, client) {
        Some(_) => Ok(()),
        None => Err(format!("it says that {client} was told of a logout, which was not owed to it")),
    }
}
