//! Errors as SCIM has them (RFC 7644 §3.12). Sentences are ours and repeat nothing that was sent.

use crate::http::{Stop, answer};
use http::StatusCode;
use serde_json::json;

/// What is wrong, where SCIM has a word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScimError {
    /// Not SCIM at all.
    Syntax,
    /// A value that its attribute cannot have.
    Value,
    /// A filter that is not supported.
    Filter,
    /// A path that is not one.
    Path,
    /// A path that leads nowhere.
    NoTarget,
    /// An attribute that cannot be changed so.
    Mutability,
    /// A name that somebody has.
    Uniqueness,
    /// A change that others were quicker than.
    Conflict,
    /// No such user.
    NotFound,
    /// More than is kept of one user.
    TooLarge,
    /// Not JSON by its own declaration.
    MediaType,
}

impl ScimError {
    const fn public(self) -> (StatusCode, Option<&'static str>) {
        match self {
            Self::Syntax => (StatusCode::BAD_REQUEST, Some("invalidSyntax")),
            Self::Value => (StatusCode::BAD_REQUEST, Some("invalidValue")),
            Self::Filter => (StatusCode::BAD_REQUEST, Some("invalidFilter")),
            Self::Path => (StatusCode::BAD_REQUEST, Some("invalidPath")),
            Self::NoTarget => (StatusCode::BAD_REQUEST, Some("noTarget")),
            Self::Mutability => (StatusCode::BAD_REQUEST, Some("mutability")),
            Self::Uniqueness => (StatusCode::CONFLICT, Some("uniqueness")),
            Self::Conflict => (StatusCode::CONFLICT, None),
            Self::NotFound => (StatusCode::NOT_FOUND, None),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, None),
            Self::MediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, None),
        }
    }

    /// The response that says so.
    pub(super) fn because(self, sentence: &str) -> Stop {
        let (status, kind) = self.public();
        let schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
        let body = match kind {
            Some(kind) => {
                json!({ "schemas": schemas, "status": status.as_str(), "scimType": kind, "detail": sentence })
            }
            None => json!({ "schemas": schemas, "status": status.as_str(), "detail": sentence }),
        };
        Stop::Plain(Box::new(answer::with(status, super::MEDIA_TYPE, body.to_string().into_bytes())))
    }
}

/// Also what an erased person is: as if there had never been one.
pub(super) fn no_such_user() -> Stop {
    ScimError::NotFound.because("There is no such user.")
}
