//! Errors that must not be redirected (RFC 6749 §4.1.2.1) and others that only a page can tell: what happened,
//! what to do, and a reference for support. Nothing that a caller sent is shown.

use super::frame::{self, Width};
use super::text::{Text, TroubleText, TroublesText};
use super::{Language, Page, policy};
use grantlog_events::Seconds;
use http::StatusCode;
use maud::html;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The `client_id` is missing, unknown or of a deleted client.
    UnknownClient,
    /// The redirect URI is not one that the client registered.
    UnregisteredRedirectUri,
    /// A parameter is missing, repeated or malformed, and no redirect URI can be trusted to tell.
    MalformedRequest,
    /// The sign-in is too old or was completed.
    SignInExpired,
    /// The cookie that belongs to the sign-in is missing or another's.
    CookieMissing,
    /// The account page's form was too old; nothing was done.
    AccountFormExpired,
    /// No page has this address.
    NotFound,
    /// A failure of the platform.
    Unavailable {
        /// Until it is worth another try.
        wait: Seconds,
    },
}

/// A page about trouble.
#[derive(Clone, Debug)]
pub struct TroublePage<'a> {
    /// What went wrong.
    pub trouble: Trouble,
    /// The opaque id under which the request can be found.
    pub request_id: &'a str,
}

impl TroublePage<'_> {
    /// The page.
    #[must_use]
    pub fn page(&self, language: Language) -> Page {
        let text = Text::of(language);
        let TroubleText { title, happened, remedy } = sentences(&text.troubles, self.trouble);
        let content = html! {
            h1 { (title) }
            p { (happened) }
            p { (remedy) }
            dl.facts { div { dt { (text.troubles.reference) } dd { bdi { (self.request_id) } } } }
        };
        let html = frame::document(language, Width::Narrow, &format!("{}{title}", text.problem), &content);
        let page = Page::new(language, policy::of_page(None), html);
        match self.trouble {
            Trouble::UnknownClient
            | Trouble::UnregisteredRedirectUri
            | Trouble::MalformedRequest
            | Trouble::SignInExpired
            | Trouble::CookieMissing
            | Trouble::AccountFormExpired => page.with(StatusCode::BAD_REQUEST),
            Trouble::NotFound => page.with(StatusCode::NOT_FOUND),
            Trouble::Unavailable { wait } => {
                Page { retry_after: Some(wait), ..page.with(StatusCode::SERVICE_UNAVAILABLE) }
            }
        }
    }
}

const fn sentences(text: &TroublesText, trouble: Trouble) -> &TroubleText {
    match trouble {
        Trouble::UnknownClient => &text.unknown_client,
        Trouble::UnregisteredRedirectUri => &text.unregistered_redirect_uri,
        Trouble::MalformedRequest => &text.malformed_request,
        Trouble::SignInExpired => &text.sign_in_expired,
        Trouble::CookieMissing => &text.cookie_missing,
        Trouble::AccountFormExpired => &text.account_form_expired,
        Trouble::NotFound => &text.not_found,
        Trouble::Unavailable { .. } => &text.unavailable,
    }
}
