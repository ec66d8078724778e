//! The account page: where a person is signed in and who has access, each with a button that ends it.
//!
//! Every button is a form of its own. Its name for assistive technology says what it ends, since the eye sees
//! that from where it stands.

use super::frame::{self, Width};
use super::moment::moment;
use super::text::Text;
use super::{Language, Page, form, granted, policy};
use grantlog_events::Timestamp;
use maud::{Markup, html};

/// What the account page shows.
#[derive(Clone, Debug)]
pub struct Account<'a> {
    /// The person's display name.
    pub person: &'a str,
    /// Goes into the hidden field of every form.
    pub challenge: &'a str,
    /// What the form before has done.
    pub done: Option<AccountChange>,
    /// Where the person is signed in.
    pub sessions: &'a [Session<'a>],
    /// Who has access.
    pub applications: &'a [Application<'a>],
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountChange {
    /// A session was ended.
    SessionEnded,
    /// A client's access was removed.
    Withdrawn,
}

/// One session of the person.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// The value of `target` that ends it.
    pub target: &'a str,
    /// When the person logged in.
    pub started: Timestamp,
    /// When it was last renewed.
    pub last_used: Timestamp,
    /// Whether the page is seen in it; it ends by signing out.
    pub current: bool,
}

/// One client that the person granted something.
#[derive(Clone, Debug)]
pub struct Application<'a> {
    /// The value of `target` that withdraws the grant.
    pub target: &'a str,
    /// The client's name, or its id if it has none.
    pub client_name: &'a str,
    /// The scopes it was granted.
    pub scopes: &'a [&'a str],
    /// The resources it was granted.
    pub resources: &'a [&'a str],
    /// Since when.
    pub since: Timestamp,
}

impl Account<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let account = &Text::of(language).account;
        let content = html! {
            h1 { (account.title) }
            @if let Some(change) = self.done { p.done role="status" { (sentence(language, change)) } }
            div.person {
                p { (account.signed_in_as.name(self.person)) }
                (self.button(form::SIGN_OUT, None, &html! { (account.sign_out) }))
            }
            section aria-labelledby="sessions" {
                h2 #sessions { (account.sessions) }
                ul.entries { @for session in self.sessions { (self.session(session, language)) } }
            }
            section aria-labelledby="applications" {
                h2 #applications { (account.applications) }
                @if self.applications.is_empty() { p { (account.no_applications) } }
                @else { ul.entries { @for client in self.applications { (self.application(client, language)) } } }
            }
        };
        let html = frame::document(language, Width::Wide, account.title, &content);
        Page::new(language, policy::of_page(None), html)
    }

    fn session(&self, session: &Session, language: Language) -> Markup {
        let account = &Text::of(language).account;
        let ends = html! {
            (account.end_session) span.unseen { ": " (account.started) " " (moment(session.started, language)) }
        };
        html! {
            li {
                div {
                    @if session.current { p.badge { (account.this_session) } }
                    dl.facts {
                        div { dt { (account.started) } dd { (moment(session.started, language)) } }
                        div { dt { (account.last_used) } dd { (moment(session.last_used, language)) } }
                    }
                }
                @if !session.current { (self.button(form::END_SESSION, Some(session.target), &ends)) }
            }
        }
    }

    fn application(&self, client: &Application, language: Language) -> Markup {
        let text = Text::of(language);
        let ends = html! { (text.account.withdraw) span.unseen { ": " bdi { (client.client_name) } } };
        html! {
            li {
                div {
                    h3 { bdi { (client.client_name) } }
                    (granted::list(&text.granted, client.scopes, client.resources))
                    dl.facts { div { dt { (text.account.since) } dd { (moment(client.since, language)) } } }
                }
                (self.button(form::WITHDRAW, Some(client.target), &ends))
            }
        }
    }

    fn button(&self, action: &str, target: Option<&str>, label: &Markup) -> Markup {
        html! {
            form method="post" action=(form::ACCOUNT) {
                (frame::challenge(self.challenge))
                input type="hidden" name=(form::ACTION) value=(action);
                @if let Some(target) = target { input type="hidden" name=(form::TARGET) value=(target); }
                button type="submit" { (label) }
            }
        }
    }
}

const fn sentence(language: Language, change: AccountChange) -> &'static str {
    let account = &Text::of(language).account;
    match change {
        AccountChange::SessionEnded => account.session_ended,
        AccountChange::Withdrawn => account.withdrawn,
    }
}
