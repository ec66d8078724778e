//! Paths and filters (RFC 7644 §3.4.2.2, §3.5.2), as far as they are needed: an attribute, a part of
//! it, and one `eq` comparison to choose among values.

use super::attributes::{self, Kind};
use serde_json::Value;

const CORE: &str = "urn:ietf:params:scim:schemas:core:2.0:User:";

/// Where a change goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    pub(super) attribute: &'static str,
    pub(super) kind: Kind,
    /// Which values of a list.
    pub(super) filter: Option<Comparison>,
    pub(super) part: Option<&'static str>,
}

/// `part eq value`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) part: &'static str,
    pub(super) value: Value,
}

impl Path {
    /// Reads a path; `None` if it is malformed, leads to no kept attribute, or needs what is not supported.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = without_core(text.trim());
        let (name, filter, rest) = match text.split_once('[') {
            Some((name, rest)) => {
                let (filter, rest) = rest.rsplit_once(']')?;
                (name, Some(filter), rest)
            }
            None => match text.find('.') {
                Some(dot) => text.split_at_checked(dot).map(|(name, rest)| (name, None, rest))?,
                None => (text, None, ""),
            },
        };
        let (attribute, kind) = attributes::attribute(name)?;
        let filter = match filter {
            None => None,
            Some(filter) => Some(Comparison::parse(filter)?),
        };
        let part = match rest {
            "" => None,
            rest => Some(attributes::part(rest.strip_prefix('.')?)?),
        };
        let possible = match kind {
            Kind::Text | Kind::Active | Kind::Password => filter.is_none() && part.is_none(),
            Kind::Complex => filter.is_none(),
            Kind::List => filter.is_some() || part.is_none(),
        };
        possible.then_some(Self { attribute, kind, filter, part })
    }
}

impl Comparison {
    fn parse(text: &str) -> Option<Self> {
        let (name, value) = equality(text)?;
        Some(Self { part: attributes::part(name)?, value })
    }

    /// Whether a value of a list is meant. What is not said to be primary is not.
    pub(super) fn chooses(&self, value: &Value) -> bool {
        match (value.get(self.part), &self.value) {
            (Some(Value::String(held)), Value::String(wanted)) if self.part == "type" => {
                held.eq_ignore_ascii_case(wanted)
            }
            (Some(held), wanted) => held == wanted,
            (None, wanted) => *wanted == Value::Bool(false),
        }
    }
}

/// `name eq literal`: the name and the literal.
pub(super) fn equality(text: &str) -> Option<(&str, Value)> {
    let (name, rest) = text.trim().split_once(' ')?;
    let (operator, literal) = rest.trim_start().split_once(' ')?;
    let value = serde_json::from_str(literal.trim()).ok()?;
    (operator.eq_ignore_ascii_case("eq") && matches!(value, Value::String(_) | Value::Bool(_)))
        .then_some((without_core(name), value))
}

fn without_core(text: &str) -> &str {
    match text.split_at_checked(CORE.len()) {
        Some((urn, rest)) if urn.eq_ignore_ascii_case(CORE) => rest,
        _ => text,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_attributes_parts_and_chosen_values() {
        let path = Path::parse("emails[type eq \"work\"].value").unwrap();
        assert_eq!((path.attribute, path.part), ("emails", Some("value")));
        assert!(path.filter.unwrap().chooses(&serde_json::json!({ "type": "Work" })));
        let path = Path::parse("urn:ietf:params:scim:schemas:core:2.0:User:NAME.givenname").unwrap();
        assert_eq!((path.attribute, path.part), ("name", Some("givenName")));
        assert_eq!(Path::parse("active").map(|path| path.kind), Some(Kind::Active));
    }

    #[test]
    fn what_is_no_path_here_is_refused() {
        for text in [
            "",
            "unknown",
            "name.unknown",
            "emails.value",
            "active.value",
            "emails[",
            "emails[]",
            "emails[type]",
            "emails[type co \"w\"]",
            "emails[type eq work]",
            "emails[type eq \"work\"]value",
            "name[type eq \"x\"]",
            "id",
            "meta.created",
        ] {
            assert_eq!(Path::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_filter_is_one_equality() {
        assert_eq!(equality("userName eq \"ada\\\"x\""), Some(("userName", "ada\"x".into())));
        for text in [
            "userName",
            "userName eq",
            "userName eq ada",
            "userName co \"a\"",
            "userName eq \"a\" and active eq true",
            "userName eq 3",
        ] {
            assert_eq!(equality(text), None, "{text}");
        }
    }
}
