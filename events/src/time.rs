//! Instants and durations. Milliseconds in the log, seconds in tokens.

use crate::{Malformed, Stored, cbor::Value};

/// An instant, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Whole seconds since 1970, as JWT `NumericDate` has them.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0 / 1000
    }

    /// The instant at a JWT `NumericDate`.
    #[must_use]
    pub const fn at_seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// This instant, `by` later.
    #[must_use]
    pub const fn after(self, by: Seconds) -> Self {
        Self(self.0.saturating_add(by.0.saturating_mul(1000)))
    }

    /// Milliseconds from `earlier` to this instant; zero if it lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Stored for Timestamp {
    fn store(&self) -> Value {
        Value::Uint(self.0)
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        u64::load(value).map(Self)
    }
}

/// A duration in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Seconds(pub u64);

impl Stored for Seconds {
    fn store(&self) -> Value {
        Value::Uint(self.0)
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        u64::load(value).map(Self)
    }
}
