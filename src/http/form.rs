//! Forms and query strings: each parameter once, except the two that RFC 8693 and RFC 8707 let repeat.

use super::{OAuthError, Request, Stop, stop::because};
use http::header;

/// Parameters that may repeat.
const MAY_REPEAT: [&str; 2] = ["audience", "resource"];
/// The most parameters a request may have.
const MOST: usize = 64;

/// Decoded parameters in the order they came. An empty value counts as absent (RFC 6749 §3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads an `application/x-www-form-urlencoded` body.
    pub(super) fn of_body(request: &Request) -> Result<Self, Stop> {
        let content_type =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return because(OAuthError::InvalidRequest, "The body must be application/x-www-form-urlencoded.");
        }
        Self::parse(request.body())
    }

    /// Reads the query string.
    pub(super) fn of_query(request: &Request) -> Result<Self, Stop> {
        Self::parse(request.uri().query().unwrap_or_default().as_bytes())
    }

    fn parse(bytes: &[u8]) -> Result<Self, Stop> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        for pair in bytes.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
            let mut halves = pair.splitn(2, |byte| *byte == b'=');
            let name = decoded(halves.next().unwrap_or_default())?;
            let value = decoded(halves.next().unwrap_or_default())?;
            let repeats = parameters.iter().any(|(held, _)| *held == name);
            if repeats && !MAY_REPEAT.contains(&name.as_str()) {
                return because(OAuthError::InvalidRequest, "A parameter is repeated.");
            }
            if parameters.len() >= MOST {
                return because(OAuthError::InvalidRequest, "There are too many parameters.");
            }
            parameters.push((name, value));
        }
        parameters.retain(|(_, value)| !value.is_empty());
        Ok(Self(parameters))
    }

    /// A parameter's value.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(held, _)| held == name).map(|(_, value)| value.as_str())
    }

    /// A parameter that must be there.
    pub(super) fn required(&self, name: &'static str) -> Result<&str, Stop> {
        self.value(name)
            .ok_or_else(|| Stop::Error(OAuthError::InvalidRequest, format!("The parameter {name} is missing.")))
    }

    /// Every value of a parameter that may repeat.
    pub(super) fn values(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(held, _)| held == name).map(|(_, value)| value.clone()).collect()
    }
}

/// Percent-decoding with `+` as space; what is not UTF-8 or not well-formed is refused.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, Stop> {
    let wrong = || Stop::Error(OAuthError::InvalidRequest, "A parameter is not well-formed UTF-8.".to_owned());
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let high = rest.next().and_then(|digit| char::from(*digit).to_digit(16)).ok_or_else(wrong)?;
                let low = rest.next().and_then(|digit| char::from(*digit).to_digit(16)).ok_or_else(wrong)?;
                out.push(u8::try_from(high * 16 + low).map_err(|_| wrong())?);
            }
            plain => out.push(*plain),
        }
    }
    String::from_utf8(out).map_err(|_| wrong())
}
