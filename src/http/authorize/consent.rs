//! `POST /consent`: the person lets the client have it, or not, or is somebody else.

use super::{
    answered::answered,
    asked::Prompt,
    cookie, finish, given,
    reply::{self, Complaint},
    shown::login,
};
use crate::{
    http::{Request, Response, Stop, page::Visit},
    pages::{Trouble, form},
    ports::World,
    sealed::Purpose,
};

/// `POST /consent`.
pub(in crate::http) async fn consent<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let visit = Visit::of(world, request);
    let form = visit.form()?;
    let (shown, client) = answered(visit, &form, Purpose::Consent).await?;
    let session = cookie::session(world, request).filter(|session| session.subject == shown.subject);
    let asked = shown.asked;
    let Some(session) = session.filter(|_| form.value(form::DECISION) != Some(form::SWITCH)) else {
        return login(visit, Some(&client), Some(asked.after(Prompt::Login)), None, None);
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
