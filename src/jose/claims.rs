//! Forms that claims take: one or many, whole or broken seconds, present at all.

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::Value;
use std::fmt;

/// `aud`: a string, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OneOrMany(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Strings).map(Self)
    }
}

struct Strings;

impl<'de> Visitor<'de> for Strings {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of strings")
    }
    fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
        Ok(vec![text.to_owned()])
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
        let mut strings = Vec::new();
        while let Some(text) = items.next_element()? {
            strings.push(text);
        }
        Ok(strings)
    }
}

/// `NumericDate` (RFC 7519 §2) in whole seconds, cut off where it is broken. Never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NumericDate(pub(super) u64);

impl<'de> Deserialize<'de> for NumericDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Seconds).map(Self)
    }
}

struct Seconds;

impl Visitor<'_> for Seconds {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("seconds since 1970")
    }
    fn visit_u64<E>(self, seconds: u64) -> Result<u64, E> {
        Ok(seconds)
    }
    fn visit_f64<E: serde::de::Error>(self, seconds: f64) -> Result<u64, E> {
        // Beyond 2^53 a float is no longer exact, and no date.
        if !(0.0..9_007_199_254_740_992.0).contains(&seconds) {
            return Err(E::custom("no date"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked above")]
        Ok(seconds as u64)
    }
}

/// Whether a member is there, whatever its value: `null` is there too.
pub(super) fn is_present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// A member's value if the member is there: `null` is a value too.
pub(super) fn if_present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
