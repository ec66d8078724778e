//! Scope: a set of scope tokens (RFC 6749 §3.3), kept in the order they were asked for.

use crate::{Malformed, Stored, cbor::Value};
use std::fmt;

/// A set of scope tokens without duplicates. May be empty.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scope(Vec<String>);

impl Scope {
    /// Reads a space-separated list.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let mut tokens: Vec<String> = Vec::new();
        for token in text.split(' ').filter(|token| !token.is_empty()) {
            if !token.bytes().all(|b| matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e)) {
                return Err(Malformed::Unexpected("a scope token"));
            }
            if !tokens.iter().any(|held| held == token) {
                tokens.push(token.to_owned());
            }
        }
        Ok(Self(tokens))
    }

    /// The tokens that `other` has too, in this scope's order.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(self.0.iter().filter(|token| other.contains(token)).cloned().collect())
    }

    /// The tokens of both, this scope's first.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let added = other.0.iter().filter(|token| !self.contains(token)).cloned();
        Self(self.0.iter().cloned().chain(added).collect())
    }

    /// This scope without `token`.
    #[must_use]
    pub fn without(&self, token: &str) -> Self {
        Self(self.0.iter().filter(|held| *held != token).cloned().collect())
    }

    /// Whether `other` has every token of this scope.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|token| other.contains(token))
    }

    /// Whether `token` is in the scope.
    #[must_use]
    pub fn contains(&self, token: &str) -> bool {
        self.0.iter().any(|held| held == token)
    }

    /// Whether the scope is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tokens.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

impl Stored for Scope {
    fn store(&self) -> Value {
        Value::Text(self.to_string())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Self::parse(&String::load(value)?)
    }
    fn store_field(&self) -> Option<Value> {
        (!self.is_empty()).then(|| self.store())
    }
    fn load_field(value: Option<Value>, _: &'static str) -> Result<Self, Malformed> {
        value.map_or_else(|| Ok(Self::default()), Self::load)
    }
}
