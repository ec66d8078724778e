//! What a logout request says (RP-Initiated Logout §2): whose session, which client, where to go on.

use super::super::{
    Stop,
    authorize::{cookie::BrowserSession, encoded},
    client,
    form::Form,
    page::Visit,
};
use crate::{
    jose::{
        VerifyError,
        id_token::{self, Hint},
    },
    pages::Trouble,
    pairwise,
    ports::World,
};
use futures_util::join;
use grantlog_events::{Address, ClientId, Subject, record, token::Party};
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// In which languages the client wants the pages.
pub(super) const UI_LOCALES: &str = "ui_locales";

/// The longest `state`, in bytes.
const LONGEST: usize = 2_048;

/// A request that was read.
#[derive(Default)]
pub(super) struct Asked {
    /// Absent without an ID token of ours.
    pub(super) shown: Option<ShownSession>,
    pub(super) client: Option<Rc<ClientView>>,
    pub(super) onward: Option<Onward>,
}

/// What an ID token shows of a session.
pub(super) struct ShownSession {
    pub(super) subject: Subject,
    /// Absent in ID tokens that outlived their session.
    pub(super) session: Option<Address>,
}

record! {
    /// Where a person goes once they are logged out.
    pub(super) struct Onward {
        /// A registered address of the client's.
        1 => uri: String,
        2 => state: Option<String>,
    }
}

impl ShownSession {
    /// Whether it is the session that the browser holds, or says no more than whose it is.
    pub(super) fn is_of(&self, held: &BrowserSession) -> bool {
        self.subject == held.subject && self.session.is_none_or(|address| address == held.address())
    }
}

impl Onward {
    pub(super) fn address(&self) -> String {
        let Some(state) = &self.state else { return self.uri.clone() };
        let separator = if self.uri.contains('?') { '&' } else { '?' };
        format!("{}{separator}state={}", self.uri, encoded(state))
    }
}

/// Reads a request. What is wrong with client or address is told on a page, and nothing ends. An ID token that is
/// none of ours, or whose key has left the key set, only means that the person is asked and sent nowhere.
pub(super) async fn read<W: World>(visit: Visit<'_, W>, form: &Form) -> Result<Asked, Stop> {
    let hint = form.value("id_token_hint");
    let named = match form.value("client_id") {
        Some(id) => Some(ClientId::parse(id).map_err(|_| visit.trouble(Trouble::UnknownClient))?),
        None => hint.and_then(id_token::peek_audience),
    };
    // A cold isolate reads the keys and the client in parallel.
    let (hint, client) = join!(verified(visit.world, hint), known(visit.world, named.as_ref()));
    let (hint, client) = (hint?, client?);
    let is_vouched_for = form.value("client_id").is_some() || matches!(hint, Shown::Good(_));
    let client = client.filter(|_| is_vouched_for);
    if form.value("client_id").is_some() && client.is_none() {
        return Err(visit.trouble(Trouble::UnknownClient));
    }
    let hint = match hint {
        Shown::Good(hint) => hint,
        Shown::Nothing => return Ok(Asked { shown: None, onward: onward(visit, form, client.as_deref())?, client }),
        Shown::NoneOfOurs => return Ok(Asked { shown: None, onward: None, client }),
    };
    if named.is_some_and(|named| named != hint.audience) {
        return Err(visit.trouble(Trouble::MalformedRequest));
    }
    let onward = onward(visit, form, client.as_deref())?;
    Ok(Asked { shown: session(visit.world, &hint), client, onward })
}

/// What a request shows.
enum Shown {
    Nothing,
    Good(Hint),
    NoneOfOurs,
}

/// Whether or not it has expired.
async fn verified<W: World>(world: &W, hint: Option<&str>) -> Result<Shown, Stop> {
    let Some(text) = hint else { return Ok(Shown::Nothing) };
    match id_token::verify_hint(world, text).await {
        Ok(hint) => Ok(Shown::Good(hint)),
        Err(VerifyError::Failure(failure)) => Err(failure.into()),
        Err(VerifyError::Invalid(_)) => Ok(Shown::NoneOfOurs),
    }
}

async fn known<W: World>(world: &W, id: Option<&ClientId>) -> Result<Option<Rc<ClientView>>, Stop> {
    let Some(id) = id else { return Ok(None) };
    Ok(client::view(world, id).await?.filter(|view| !view.deleted))
}

fn session<W: World>(world: &W, hint: &Hint) -> Option<ShownSession> {
    let Party::Subject(subject) = pairwise::read_sub(world.config(), &hint.subject)? else { return None };
    let session = match &hint.sid {
        Some(sid) => Some(Address::parse_dashed(sid).ok()?),
        None => None,
    };
    Some(ShownSession { subject, session })
}

/// The registered address to go on to, byte for byte.
fn onward<W: World>(visit: Visit<'_, W>, form: &Form, client: Option<&ClientView>) -> Result<Option<Onward>, Stop> {
    let Some(uri) = form.value("post_logout_redirect_uri") else { return Ok(None) };
    let is_registered = |client: &ClientView| client.metadata.post_logout_redirect_uris.iter().any(|held| held == uri);
    if !client.is_some_and(is_registered) {
        return Err(visit.trouble(Trouble::UnregisteredRedirectUri));
    }
    let state = form.value("state");
    if state.is_some_and(|state| state.len() > LONGEST) {
        return Err(visit.trouble(Trouble::MalformedRequest));
    }
    Ok(Some(Onward { uri: uri.to_owned(), state: state.map(str::to_owned) }))
}
