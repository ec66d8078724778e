//! Members of a metadata object by type and limit; what has another type is named and refused.
//!
//! `null` counts as absent (RFC 7592 §2.2). Sentences name members of ours, never what was sent.

use crate::http::{OAuthError, Stop};
use grantlog_events::Seconds;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The longest string that is registered, in bytes.
const LONGEST: usize = 512;

/// An object of which members are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Members<'a> {
    pub(super) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A string of 1 to 512 bytes without control characters.
    pub(super) fn text(self, name: &str) -> Result<Option<&'a str>, Stop> {
        self.value(name)
            .map(|value| text(value).ok_or_else(|| wrong(name, "is not a string of 1 to 512 bytes")))
            .transpose()
    }

    /// A list of such strings; absent is empty.
    pub(super) fn texts(self, name: &str, most: usize) -> Result<Vec<&'a str>, Stop> {
        let texts = self.list(name, most)?.iter().map(|value| text(value));
        texts.collect::<Option<_>>().ok_or_else(|| wrong(name, "has something other than strings of 1 to 512 bytes"))
    }

    /// A list of objects; absent is empty.
    pub(super) fn objects(self, name: &str, most: usize) -> Result<Vec<Members<'a>>, Stop> {
        let objects = self.list(name, most)?.iter().map(|value| value.as_object().map(Members));
        objects.collect::<Option<_>>().ok_or_else(|| wrong(name, "has something other than objects"))
    }

    pub(super) fn object(self, name: &str) -> Result<Option<Members<'a>>, Stop> {
        self.value(name)
            .map(|value| value.as_object().map(Members).ok_or_else(|| wrong(name, "is not an object")))
            .transpose()
    }

    /// A flag; absent is `false`.
    pub(super) fn flag(self, name: &str) -> Result<bool, Stop> {
        match self.value(name) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| wrong(name, "is neither true nor false")),
        }
    }

    pub(super) fn seconds(self, name: &str, range: RangeInclusive<u64>) -> Result<Option<Seconds>, Stop> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let seconds = value.as_u64().filter(|seconds| range.contains(seconds)).map(Seconds);
        let range = || wrong(name, &format!("is not a number of seconds from {} to {}", range.start(), range.end()));
        seconds.map(Some).ok_or_else(range)
    }

    /// Refuses members that are not among these, naming the first; one that is no plain name is not repeated.
    pub(super) fn none_but(self, object: &str, known: &[&str]) -> Result<(), Stop> {
        let Some(unknown) = self.0.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
        let is_plain = unknown.len() <= 40 && unknown.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let named = if is_plain { unknown } else { "of that name" };
        Err(wrong(object, &format!("has no member {named}")))
    }

    fn list(self, name: &str, most: usize) -> Result<&'a [Value], Stop> {
        match self.value(name) {
            None => Ok(&[]),
            Some(Value::Array(values)) if values.len() <= most => Ok(values),
            Some(Value::Array(_)) => Err(wrong(name, &format!("has more than {most} entries"))),
            Some(_) => Err(wrong(name, "is not a list")),
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty() && text.len() <= LONGEST && !text.chars().any(char::is_control))
}

/// Says of a member what is wrong with it.
pub(super) fn wrong(name: &str, what: &str) -> Stop {
    Stop::Error(OAuthError::InvalidClientMetadata, format!("{name} {what}."))
}
