//! `/account`: where a person is logged in, and whom they let in; each can be ended. One call to their home.

mod shown;

use super::{
    Request, Response, Stop,
    authorize::{
        cookie::{self, BrowserSession},
        display_name, encoded, login_to_account, redirect,
    },
    form::Form,
    page::Visit,
    stop::{odd_refusal, odd_reply},
    token::{Outcome, call},
};
use crate::{
    pages::{Trouble, form},
    ports::{Log, World},
    shard::{Ask, Query, Reply},
};
use futures_util::join;
use grantlog_events::{
    Address, ClientId, Command, Refusal,
    body::RevokedBy,
    command::{EndSession, Person, WithdrawConsent},
};

/// What was done, as the page is told of it.
const DONE: &str = "done";

/// `GET /account`.
pub(super) async fn show<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let Some(session) = cookie::session(world, request) else { return login_to_account(visit) };
    let question = Ask::Read(Query::Account(person(&session)));
    let (reply, name) = join!(world.log().ask(session.place, &question), display_name(world, &session.subject));
    match reply? {
        Reply::Account(account) => shown::page(visit, &session, &account, &name?, form.value(DONE)).await,
        Reply::Refused(Refusal::LoginRequired) => login_to_account(visit),
        Reply::Refused(refusal) => Err(odd_refusal(refusal)),
        _ => Err(odd_reply()),
    }
}

/// `POST /account`.
pub(super) async fn change<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let Some(session) = cookie::session(world, request) else { return login_to_account(visit) };
    if !shown::is_good(world, &session, form.value(form::CHALLENGE)) {
        return Err(visit.trouble(Trouble::AccountFormExpired));
    }
    let action = form.value(form::ACTION).unwrap_or_default();
    let command = command(&form, action, &session).ok_or_else(|| visit.trouble(Trouble::MalformedRequest))?;
    match call(world, session.place, command).await? {
        // A session that is not there has ended, and of another person's nobody learns more.
        Outcome::Granted(_) | Outcome::Refused(Refusal::SessionUnknown) => {}
        Outcome::Refused(Refusal::LoginRequired) => return login_to_account(visit),
        Outcome::Refused(refusal) => return Err(odd_refusal(refusal)),
    }
    if action == form::SIGN_OUT {
        // Without a session that says that they are logged out.
        let mut response = redirect(form::LOGOUT);
        cookie::clear_session(world, &mut response);
        return Ok(response);
    }
    Ok(redirect(&format!("{}?{DONE}={}", form::ACCOUNT, encoded(action))))
}

fn person(session: &BrowserSession) -> Person {
    Person { subject: session.subject.clone(), session: session.seq }
}

/// What a form asks for; `None` if it asks for nothing that there is.
fn command(form: &Form, action: &str, session: &BrowserSession) -> Option<Command> {
    match (action, form.value(form::TARGET)) {
        (form::SIGN_OUT, None) => Some(sign_out(session).into()),
        (form::END_SESSION, Some(target)) => {
            let target = Address::parse_dashed(target).ok().filter(|target| target.place == session.place)?;
            Some(end(session, target).into())
        }
        (form::WITHDRAW, Some(target)) => {
            let client = ClientId::parse(target).ok()?;
            Some(WithdrawConsent { client, person: person(session) }.into())
        }
        _ => None,
    }
}

/// Whoever ends another of their sessions may have lost the device, so that all that was got by it ends.
fn end(session: &BrowserSession, target: Address) -> EndSession {
    EndSession {
        session: target.seq,
        by: RevokedBy::Person,
        reason: "ended on the account page".to_owned(),
        with_grants: true,
        subject: Some(session.subject.clone()),
        person: Some(person(session)),
    }
}

/// Whoever signs out keeps what is meant to outlive the session.
fn sign_out(session: &BrowserSession) -> EndSession {
    let reason = "signed out on the account page".to_owned();
    EndSession { by: RevokedBy::Logout, reason, with_grants: false, ..end(session, session.address()) }
}
