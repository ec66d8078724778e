//! `/logout` (OIDC RP-Initiated Logout 1.0): exactly one session ends, in one call to its home.
//!
//! Whoever shows an ID token of the session ends it at once; otherwise the person is asked. A person is sent on
//! only to an address that the client registered. `logout_hint` is not needed: the cookie names one person.

mod asked;
mod question;

use super::{
    Request, Response, Stop,
    authorize::{
        cookie::{self, BrowserSession},
        redirect,
    },
    form::Form,
    operator::is_log,
    page::{self, Visit},
    stop::{is_missing, odd_refusal},
    token::{Outcome, call},
};
use crate::{
    pages::{LoggedOut, form},
    ports::World,
};
use asked::{Asked, Onward, ShownSession};
use grantlog_events::{Address, Subject, body::RevokedBy, command::EndSession};
use question::Question;

/// `GET` or `POST /logout`.
pub(super) async fn logout<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let held = cookie::session(world, request);
    if let Some(challenge) = form.value(form::CHALLENGE) {
        return answered(visit, &form, held, challenge).await;
    }
    let asked = asked::read(visit, &form).await?;
    match which(asked.shown.as_ref(), held) {
        Which::AtOnce(subject, address) => {
            end(world, &subject, address).await?;
            Ok(done(visit, &form, asked.onward.as_ref()))
        }
        Which::IfConfirmed(held) => question::put(visit, &form, &held, asked),
        Which::None => Ok(done(visit, &form, asked.onward.as_ref())),
    }
}

/// The session that a request is about.
enum Which {
    /// Whoever asks has shown that they may end this one.
    AtOnce(Subject, Address),
    /// The browser's, if the person wants it.
    IfConfirmed(BrowserSession),
    /// None that anybody knows of.
    None,
}

/// RP-Initiated Logout §2: the person must be asked where the ID token is missing, or is of another session or
/// person than the browser's. Without a cookie, as in a browser that keeps it from other sites, the ID token is all.
fn which(shown: Option<&ShownSession>, held: Option<BrowserSession>) -> Which {
    match (shown, held) {
        (Some(shown), Some(held)) if shown.is_of(&held) => Which::AtOnce(held.subject.clone(), held.address()),
        (_, Some(held)) => Which::IfConfirmed(held),
        (Some(ShownSession { subject, session: Some(address) }), None) => Which::AtOnce(subject.clone(), *address),
        (_, None) => Which::None,
    }
}

/// The person's yes ends the session that they were asked about. Of what was sealed too long ago or about another
/// session nothing follows but the question, put anew.
async fn answered<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    held: Option<BrowserSession>,
    challenge: &str,
) -> Result<Response, Stop> {
    let question = Question::open(visit.world, challenge);
    match (question, held) {
        (Some(question), Some(held)) if question.is_about(&held) => {
            end(visit.world, &held.subject, held.address()).await?;
            Ok(done(visit, form, question.onward.as_ref()))
        }
        (_, Some(held)) => question::put(visit, form, &held, Asked::default()),
        (Some(question), None) => Ok(done(visit, form, question.onward.as_ref())),
        (None, None) => Ok(done(visit, form, None)),
    }
}

/// One call; a session that is not there has ended, and what has ended stays so.
async fn end<W: World>(world: &W, subject: &Subject, address: Address) -> Result<(), Stop> {
    if !is_log(world, address.place).await? {
        return Ok(());
    }
    let command = EndSession {
        session: address.seq,
        by: RevokedBy::Logout,
        reason: "logged out".to_owned(),
        with_grants: false,
        person: None,
        subject: Some(subject.clone()),
    };
    match call(world, address.place, command).await? {
        Outcome::Granted(_) => Ok(()),
        Outcome::Refused(refusal) if is_missing(refusal) => Ok(()),
        Outcome::Refused(refusal) => Err(odd_refusal(refusal)),
    }
}

/// Back to the client, or a page that says it is done. What the browser held is of no use any more.
fn done<W: World>(visit: Visit<'_, W>, form: &Form, onward: Option<&Onward>) -> Response {
    let mut response = match onward {
        Some(onward) => redirect(&onward.address()),
        None => page::respond(LoggedOut { back: None }.page(visit.language(form.value(asked::UI_LOCALES)))),
    };
    cookie::clear_session(visit.world, &mut response);
    response
}
