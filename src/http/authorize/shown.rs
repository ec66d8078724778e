//! The pages that ask a person something, each with its sealed challenge.

use super::{
    asked::{Asked, Prompt},
    challenge::{Shown, SignIn},
    cookie::{self, BrowserSession},
};
use crate::{
    failure::Failure,
    http::{Response, Stop, page, page::Visit},
    pages::{self, LoginProblem},
    ports::{Views, World},
    sealed::Purpose,
};
use grantlog_events::{Stored, Subject};
use grantlog_projections::{client::ClientView, user::UserView};
use serde_json::{Map, Value};

/// The login page.
pub(super) fn login<W: World>(
    visit: Visit<'_, W>,
    client: Option<&ClientView>,
    asked: Option<Asked>,
    username: Option<&str>,
    problem: Option<LoginProblem>,
) -> Result<Response, Stop> {
    let browser = cookie::named_browser(visit.world, visit.request)?;
    let language = visit.language(asked.as_ref().and_then(|asked| asked.ui_locales.as_deref()));
    let leads_to = asked.as_ref().and_then(|asked| page::destination(&asked.redirect_uri));
    let challenge = SignIn::seal(visit.world, browser.digest, asked)?;
    let login = pages::Login {
        client_name: client.map(name_of),
        challenge: &challenge,
        username,
        problem,
        leads_to: leads_to.as_ref(),
    };
    Ok(browser.name(visit.world, page::respond(login.page(language))))
}

/// The consent page, for a person whose display name may be known already.
pub(super) async fn consent<W: World>(
    visit: Visit<'_, W>,
    client: &ClientView,
    asked: Asked,
    session: &BrowserSession,
    person: Option<&str>,
) -> Result<Response, Stop> {
    let browser = cookie::named_browser(visit.world, visit.request)?;
    let person = match person {
        Some(person) => person.to_owned(),
        None => display_name(visit.world, &session.subject).await?,
    };
    let language = visit.language(asked.ui_locales.as_deref());
    let redirect_uri =
        page::destination(&asked.redirect_uri).ok_or_else(|| visit.trouble(pages::Trouble::UnregisteredRedirectUri))?;
    let (scope, resources) = (asked.scope.union(&asked.implied_scope()), asked.resources.clone());
    let scopes: Vec<&str> = scope.tokens().collect();
    let resources: Vec<&str> = resources.iter().map(String::as_str).collect();
    let challenge = Shown::seal(visit.world, Purpose::Consent, browser.digest, asked, session.subject.clone())?;
    let consent = pages::Consent {
        client_name: client.metadata.name.as_deref(),
        client_id: client.client.as_str(),
        redirect_uri: &redirect_uri,
        person: &person,
        scopes: &scopes,
        resources: &resources,
        challenge: &challenge,
    };
    Ok(browser.name(visit.world, page::respond(consent.page(language))))
}

/// The choice between going on and logging in as somebody else.
pub(super) async fn choice<W: World>(
    visit: Visit<'_, W>,
    client: &ClientView,
    asked: Asked,
    session: &BrowserSession,
) -> Result<Response, Stop> {
    let browser = cookie::named_browser(visit.world, visit.request)?;
    let person = display_name(visit.world, &session.subject).await?;
    let language = visit.language(asked.ui_locales.as_deref());
    let leads_to = page::destination(&asked.redirect_uri);
    let (asked, person_shown) = (asked.after(Prompt::SelectAccount), session.subject.clone());
    let challenge = Shown::seal(visit.world, Purpose::Choice, browser.digest, asked, person_shown)?;
    let choice = pages::AccountChoice {
        client_name: Some(name_of(client)),
        person: &person,
        challenge: &challenge,
        leads_to: leads_to.as_ref(),
    };
    Ok(browser.name(visit.world, page::respond(choice.page(language))))
}

/// What a client is called: its name, or its id if it has none.
pub(in crate::http) fn name_of(client: &ClientView) -> &str {
    client.metadata.name.as_deref().unwrap_or(client.client.as_str())
}

/// What a person is called: their name or user name as the view has it.
pub(in crate::http) async fn display_name<W: World>(world: &W, subject: &Subject) -> Result<String, Stop> {
    let Some(bytes) = world.views().user(subject).await? else { return Ok(String::new()) };
    let view =
        UserView::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading a user's view", malformed))?;
    let mut claims = Map::new();
    for (_, members) in &view.claims {
        let read: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}"))
            .map_err(|error| Failure::lasting("reading a user's view", error))?;
        claims.extend(read);
    }
    let name = ["name", "preferred_username"].into_iter().find_map(|name| claims.get(name)?.as_str());
    Ok(name.unwrap_or_default().to_owned())
}
