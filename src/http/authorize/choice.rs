//! `POST /select-account`: on as the person who is logged in, or as somebody else.

use super::{asked::Prompt, challenge::Consent, cookie, proceed, shown};
use crate::{
    http::{Request, Response, Stop, client, page::Visit},
    pages::{Trouble, form},
    ports::World,
};

/// `POST /select-account`.
pub(in crate::http) async fn choose<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
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
    let asked = challenge.asked.after(Prompt::SelectAccount);
    match form.value(form::DECISION) {
        Some(form::CONTINUE) => {
            let session = cookie::session(world, request).filter(|session| session.subject == challenge.subject);
            proceed(visit, client, asked, session).await
        }
        Some(form::SWITCH) => shown::login(visit, Some(&client), Some(asked.after(Prompt::Login)), None, None),
        _ => Err(visit.trouble(Trouble::MalformedRequest)),
    }
}
