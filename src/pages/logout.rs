//! Signing out: the question (RP-Initiated Logout §2, when no ID token shows who asks) and what comes after.

use super::frame::{self, Width};
use super::text::Text;
use super::{Destination, Language, Page, form, policy};
use maud::{Markup, html};

/// The question whether to sign out. Staying is a link and not an answer, so that every post means yes.
#[derive(Clone, Debug)]
pub struct LogoutConfirmation<'a> {
    /// The name of the client that asks, if it is known.
    pub client_name: Option<&'a str>,
    /// Goes into the hidden field.
    pub challenge: &'a str,
    /// Where the form may lead in the end: a registered post-logout redirect URI.
    pub leads_to: Option<&'a Destination>,
}

impl LogoutConfirmation<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let html = frame::document(language, Width::Narrow, text.logout.title, &self.content(text));
        Page::new(language, policy::of_page(self.leads_to), html)
    }

    fn content(&self, text: &Text) -> Markup {
        let logout = &text.logout;
        html! {
            h1 { (logout.title) }
            @if let Some(client) = self.client_name { p.lead { (logout.by_client.name(client)) } }
            p { (logout.what_ends) }
            form method="post" action=(form::LOGOUT) {
                (frame::challenge(self.challenge))
                button.primary type="submit" { (logout.submit) }
            }
            p.aside { a href=(form::ACCOUNT) { (logout.stay) } }
        }
    }
}

/// After signing out.
#[derive(Clone, Debug)]
pub struct LoggedOut<'a> {
    /// The client to go back to: its name and a registered address.
    pub back: Option<(&'a str, &'a Destination)>,
}

impl LoggedOut<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let logout = &Text::of(language).logout;
        let content = html! {
            h1 { (logout.done) }
            p { (logout.close) }
            @if let Some((client, destination)) = self.back {
                p.aside { a href=(destination.uri()) { (logout.back.name(client)) } }
            }
        };
        let html = frame::document(language, Width::Narrow, logout.done, &content);
        Page::new(language, policy::of_page(None), html)
    }
}
