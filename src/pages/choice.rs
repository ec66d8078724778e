//! The choice between accounts (`prompt=select_account`, OIDC Core §3.1.2.1).

use super::frame::{self, Width};
use super::text::Text;
use super::{Destination, Language, Page, form, policy};
use maud::{Markup, html};

/// What the page shows.
#[derive(Clone, Debug)]
pub struct AccountChoice<'a> {
    /// The name of the client that waits.
    pub client_name: Option<&'a str>,
    /// The display name of the person who is signed in.
    pub person: &'a str,
    /// Goes into the hidden field.
    pub challenge: &'a str,
    /// Where the form may lead in the end: the client's redirect URI.
    pub leads_to: Option<&'a Destination>,
}

impl AccountChoice<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let html = frame::document(language, Width::Narrow, text.choice.title, &self.content(text));
        Page::new(language, policy::of_page(self.leads_to), html)
    }

    fn content(&self, text: &Text) -> Markup {
        let choice = &text.choice;
        html! {
            h1 { (choice.title) }
            @if let Some(client) = self.client_name { p.lead { (text.login.to_client.name(client)) } }
            form method="post" action=(form::CHOICE) {
                (frame::challenge(self.challenge))
                p { (choice.signed_in) }
                button.primary type="submit" name=(form::DECISION) value=(form::CONTINUE) {
                    (choice.continue_as.name(self.person))
                }
                button type="submit" name=(form::DECISION) value=(form::SWITCH) { (choice.switch) }
            }
        }
    }
}
