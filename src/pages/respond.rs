//! From a page to its response: not cached, not framed, no referrer, and the policy of its kind.

use super::Language;
use crate::http::Response;
use grantlog_events::Seconds;
use http::{HeaderValue, StatusCode, header};
use maud::Markup;

/// A page, ready to be answered with.
#[derive(Clone, Debug)]
pub struct Page {
    pub(super) status: StatusCode,
    pub(super) language: Language,
    pub(super) policy: String,
    pub(super) retry_after: Option<Seconds>,
    pub(super) html: Markup,
}

impl Page {
    /// A page with status 200.
    pub(super) const fn new(language: Language, policy: String, html: Markup) -> Self {
        Self { status: StatusCode::OK, language, policy, retry_after: None, html }
    }

    /// The same page with another status.
    pub(super) const fn with(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }
}

/// The response that shows a page.
#[must_use]
pub fn respond(page: Page) -> Response {
    let mut response = Response::new(page.html.into_string().into_bytes());
    *response.status_mut() = page.status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_LANGUAGE, page.language.tag()),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Invariant: a policy is made of our words and of a `Destination`, which is printable ASCII. Were it not, the
    // page would be shown with nothing allowed.
    let policy = HeaderValue::try_from(page.policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if let Some(wait) = page.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.0));
    }
    response
}
