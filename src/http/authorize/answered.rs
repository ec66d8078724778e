//! A page comes back filled in: its challenge shows which request it was about, and in which browser it was shown to whom.

use super::{challenge::Shown, cookie, read};
use crate::{
    http::{Stop, form::Form, page::Visit},
    pages::{Trouble, form},
    ports::World,
    sealed::Purpose,
};
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// What the page of this purpose was about, and the client that asked.
pub(super) async fn answered<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    purpose: Purpose,
) -> Result<(Shown, Rc<ClientView>), Stop> {
    let browser = cookie::browser(visit.world, visit.request);
    if browser.is_none() {
        return Err(visit.trouble(Trouble::CookieMissing));
    }
    let shown = form.value(form::CHALLENGE).and_then(|text| Shown::open(visit.world, purpose, browser, text));
    let shown = shown.ok_or_else(|| visit.trouble(Trouble::SignInExpired))?;
    let client = read::client_again(visit, &shown.asked).await?;
    Ok((shown, client))
}
