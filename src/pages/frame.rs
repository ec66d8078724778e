//! What surrounds every page: document, title, mark, footer. A title names the page, then the service.

use super::text::Text;
use super::{Language, form, stylesheet};
use maud::{DOCTYPE, Markup, html};

/// The service's name; a proper name in every language.
const SERVICE: &str = "Grantlog";

/// How wide a page's card is.
#[derive(Clone, Copy)]
pub(super) enum Width {
    /// For one form.
    Narrow,
    /// For lists.
    Wide,
}

/// A whole document. `title` is plain text and stands in `title` alone; `content` has the page's one `h1`.
pub(super) fn document(language: Language, width: Width, title: &str, content: &Markup) -> Markup {
    let class = match width {
        Width::Narrow => "card",
        Width::Wide => "card wide",
    };
    html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " – " (SERVICE) }
                link rel="stylesheet" href=(stylesheet().0);
            }
            body {
                header { (mark()) span { (SERVICE) } }
                main class=(class) { (content) }
                footer { p { (Text::of(language).footer) } }
            }
        }
    }
}

/// Three entries of a log, the last of them still open.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false" {
            path d="M4 4h16v4H4zM4 10h16v4H4z" fill="currentColor" {}
            path d="M5 17h10v2H5z" fill="none" stroke="currentColor" stroke-width="2" {}
        }
    }
}

/// The hidden field that ties a form to the page it was made for.
pub(super) fn challenge(challenge: &str) -> Markup {
    html! { input type="hidden" name=(form::CHALLENGE) value=(challenge); }
}
