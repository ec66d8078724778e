//! Failure: the platform could not do what was asked. Never a verdict; outside it is always 503.

use std::fmt;

/// Something that could not be read, written or reached. The detail is for the operator's log and holds
/// no secret and no personal datum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What was being done.
    pub doing: &'static str,
    /// What the platform said.
    pub detail: String,
    /// Whether trying the same again may help.
    pub retryable: bool,
}

impl Failure {
    /// A failure that a retry may cure.
    #[must_use]
    pub fn passing(doing: &'static str, detail: impl fmt::Display) -> Self {
        Self { doing, detail: detail.to_string(), retryable: true }
    }

    /// A failure that stays until somebody mends something.
    #[must_use]
    pub fn lasting(doing: &'static str, detail: impl fmt::Display) -> Self {
        Self { doing, detail: detail.to_string(), retryable: false }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.doing, self.detail)
    }
}

impl std::error::Error for Failure {}
