//! The attributes of a user that are kept (RFC 7643 §4.1), by their canonical names.
//!
//! SCIM compares attribute names without case; they are stored in one spelling, so that readers need
//! not. What is not in these tables is ignored, as RFC 7644 §3.3 lets a service provider do.

/// The form that an attribute's value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One string.
    Text,
    /// One object of strings.
    Complex,
    /// A list of objects.
    List,
    /// `active`, which is not personal and is kept apart.
    Active,
    /// `password`, of which only a verifier is kept.
    Password,
}

const ATTRIBUTES: [(&str, Kind); 22] = [
    ("userName", Kind::Text),
    ("externalId", Kind::Text),
    ("displayName", Kind::Text),
    ("nickName", Kind::Text),
    ("profileUrl", Kind::Text),
    ("title", Kind::Text),
    ("userType", Kind::Text),
    ("preferredLanguage", Kind::Text),
    ("locale", Kind::Text),
    ("timezone", Kind::Text),
    ("name", Kind::Complex),
    ("emails", Kind::List),
    ("phoneNumbers", Kind::List),
    ("ims", Kind::List),
    ("photos", Kind::List),
    ("addresses", Kind::List),
    ("groups", Kind::List),
    ("entitlements", Kind::List),
    ("roles", Kind::List),
    ("x509Certificates", Kind::List),
    ("active", Kind::Active),
    ("password", Kind::Password),
];

const PARTS: [&str; 17] = [
    "formatted",
    "familyName",
    "givenName",
    "middleName",
    "honorificPrefix",
    "honorificSuffix",
    "value",
    "$ref",
    "display",
    "type",
    "primary",
    "verified",
    "streetAddress",
    "locality",
    "region",
    "postalCode",
    "country",
];

/// An attribute's one spelling and its form.
pub(super) fn attribute(name: &str) -> Option<(&'static str, Kind)> {
    ATTRIBUTES.into_iter().find(|(held, _)| held.eq_ignore_ascii_case(name))
}

/// A sub-attribute's one spelling.
pub(super) fn part(name: &str) -> Option<&'static str> {
    PARTS.into_iter().find(|held| held.eq_ignore_ascii_case(name))
}

/// Whether the service alone writes this attribute.
pub(super) fn is_read_only(name: &str) -> bool {
    ["id", "meta", "schemas"].iter().any(|held| held.eq_ignore_ascii_case(name))
}
