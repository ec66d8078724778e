//! `POST /consent`: the person lets the client have it, or not, or is somebody else.

use super::{
    asked::Prompt,
    challenge::Consent,
    cookie, finish, given,
    reply::{self, Complaint},
    shown,
};
use crate::{
    http::{Request, Response, Stop, client, page::Visit},
    pages::{Trouble, form},
    ports::World,
};

/// `POST /consent`.
pub(in crate::http) async fn consent<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let browser = cookie::browser(world, request);
    if browser.is_none() {
        return Err(visit.trouble(Trouble::CookieMissing));
    }
    let challenge = form.value(form::CHALLENGE).and_then(|text| Consent::open(world, browser, text));
    let challenge = challenge.ok_or_else(|| visit.trouble(Trouble::SignInExpired))?;
    let view = client::view(world, &challenge.asked.client).await?.filter(|view| !view.deleted);
    let client = view.ok_or_else(|| visit.trouble(Trouble::UnknownClient))?;
    let session = cookie::session(world, request).filter(|session| session.subject == challenge.subject);
    let asked = challenge.asked;
    let Some(session) = session.filter(|_| form.value(form::DECISION) != Some(form::SWITCH)) else {
        return shown::login(visit, Some(&client), Some(asked.after(Prompt::Login)), None, None);
    };
    match form.value(form::DECISION) {
        Some(form::ALLOW) => {
            let given = given::in_session(world, client, &asked, &session, true).await?;
            finish(visit, given, asked, session, false).await
        }
        Some(form::DENY) => {
            Ok(reply::complaint(visit, &asked, Complaint::AccessDenied, "The person does not allow it."))
        }
        _ => Err(visit.trouble(Trouble::MalformedRequest)),
    }
}
