//! Redirect URIs: absolute `https`, or `http` to this machine for native apps (RFC 8252 §7.3). Compared
//! later as plain strings, so that nothing is normalised here.

use crate::http::{OAuthError, Stop};
use http::Uri;

/// Refuses a URI that a code must not be sent to. A native app may have a scheme of its own (RFC 8252 §7.1).
pub(super) fn check(uri: &str, native: bool) -> Result<(), Stop> {
    if may_be_returned_to(uri, native) {
        return Ok(());
    }
    let sentence = "A redirect URI is not an absolute https URI, or an http URI of the loopback interface, without \
                    fragment; only a native application may have a scheme of its own, with a dot in it.";
    Err(Stop::Error(OAuthError::InvalidRedirectUri, sentence.to_owned()))
}

/// Whether a browser may be sent there when it is done here.
pub(super) fn may_be_returned_to(uri: &str, native: bool) -> bool {
    is_good(uri) || (native && has_private_scheme(uri))
}

/// RFC 8252 §7.1: a domain name of the app's own, reversed.
fn has_private_scheme(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'\\' | b'"' | b'<' | b'>'));
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let named = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
    plain
        && scheme.contains('.')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(named)
        && crate::pages::Destination::parse(text).is_some()
}

/// Whether it is an absolute `https` URI, or `http` to this machine, without fragment.
pub(super) fn is_good(text: &str) -> bool {
    // Backslashes are where browsers and parsers disagree on the host.
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'\\' | b'"' | b'<' | b'>'));
    let Some(uri) = plain.then(|| text.parse::<Uri>().ok()).flatten() else { return false };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return false };
    let host = authority.host();
    if host.is_empty() || authority.as_str().contains('@') {
        return false;
    }
    scheme == "https" || (scheme == "http" && matches!(host, "127.0.0.1" | "[::1]" | "localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_and_loopback_are_taken_everything_else_is_not() {
        for good in [
            "https://app.example/callback?x=1",
            "https://app.example:8443/",
            "http://127.0.0.1:4000/cb",
            "http://[::1]/cb",
            "http://localhost/cb",
        ] {
            assert!(is_good(good), "{good}");
        }
        for bad in [
            "",
            "/callback",
            "app.example/cb",
            "http://app.example/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://localhost@evil.example/cb",
            "https://user@app.example/cb",
            "https://app.example/cb#fragment",
            "https://app.example\\@evil.example/cb",
            "https:///cb",
            "https://app.example/c b",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://äpp.example/",
        ] {
            assert!(!is_good(bad), "{bad}");
        }
    }
}
