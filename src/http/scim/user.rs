//! A user as it is sent (RFC 7643 §4.1), read into what is kept: personal attributes in one spelling,
//! the standing, and a password on its way to its verifier.

use super::{
    attributes::{self, Kind},
    error::ScimError,
};
use crate::{http::Stop, shard::MOST_ATTRIBUTES};
use grantlog_events::{body::SubjectProfile, state::Standing};
use serde_json::{Map, Value};
use std::fmt;

/// The longest string, in bytes.
const LONGEST: usize = 1024;
/// The most values of one attribute.
const MOST_VALUES: usize = 10_000;

/// A user; `Debug` shows nothing personal.
pub(super) struct User {
    pub(super) attributes: Map<String, Value>,
    pub(super) active: bool,
    pub(super) password: Option<String>,
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User").field("active", &self.active).finish_non_exhaustive()
    }
}

impl User {
    /// Reads a user; what the service alone writes is ignored (RFC 7644 §3.5.1).
    pub(super) fn parse(object: &Map<String, Value>) -> Result<Self, Stop> {
        let mut user = Self { attributes: Map::new(), active: true, password: None };
        for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
            let Some((name, kind)) = attributes::attribute(name) else { continue };
            match kind {
                Kind::Active => user.active = flag(value).ok_or_else(|| wrong(name))?,
                Kind::Password => user.password = Some(password(value)?.to_owned()),
                Kind::Text | Kind::Complex | Kind::List => user.keep(name, attribute(name, kind, value)?),
            }
        }
        let named = user.attributes.get("userName").and_then(Value::as_str).is_some_and(is_user_name);
        if !named {
            return Err(ScimError::Value.because("userName is missing or is not a user name."));
        }
        user.fits()?;
        Ok(user)
    }

    fn keep(&mut self, name: &'static str, value: Option<Value>) {
        if let Some(value) = value {
            self.attributes.insert(name.to_owned(), value);
        }
    }

    fn fits(&self) -> Result<(), Stop> {
        if self.personal().len() > MOST_ATTRIBUTES {
            return Err(ScimError::TooLarge.because("The attributes of one user are larger than 768 KiB."));
        }
        Ok(())
    }

    /// The attributes as they are sealed.
    pub(super) fn personal(&self) -> Vec<u8> {
        Value::Object(self.attributes.clone()).to_string().into_bytes()
    }

    /// What is not personal.
    pub(super) fn profile(&self, password: bool) -> SubjectProfile {
        SubjectProfile { suspended: !self.active, auditor: self.is_auditor(), password }
    }

    fn is_auditor(&self) -> bool {
        let entitlements = self.attributes.get("entitlements").and_then(Value::as_array);
        entitlements
            .is_some_and(|list| list.iter().any(|one| one.get("value").and_then(Value::as_str) == Some("audit")))
    }
}

/// The attributes and the standing of a kept user, as `PATCH` works on them.
pub(super) fn working_copy(mut attributes: Map<String, Value>, standing: Standing) -> Map<String, Value> {
    attributes.insert("active".to_owned(), (standing == Standing::Active).into());
    attributes
}

/// `None` where a value says nothing: an empty list or object.
fn attribute(name: &'static str, kind: Kind, value: &Value) -> Result<Option<Value>, Stop> {
    match kind {
        Kind::Complex => value.as_object().and_then(complex).ok_or_else(|| wrong(name)),
        Kind::List => list(name, value),
        Kind::Text | Kind::Active | Kind::Password => Ok(Some(text(value).ok_or_else(|| wrong(name))?.into())),
    }
}

fn list(name: &'static str, value: &Value) -> Result<Option<Value>, Stop> {
    let values = value.as_array().filter(|values| values.len() <= MOST_VALUES).ok_or_else(|| wrong(name))?;
    let mut kept = Vec::with_capacity(values.len());
    for value in values {
        kept.extend(value.as_object().and_then(complex).ok_or_else(|| wrong(name))?);
    }
    let primaries = kept.iter().filter(|value| value.get("primary") == Some(&Value::Bool(true))).count();
    if primaries > 1 {
        return Err(ScimError::Value.because("More than one value of an attribute is primary."));
    }
    Ok((!kept.is_empty()).then(|| kept.into()))
}

/// An object with its known parts; the outer `None` is one with a part of a wrong form.
#[allow(clippy::option_option, reason = "malformed and empty are two things")]
fn complex(object: &Map<String, Value>) -> Option<Option<Value>> {
    let mut kept = Map::new();
    for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        let Some(name) = attributes::part(name) else { continue };
        let value = match name {
            "primary" | "verified" => Value::Bool(flag(value)?),
            _ => text(value)?.into(),
        };
        kept.insert(name.to_owned(), value);
    }
    Some((!kept.is_empty()).then_some(Value::Object(kept)))
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| text.len() <= LONGEST && !text.contains('\0'))
}

/// Some directories send flags as text.
fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

fn password(value: &Value) -> Result<&str, Stop> {
    text(value).filter(|text| !text.is_empty()).ok_or_else(|| wrong("password"))
}

fn is_user_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.chars().any(char::is_control)
}

fn wrong(name: &'static str) -> Stop {
    ScimError::Value.because(&format!("{name} does not have its form, or is longer than 1024 bytes."))
}

#[cfg(test)]
mod tests;
