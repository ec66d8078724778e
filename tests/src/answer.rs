//! A response, and the few questions that every test asks of one.

use http::HeaderMap;
use serde_json::Value;
use std::fmt;

/// A response, read to its end.
#[derive(Clone)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
    /// Method and path of what was asked, for messages.
    pub asked: String,
}

impl Answer {
    /// The answer itself, if it has this status; stops the test otherwise.
    #[must_use]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert!(self.status == status, "expected {status}, got {self:?}");
        self
    }

    /// The body as JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// A text member of the JSON body.
    #[must_use]
    #[track_caller]
    pub fn text(&self, member: &str) -> String {
        self.json()[member].as_str().unwrap_or_else(|| panic!("no text {member:?} in {self:?}")).to_owned()
    }

    /// The access token in the body.
    #[must_use]
    #[track_caller]
    pub fn access_token(&self) -> String {
        self.text("access_token")
    }

    /// A header's value, empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The error code of an RFC 6749 §5.2 body, if it is one.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get("error")?.as_str()?.to_owned())
    }

    /// Stops the test unless this is the OAuth error `code` with `status`, in the form of RFC 6749 §5.2.
    #[track_caller]
    pub fn must_refuse(&self, status: u16, code: &str) {
        assert!(
            self.status == status && self.error().as_deref() == Some(code),
            "expected {status} {code}, got {self:?}"
        );
        assert!(self.header("content-type").starts_with("application/json"), "an error is JSON: {self:?}");
        assert!(self.header("cache-control").contains("no-store"), "an error is not cached: {self:?}");
    }

    /// Stops the test unless this is a bearer refusal in the form of RFC 6750 §3.
    #[track_caller]
    pub fn must_challenge(&self, status: u16, code: &str) {
        let challenge = self.header("www-authenticate");
        let names = challenge.contains(&format!("error=\"{code}\""));
        assert!(
            self.status == status && challenge.starts_with("Bearer") && names,
            "expected {status} {code}, got {self:?}"
        );
    }

    /// Stops the test unless this introspection says that the token is dead, and nothing else.
    #[track_caller]
    pub fn must_be_inactive(&self) {
        assert!(
            self.status == 200 && self.json() == serde_json::json!({ "active": false }),
            "expected inactive, got {self:?}"
        );
    }

    /// Whether this introspection says that the token lives.
    #[must_use]
    #[track_caller]
    pub fn is_active(&self) -> bool {
        self.json()["active"] == true
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(600).collect();
        write!(f, "{} to {}: {shown}", self.status, self.asked)?;
        let challenge = self.header("www-authenticate");
        if challenge.is_empty() { Ok(()) } else { write!(f, " [www-authenticate: {challenge}]") }
    }
}
