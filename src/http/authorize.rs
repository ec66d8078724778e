//! `/authorize` (RFC 6749 §4.1.1, OIDC Core §3.1.2): a request is read, its person found or asked, and the
//! client gets a code.
//!
//! With a session it is one call to the person's home, where session, consent and code are one decision.
//! Without one no shard is reached before the login: the client is loaded from the registry.

mod answered;
mod asked;
mod challenge;
mod choice;
mod claims;
mod consent;
pub(super) mod cookie;
mod given;
mod login;
mod pushed;
mod read;
mod reply;
mod shown;
mod throttle;

pub(super) use claims::ACR_PASSWORD;
pub use throttle::Throttle;

use super::{
    Request, Response, Stop,
    page::Visit,
    stop::{is_missing, odd_refusal},
};
use crate::{pages::Trouble, ports::World};
use asked::{Asked, Prompt};
use cookie::BrowserSession;
use given::Given;
use grantlog_events::Refusal;
use grantlog_projections::client::ClientView;
use reply::Complaint;
use std::rc::Rc;

pub(super) use choice::choose;
pub(super) use consent::consent;
pub(super) use login::{log_in, login_to_account};
pub(super) use pushed::push;
pub(super) use reply::{encoded, redirect};
pub(super) use shown::{display_name, name_of};

/// `GET` or `POST /authorize`.
pub(super) async fn authorize<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let session = cookie::session(world, request);
    let client = read::client_of(visit, &form, session.is_none()).await?;
    let asked = match form.value("request_uri").filter(|uri| pushed::is_ours(uri)) {
        Some(uri) => pushed::opened(visit, &client, uri)?,
        None if client.metadata.require_pushed => return Err(visit.trouble(Trouble::MalformedRequest)),
        None => read::asked(visit, &client, &form).await?,
    };
    proceed(visit, client, asked, session).await
}

/// What comes next for a request that is good, in a browser that may hold a session.
async fn proceed<W: World>(
    visit: Visit<'_, W>,
    client: Rc<ClientView>,
    asked: Asked,
    session: Option<BrowserSession>,
) -> Result<Response, Stop> {
    let silent = asked.wants(Prompt::None);
    let is_asked_for = |session: &BrowserSession| asked.is_about(&session.subject);
    let Some(session) = session.filter(is_asked_for).filter(|_| !asked.wants(Prompt::Login)) else {
        return to_log_in(visit, &client, asked, silent);
    };
    if asked.wants(Prompt::SelectAccount) {
        return shown::choice(visit, &client, asked, &session).await;
    }
    let given = given::in_session(visit.world, client, &asked, &session, false).await?;
    finish(visit, given, asked, session, silent).await
}

/// The home has spoken: the code goes to the client, or the person is asked what is still to be asked.
async fn finish<W: World>(
    visit: Visit<'_, W>,
    given: Given,
    asked: Asked,
    session: BrowserSession,
    silent: bool,
) -> Result<Response, Stop> {
    let refuse = |complaint, sentence: &str| Ok(reply::complaint(visit, &asked, complaint, sentence));
    match given {
        Given::Code(code) => Ok(reply::code(visit, &asked, code)),
        Given::Refused(client, refusal) => match refusal {
            Refusal::ConsentRequired if silent => {
                refuse(Complaint::ConsentRequired, "The person has not consented to this.")
            }
            Refusal::ConsentRequired => shown::consent(visit, &client, asked, &session, None).await,
            Refusal::ScopeEmpty => refuse(Complaint::InvalidScope, "Nothing of this scope can be granted."),
            Refusal::RequestSpent => refuse(Complaint::InvalidRequestUri, "The pushed request was used before."),
            Refusal::ClientDeleted | Refusal::ClientUnknown => Err(visit.trouble(Trouble::UnknownClient)),
            Refusal::LoginRequired => to_log_in(visit, &client, asked, silent),
            // Whatever is wrong with session or person: who logs in anew will learn it.
            gone if is_missing(gone) => to_log_in(visit, &client, asked, silent),
            odd => Err(odd_refusal(odd)),
        },
    }
}

fn to_log_in<W: World>(visit: Visit<'_, W>, client: &ClientView, asked: Asked, silent: bool) -> Result<Response, Stop> {
    if silent {
        return Ok(reply::complaint(visit, &asked, Complaint::LoginRequired, "The person must log in."));
    }
    let hint = asked.login_hint.clone();
    shown::login(visit, Some(client), Some(asked), hint.as_deref(), None)
}
