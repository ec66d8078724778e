//! An authorization response by form post (OAuth 2.0 Form Post Response Mode): sent by one script that the
//! policy knows by its hash, or by the person where scripts are off.

use super::frame::{self, Width};
use super::text::Text;
use super::{Destination, Language, Page, policy};
use maud::{Markup, PreEscaped, html};

/// What is posted, and where.
#[derive(Clone, Debug)]
pub struct FormPost<'a> {
    /// The client's name; the host of `action` stands in if it has none.
    pub client_name: Option<&'a str>,
    /// The redirect URI.
    pub action: &'a Destination,
    /// The response's parameters.
    pub fields: &'a [(&'a str, &'a str)],
}

impl FormPost<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let title = text.form_post.title.text(self.name());
        let html = frame::document(language, Width::Narrow, &title, &self.content(text));
        Page::new(language, policy::form_post_csp(self.action), html)
    }

    fn name(&self) -> &str {
        self.client_name.unwrap_or(self.action.place())
    }

    fn content(&self, text: &Text) -> Markup {
        html! {
            h1 { (text.form_post.title.name(self.name())) }
            p { (text.form_post.if_nothing_happens) }
            form method="post" action=(self.action.uri()) {
                @for (name, value) in self.fields { input type="hidden" name=(name) value=(value); }
                button.primary type="submit" { (text.form_post.submit) }
            }
            script { (PreEscaped(policy::SUBMIT)) }
        }
    }
}
