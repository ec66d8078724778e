//! `/logout` (OIDC RP-Initiated Logout 1.0): exactly one session ends, in one call to its home.
//!
//! Whoever shows an ID token of the session ends it at once; without one the person is asked. A person is sent
//! on only to an address that the client registered.

use super::{
    Request, Response, Stop,
    authorize::{
        cookie::{self, BrowserSession},
        encoded, redirect,
    },
    client,
    form::Form,
    operator::is_log,
    page::{self, Visit},
    stop::odd_refusal,
    token::{Outcome, call},
};
use crate::{
    jose::{
        VerifyError,
        id_token::{self, Hint},
    },
    pages::{LoggedOut, LogoutConfirmation, Trouble, form},
    pairwise,
    ports::World,
    sealed::{self, Purpose},
};
use grantlog_events::{
    Address, ClientId, Refusal, Seconds, Subject, Timestamp, body::RevokedBy, command::EndSession, record, token::Party,
};
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// How long the question may stay open.
const GOOD_FOR: Seconds = Seconds(600);

record! {
    /// Where a person goes once they are logged out.
    struct Onward { 1 => client: ClientId, 2 => uri: String, 3 => state: Option<String> }
}
record! {
    /// What the question's form carries.
    struct Confirmation { 1 => until: Timestamp, 2 => browser: [u8; 16], 3 => onward: Option<Onward> }
}

/// `GET` or `POST /logout`.
pub(super) async fn logout<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    if let Some(challenge) = form.value(form::CHALLENGE) {
        return confirmed(visit, challenge).await;
    }
    let hint = hint(visit, &form).await?;
    let client = client_of(visit, &form, hint.as_ref()).await?;
    let onward = onward(visit, &form, client.as_deref())?;
    let session = cookie::session(world, request);
    let named = hint.as_ref().and_then(|hint| named(world, hint, session.as_ref()));
    match (named, hint, session) {
        (Some((subject, address)), _, session) => {
            end(world, &subject, address).await?;
            let is_ours = session.is_some_and(|session| session.address() == address);
            Ok(done(visit, &form, onward, is_ours))
        }
        (None, None, Some(_)) => ask(visit, &form, client.as_deref(), onward),
        (None, Some(_), _) | (None, None, None) => Ok(done(visit, &form, onward, false)),
    }
}

/// An ID token that was ours once, whether or not it has expired; anything else is told on a page.
async fn hint<W: World>(visit: Visit<'_, W>, form: &Form) -> Result<Option<Hint>, Stop> {
    let Some(text) = form.value("id_token_hint") else { return Ok(None) };
    match id_token::verify_hint(visit.world, text).await {
        Ok(hint) => Ok(Some(hint)),
        Err(VerifyError::Failure(failure)) => Err(failure.into()),
        Err(VerifyError::Invalid(_)) => Err(visit.trouble(Trouble::MalformedRequest)),
    }
}

/// The session that a hint names: its own `sid`, or the browser's, if the hint is about its person.
fn named<W: World>(world: &W, hint: &Hint, session: Option<&BrowserSession>) -> Option<(Subject, Address)> {
    let Party::Subject(subject) = pairwise::read_sub(world.config(), &hint.subject)? else { return None };
    match &hint.sid {
        Some(sid) => Address::parse_dashed(sid).ok().map(|address| (subject, address)),
        None => session.filter(|session| session.subject == subject).map(|session| (subject, session.address())),
    }
}

/// The client that the request names, by its id or by the hint, which must agree.
async fn client_of<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    hint: Option<&Hint>,
) -> Result<Option<Rc<ClientView>>, Stop> {
    let unknown = || visit.trouble(Trouble::UnknownClient);
    let id = match (form.value("client_id"), hint) {
        (None, None) => return Ok(None),
        (None, Some(hint)) => hint.audience.clone(),
        (Some(id), hint) => {
            let id = ClientId::parse(id).map_err(|_| unknown())?;
            if hint.is_some_and(|hint| hint.audience != id) {
                return Err(visit.trouble(Trouble::MalformedRequest));
            }
            id
        }
    };
    let view = client::view(visit.world, &id).await?.filter(|view| !view.deleted);
    view.map(Some).ok_or_else(unknown)
}

/// The registered address to go on to, byte for byte.
fn onward<W: World>(visit: Visit<'_, W>, form: &Form, client: Option<&ClientView>) -> Result<Option<Onward>, Stop> {
    let Some(uri) = form.value("post_logout_redirect_uri") else { return Ok(None) };
    let registered = client.filter(|client| client.metadata.post_logout_redirect_uris.iter().any(|held| held == uri));
    let client = registered.ok_or_else(|| visit.trouble(Trouble::UnregisteredRedirectUri))?;
    let state = form.value("state").map(str::to_owned);
    Ok(Some(Onward { client: client.client.clone(), uri: uri.to_owned(), state }))
}

/// One call; a session that is not there has ended.
async fn end<W: World>(world: &W, subject: &Subject, address: Address) -> Result<(), Stop> {
    if !is_log(world, address.place).await? {
        return Ok(());
    }
    let command = EndSession {
        session: address.seq,
        by: RevokedBy::Logout,
        reason: String::new(),
        with_grants: false,
        person: None,
        subject: Some(subject.clone()),
    };
    match call(world, address.place, command).await? {
        Outcome::Granted(_) | Outcome::Refused(Refusal::SessionUnknown) => Ok(()),
        Outcome::Refused(refusal) => Err(odd_refusal(refusal)),
    }
}

fn ask<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    client: Option<&ClientView>,
    onward: Option<Onward>,
) -> Result<Response, Stop> {
    let world = visit.world;
    let browser = cookie::named_browser(world, visit.request)?;
    let leads_to = onward.as_ref().and_then(|onward| page::destination(&onward.uri));
    let confirmation = Confirmation { until: world.now().after(GOOD_FOR), browser: browser.digest, onward };
    let challenge = sealed::seal(world, Purpose::Logout, b"", &confirmation)?;
    let question = LogoutConfirmation {
        client_name: client.map(super::authorize::name_of),
        challenge: &challenge,
        leads_to: leads_to.as_ref(),
    };
    Ok(browser.name(world, page::respond(question.page(visit.language(form.value("ui_locales"))))))
}

/// The person said yes, in the browser that was asked.
async fn confirmed<W: World>(visit: Visit<'_, W>, challenge: &str) -> Result<Response, Stop> {
    let world = visit.world;
    let Some(browser) = cookie::browser(world, visit.request) else {
        return Err(visit.trouble(Trouble::CookieMissing));
    };
    let opened: Option<Confirmation> = sealed::open(world.config(), Purpose::Logout, b"", challenge);
    let confirmation = opened.filter(|it| world.now() < it.until && it.browser == browser);
    let confirmation = confirmation.ok_or_else(|| visit.trouble(Trouble::SignInExpired))?;
    if let Some(session) = cookie::session(world, visit.request) {
        end(world, &session.subject, session.address()).await?;
    }
    Ok(done(visit, &Form::default(), confirmation.onward, true))
}

/// Back to the client, or a page that says it is done.
fn done<W: World>(visit: Visit<'_, W>, form: &Form, onward: Option<Onward>, clear: bool) -> Response {
    let mut response = match onward {
        Some(onward) => redirect(&address(&onward)),
        None => page::respond(LoggedOut { back: None }.page(visit.language(form.value("ui_locales")))),
    };
    if clear {
        cookie::clear_session(visit.world, &mut response);
    }
    response
}

fn address(onward: &Onward) -> String {
    match &onward.state {
        Some(state) => {
            let separator = if onward.uri.contains('?') { '&' } else { '?' };
            format!("{}{separator}state={}", onward.uri, encoded(state))
        }
        None => onward.uri.clone(),
    }
}
