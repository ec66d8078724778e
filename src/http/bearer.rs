//! Bearer tokens (RFC 6750): taken from the header, or from a form body where POST allows it.

use super::{OAuthError, Request, Stop, form::Form, stop::because};
use http::{Method, header};

/// The presented token. In the header, or as `access_token` in a form; not both, never in the query.
pub(super) fn presented(request: &Request) -> Result<String, Stop> {
    let in_header = in_header(request)?;
    let in_body = if request.method() == Method::POST && !request.body().is_empty() && is_form(request) {
        Form::of_body(request)?.value("access_token").map(str::to_owned)
    } else {
        None
    };
    match (in_header, in_body) {
        (Some(_), Some(_)) => because(OAuthError::InvalidRequest, "The token is presented twice."),
        (Some(token), None) | (None, Some(token)) => Ok(token),
        (None, None) => Err(OAuthError::TokenMissing.into()),
    }
}

fn in_header(request: &Request) -> Result<Option<String>, Stop> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| Stop::from(OAuthError::InvalidRequest))?;
    let Some((scheme, token)) = text.split_once(' ') else { return Ok(None) };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    Ok(Some(token.trim().to_owned()))
}

fn is_form(request: &Request) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type
        .is_some_and(|text| text.trim_start().to_ascii_lowercase().starts_with("application/x-www-form-urlencoded"))
}
