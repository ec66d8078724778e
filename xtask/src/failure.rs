//! Why a command stopped: the one sentence its caller reads, and the exit code its caller gets.

use std::fmt::{self, Display};
use std::process::{ExitCode, ExitStatus};

/// A sentence without a full stop.
#[derive(Debug)]
pub(crate) struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 1 }
    }

    /// For `map_err`: what was being done, then what the system said.
    pub(crate) fn while_doing<E: Display>(what: impl Display) -> impl FnOnce(E) -> Self {
        move |error| Self::new(format!("{what}: {error}"))
    }

    /// The code of a program whose end was the failure; a signal has none.
    pub(crate) fn with_code_of(self, status: ExitStatus) -> Self {
        let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
        Self { code, ..self }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}
