//! `POST /select-account`: on as the person who is logged in, or as somebody else.

use super::{answered::answered, asked::Prompt, cookie, proceed, shown::login};
use crate::{
    http::{Request, Response, Stop, page::Visit},
    pages::{Trouble, form},
    ports::World,
    sealed::Purpose,
};

/// `POST /select-account`.
pub(in crate::http) async fn choose<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let (shown, client) = answered(visit, &form, Purpose::Choice).await?;
    let asked = shown.asked.after(Prompt::SelectAccount);
    match form.value(form::DECISION) {
        Some(form::CONTINUE) => {
            let session = cookie::session(world, request).filter(|session| session.subject == shown.subject);
            proceed(visit, client, asked, session).await
        }
        Some(form::SWITCH) => login(visit, Some(&client), Some(asked.after(Prompt::Login)), None, None),
        _ => Err(visit.trouble(Trouble::MalformedRequest)),
    }
}
