//! The answer to a client, through the browser (RFC 6749 §4.1.2, RFC 9207).

use super::asked::{Asked, ResponseMode};
use crate::{
    http::{OAuthError, Response, answer, page, page::Visit},
    pages::FormPost,
    ports::World,
};
use http::{HeaderValue, StatusCode, header};
use std::fmt::Write;

/// What a client is told when it gets no code (RFC 6749 §4.1.2.1, OIDC Core §3.1.2.6, RFC 8707 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    InvalidRequest,
    UnauthorizedClient,
    AccessDenied,
    UnsupportedResponseType,
    InvalidScope,
    InvalidTarget,
    LoginRequired,
    ConsentRequired,
    RequestNotSupported,
    RequestUriNotSupported,
    InvalidRequestUri,
    RegistrationNotSupported,
    UnmetAuthenticationRequirements,
}

impl Complaint {
    fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::AccessDenied => "access_denied",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::InvalidRequestUri => "invalid_request_uri",
            Self::RegistrationNotSupported => "registration_not_supported",
            Self::UnmetAuthenticationRequirements => "unmet_authentication_requirements",
        }
    }
}

impl Complaint {
    /// The same where there is no browser to send back (RFC 9126 §2.3).
    pub(super) fn when_pushed(self) -> OAuthError {
        match self {
            Self::InvalidScope => OAuthError::InvalidScope,
            Self::InvalidTarget => OAuthError::InvalidTarget,
            Self::UnauthorizedClient => OAuthError::UnauthorizedClient,
            Self::InvalidRequest
            | Self::AccessDenied
            | Self::UnsupportedResponseType
            | Self::LoginRequired
            | Self::ConsentRequired
            | Self::RequestNotSupported
            | Self::RequestUriNotSupported
            | Self::InvalidRequestUri
            | Self::RegistrationNotSupported
            | Self::UnmetAuthenticationRequirements => OAuthError::InvalidRequest,
        }
    }
}

/// The code, sent back to the client.
pub(super) fn code<W: World>(visit: Visit<'_, W>, asked: &Asked, code: String) -> Response {
    send(visit, asked, vec![("code", code)])
}

/// No code, and why.
pub(super) fn complaint<W: World>(
    visit: Visit<'_, W>,
    asked: &Asked,
    complaint: Complaint,
    sentence: &str,
) -> Response {
    send(visit, asked, vec![("error", complaint.code().to_owned()), ("error_description", sentence.to_owned())])
}

fn send<W: World>(visit: Visit<'_, W>, asked: &Asked, mut parameters: Vec<(&'static str, String)>) -> Response {
    parameters.extend(asked.state.clone().map(|state| ("state", state)));
    parameters.push(("iss", visit.world.config().issuer.clone()));
    let uri = &asked.redirect_uri;
    match asked.mode {
        ResponseMode::FormPost => form_post(visit, asked, &parameters),
        ResponseMode::Query => redirect(&joined(uri, if uri.contains('?') { '&' } else { '?' }, &parameters)),
        ResponseMode::Fragment => redirect(&joined(uri, '#', &parameters)),
    }
}

/// By a form that the browser posts; a URI that no page may lead to gets nothing.
fn form_post<W: World>(visit: Visit<'_, W>, asked: &Asked, parameters: &[(&'static str, String)]) -> Response {
    let fields: Vec<(&str, &str)> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let Some(action) = page::destination(&asked.redirect_uri) else { return answer::empty(StatusCode::BAD_REQUEST) };
    let form = FormPost { client_name: None, action: &action, fields: &fields };
    page::respond(form.page(visit.language(asked.ui_locales.as_deref())))
}

fn joined(uri: &str, separator: char, parameters: &[(&'static str, String)]) -> String {
    let pairs = parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    format!("{uri}{separator}{}", pairs.collect::<Vec<_>>().join("&"))
}

/// Percent-encoding of all but unreserved characters (RFC 3986 §2.3).
pub(in crate::http) fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    value.bytes().fold(String::new(), |mut text, byte| {
        if plain(byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

/// 303, so that a form's body goes no further (RFC 9700 §4.12).
pub(in crate::http) fn redirect(to: &str) -> Response {
    let mut response = answer::empty(StatusCode::SEE_OTHER);
    let headers = response.headers_mut();
    if let Ok(location) = HeaderValue::from_str(to) {
        headers.insert(header::LOCATION, location);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
