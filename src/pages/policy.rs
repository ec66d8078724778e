//! The content security policy of each page: nothing but our stylesheet, and forms only to where they lead.
//!
//! Chromium holds a form's whole chain of redirects to `form-action`, so a page whose form ends in a redirect
//! to a client says where it may lead: for a web client, whose callback may lead on to another host of its own,
//! anywhere by https.

use super::Destination;
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

/// Sends the first form, even if a field of it is called `submit`. The only script of all pages.
pub(super) const SUBMIT: &str = "HTMLFormElement.prototype.submit.call(document.forms[0])";

/// The policy of a page whose forms post to us and may then be redirected to `leads_to`.
pub(super) fn of_page(leads_to: Option<&Destination>) -> String {
    let client = leads_to.map(|client| format!(" {}", client.chain())).unwrap_or_default();
    format!("default-src 'none'; style-src 'self'; form-action 'self'{client}; frame-ancestors 'none'; base-uri 'none'")
}

/// The policy of a page that posts an authorization response to `action` (OAuth 2.0 Form Post Response Mode):
/// one script, named by its hash, and no form to us.
#[must_use]
pub fn form_post_csp(action: &Destination) -> String {
    let script = STANDARD.encode(Sha256::digest(SUBMIT));
    let action = action.source();
    format!(
        "default-src 'none'; style-src 'self'; script-src 'sha256-{script}'; form-action {action}; \
         frame-ancestors 'none'; base-uri 'none'"
    )
}
