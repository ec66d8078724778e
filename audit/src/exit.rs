//! Exit codes, one per kind of fault, and the sentence that goes with one.

use std::fmt;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is as it should be.
    Sound,
    /// The command line makes no sense.
    Usage,
    /// Something could not be read, reached or found.
    Unreadable,
    /// `diff`: the two exports differ. `rebuild`: a view differs from what the log gives.
    Differs,
    /// Not an extension of the last verified state: a rollback or a fork.
    NotAnExtension,
    /// An event's bytes differ from their entry.
    BytesDiffer,
    /// A gap or a reorder in a chain.
    ChainBroken,
    /// The tail was cut.
    TailCut,
    /// An encoding that is not the canonical one.
    NotCanonical,
    /// A rule of the domain was broken.
    InvariantBroken,
    /// The manifest is broken, or a log is missing.
    ManifestBroken,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Sound => 0,
            Self::Usage => 1,
            Self::Unreadable => 2,
            Self::Differs => 3,
            Self::NotAnExtension => 12,
            Self::BytesDiffer => 13,
            Self::ChainBroken => 14,
            Self::TailCut => 15,
            Self::NotCanonical => 16,
            Self::InvariantBroken => 17,
            Self::ManifestBroken => 19,
        }
    }
}

/// Why a command could not do what it was asked to: one sentence and the code that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub exit: Exit,
    /// What is wrong, and where.
    pub sentence: String,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(exit: Exit, sentence: impl Into<String>) -> Self {
        Self { exit, sentence: sentence.into() }
    }

    /// Something could not be read, reached or found.
    pub fn unreadable(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Unreadable, sentence)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}
