//! `/account`: where a person is logged in, and whom they let in; each can be ended. One call to their home.

use super::{
    Request, Response, Stop,
    authorize::{
        cookie::{self, BrowserSession},
        display_name, encoded, login_to_account, name_of, redirect,
    },
    client,
    form::Form,
    page::{self, Visit},
    stop::{odd_refusal, odd_reply},
    token::{Outcome, call},
};
use crate::{
    pages::{Account, AccountChange, Application, Session, Trouble, form},
    ports::{Log, World},
    sealed::{self, Purpose},
    shard::{AccountReading, Ask, Query, Reply},
};
use futures_util::future::join_all;
use grantlog_events::{
    Address, ClientId, Command, Refusal, Seconds, Timestamp,
    body::RevokedBy,
    command::{EndSession, Person, WithdrawConsent},
    record,
};

/// How long the page may stay open before its forms are no longer taken.
const GOOD_FOR: Seconds = Seconds(1_800);

/// What was done, as the page is told of it.
const DONE: &str = "done";

record! {
    /// What the page's forms carry: in which browser, for whose session.
    struct Shown { 1 => until: Timestamp, 2 => browser: [u8; 16], 3 => session: u64 }
}

/// `GET /account`.
pub(super) async fn show<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let Some(session) = cookie::session(world, request) else { return login_to_account(visit) };
    let question = Query::Account(person(&session));
    match world.log().ask(session.place, &Ask::Read(question)).await? {
        Reply::Account(account) => shown(visit, &form, &session, &account).await,
        Reply::Refused(Refusal::LoginRequired) => login_to_account(visit),
        Reply::Refused(refusal) => Err(odd_refusal(refusal)),
        _ => Err(odd_reply()),
    }
}

fn person(session: &BrowserSession) -> Person {
    Person { subject: session.subject.clone(), session: session.seq }
}

async fn shown<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    session: &BrowserSession,
    account: &AccountReading,
) -> Result<Response, Stop> {
    let world = visit.world;
    let browser = cookie::named_browser(world, visit.request)?;
    let shown = Shown { until: world.now().after(GOOD_FOR), browser: browser.digest, session: session.seq };
    let challenge = sealed::seal(world, Purpose::Account, session.subject.as_str().as_bytes(), &shown)?;
    let clients = join_all(account.applications.iter().map(|held| client::view(world, &held.client))).await;
    let mut names = Vec::new();
    for (held, client) in account.applications.iter().zip(clients) {
        names.push(client?.map_or_else(|| held.client.to_string(), |client| name_of(&client).to_owned()));
    }
    let person = display_name(world, &session.subject).await?;
    let targets: Vec<String> = account.sessions.iter().map(|held| session.place.at(held.session).dashed()).collect();
    let sessions: Vec<Session<'_>> = account
        .sessions
        .iter()
        .zip(&targets)
        .map(|(held, target)| Session {
            target,
            started: held.started,
            last_used: held.last_used,
            current: held.session == session.seq,
        })
        .collect();
    let scopes: Vec<Vec<&str>> = account.applications.iter().map(|held| held.scope.tokens().collect()).collect();
    let applications: Vec<Application<'_>> = account
        .applications
        .iter()
        .zip(names.iter().zip(&scopes))
        .map(|(held, (name, scopes))| Application {
            target: held.client.as_str(),
            client_name: name,
            scopes,
            resources: &[],
            since: held.since,
        })
        .collect();
    let account = Account {
        person: &person,
        challenge: &challenge,
        done: match form.value(DONE) {
            Some(form::END_SESSION) => Some(AccountChange::SessionEnded),
            Some(form::WITHDRAW) => Some(AccountChange::Withdrawn),
            _ => None,
        },
        sessions: &sessions,
        applications: &applications,
    };
    Ok(browser.name(world, page::respond(account.page(visit.language(form.value("ui_locales"))))))
}

/// `POST /account`.
pub(super) async fn change<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let Some(session) = cookie::session(world, request) else { return login_to_account(visit) };
    let Some(browser) = cookie::browser(world, request) else { return Err(visit.trouble(Trouble::CookieMissing)) };
    let opened: Option<Shown> = form
        .value(form::CHALLENGE)
        .and_then(|text| sealed::open(world.config(), Purpose::Account, session.subject.as_str().as_bytes(), text));
    let is_good = |it: &Shown| world.now() < it.until && it.browser == browser && it.session == session.seq;
    if !opened.as_ref().is_some_and(is_good) {
        return Err(visit.trouble(Trouble::AccountFormExpired));
    }
    let action = form.value(form::ACTION);
    let Some(command) = command(&form, action, &session) else {
        return Err(visit.trouble(Trouble::MalformedRequest));
    };
    match call(world, session.place, command).await? {
        Outcome::Granted(_) | Outcome::Refused(Refusal::SessionUnknown) => {}
        Outcome::Refused(Refusal::LoginRequired) => return login_to_account(visit),
        Outcome::Refused(refusal) => return Err(odd_refusal(refusal)),
    }
    if action == Some(form::SIGN_OUT) {
        let mut response = redirect("/logout");
        cookie::clear_session(world, &mut response);
        return Ok(response);
    }
    Ok(redirect(&format!("{}?{DONE}={}", form::ACCOUNT, encoded(action.unwrap_or_default()))))
}

/// What a form asks for; `None` if it asks for nothing that there is.
fn command(form: &Form, action: Option<&str>, session: &BrowserSession) -> Option<Command> {
    let me = person(session);
    let end = |target: Address, by| EndSession {
        session: target.seq,
        by,
        reason: String::new(),
        with_grants: false,
        subject: Some(me.subject.clone()),
        person: Some(me.clone()),
    };
    match (action?, form.value(form::TARGET)) {
        (form::SIGN_OUT, None) => Some(end(session.address(), RevokedBy::Logout).into()),
        (form::END_SESSION, Some(target)) => {
            let target = Address::parse_dashed(target).ok().filter(|target| target.place == session.place)?;
            Some(end(target, RevokedBy::Person).into())
        }
        (form::WITHDRAW, Some(target)) => {
            let client = ClientId::parse(target).ok()?;
            Some(WithdrawConsent { client, person: me.clone() }.into())
        }
        _ => None,
    }
}
