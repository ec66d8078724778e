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
    /// Whether it is certain that nothing was done, and that nothing will be.
    pub undone: bool,
}

impl Failure {
    /// A failure that a retry may cure.
    #[must_use]
    pub fn passing(doing: &'static str, detail: impl fmt::Display) -> Self {
        Self { doing, detail: detail.to_string(), retryable: true, undone: false }
    }

    /// A refusal to do it now: nothing was done, and a retry may cure it.
    #[must_use]
    pub fn undone(doing: &'static str, detail: impl fmt::Display) -> Self {
        Self { undone: true, ..Self::passing(doing, detail) }
    }

    /// A failure that stays until somebody mends something.
    #[must_use]
    pub fn lasting(doing: &'static str, detail: impl fmt::Display) -> Self {
        Self { doing, detail: detail.to_string(), retryable: false, undone: false }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.doing, self.detail)
    }
}

impl std::error::Error for Failure {}
