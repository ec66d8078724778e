//! The consent page: who asks, for what, on whose behalf, and where the answer goes. Both answers weigh the same.

use super::frame::{self, Width};
use super::text::Text;
use super::{Destination, Language, Page, form, granted, policy};
use maud::{Markup, html};

/// What the consent page shows.
#[derive(Clone, Debug)]
pub struct Consent<'a> {
    /// The client's registered name; its id stands in if it has none.
    pub client_name: Option<&'a str>,
    /// The client's id.
    pub client_id: &'a str,
    /// The redirect URI: the page shows its host and the form may lead there.
    pub redirect_uri: &'a Destination,
    /// The display name of the person who is asked.
    pub person: &'a str,
    /// The scopes that would be granted.
    pub scopes: &'a [&'a str],
    /// The resources that would be granted (RFC 8707).
    pub resources: &'a [&'a str],
    /// Goes into the hidden field.
    pub challenge: &'a str,
}

impl Consent<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let title = text.consent.title.text(self.name());
        let html = frame::document(language, Width::Narrow, &title, &self.content(text));
        Page::new(language, policy::of_page(Some(self.redirect_uri)), html)
    }

    fn name(&self) -> &str {
        self.client_name.unwrap_or(self.client_id)
    }

    fn content(&self, text: &Text) -> Markup {
        let consent = &text.consent;
        html! {
            h1 { (consent.title.name(self.name())) }
            form method="post" action=(form::CONSENT) {
                (frame::challenge(self.challenge))
                div.person {
                    p { (consent.signed_in_as.name(self.person)) }
                    button.link type="submit" name=(form::DECISION) value=(form::SWITCH) { (consent.switch) }
                }
                @if !self.scopes.is_empty() || !self.resources.is_empty() {
                    p.before-list { (consent.it_can) }
                    (granted::list(&text.granted, self.scopes, self.resources))
                }
                dl.facts {
                    div { dt { (consent.leads_to) } dd { bdi { (self.redirect_uri.place()) } } }
                    div { dt { (consent.client_id) } dd { bdi { (self.client_id) } } }
                }
                div.answers {
                    button.primary type="submit" name=(form::DECISION) value=(form::ALLOW) { (consent.allow) }
                    button type="submit" name=(form::DECISION) value=(form::DENY) { (consent.deny) }
                }
                p.note { (consent.revocable) }
            }
        }
    }
}
