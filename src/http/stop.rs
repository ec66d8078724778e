//! The one exit for every no: domain refusal → OAuth error → response, without a wildcard.
//!
//! A [`Refusal`] is what the log knows; an [`OAuthError`] is what the RFCs let us say of it. A
//! [`Failure`] says nothing outside but 503, whatever its detail.

mod about;

pub(super) use about::{is_missing, is_not_live, is_taken, odd_refusal};

use super::Response;
use crate::{
    failure::Failure,
    jose::VerifyError,
    metrics::{Endpoint, Metric},
    ports::World,
};
use grantlog_events::Refusal;
use http::{HeaderValue, StatusCode, header};

/// Why an endpoint did not do what it was asked.
#[derive(Debug)]
pub enum Stop {
    /// No, for a reason the caller may know.
    Error(OAuthError, String),
    /// The platform failed; the caller may try again.
    Failure(Failure),
    /// No, in the form of another standard (SCIM, 404 of an unknown path).
    Plain(Box<Response>),
}

/// Public error codes: RFC 6749 §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8693 §2.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthError {
    /// 400, malformed or missing.
    InvalidRequest,
    /// 401, client authentication failed.
    InvalidClient,
    /// 400, the grant is not good.
    InvalidGrant,
    /// 400, the client may not use this grant.
    UnauthorizedClient,
    /// 400, unknown grant type.
    UnsupportedGrantType,
    /// 400, scope.
    InvalidScope,
    /// 400, audience or resource.
    InvalidTarget,
    /// 401, bearer token.
    InvalidToken,
    /// 401 without an error code: no token was presented at all (RFC 6750 §3.1).
    TokenMissing,
    /// 403, bearer token lacks the scope.
    InsufficientScope,
    /// 400, registration.
    InvalidClientMetadata,
    /// 400, registration.
    InvalidRedirectUri,
    /// 404.
    NotFound,
    /// 405.
    MethodNotAllowed,
    /// 413.
    TooLarge,
    /// 415.
    UnsupportedMediaType,
    /// 429, with the time after which to come back.
    TooManyRequests,
}

impl OAuthError {
    /// Every code, for the table of them.
    pub const ALL: &'static [Self] = &[
        Self::InvalidRequest,
        Self::InvalidClient,
        Self::InvalidGrant,
        Self::UnauthorizedClient,
        Self::UnsupportedGrantType,
        Self::InvalidScope,
        Self::InvalidTarget,
        Self::InvalidToken,
        Self::TokenMissing,
        Self::InsufficientScope,
        Self::InvalidClientMetadata,
        Self::InvalidRedirectUri,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::TooManyRequests,
    ];

    /// The error code and the HTTP status.
    #[must_use]
    pub const fn public(self) -> (&'static str, StatusCode) {
        match self {
            Self::InvalidRequest => ("invalid_request", StatusCode::BAD_REQUEST),
            Self::InvalidClient => ("invalid_client", StatusCode::UNAUTHORIZED),
            Self::InvalidGrant => ("invalid_grant", StatusCode::BAD_REQUEST),
            Self::UnauthorizedClient => ("unauthorized_client", StatusCode::BAD_REQUEST),
            Self::UnsupportedGrantType => ("unsupported_grant_type", StatusCode::BAD_REQUEST),
            Self::InvalidScope => ("invalid_scope", StatusCode::BAD_REQUEST),
            Self::InvalidTarget => ("invalid_target", StatusCode::BAD_REQUEST),
            Self::InvalidToken => ("invalid_token", StatusCode::UNAUTHORIZED),
            Self::TokenMissing => ("token_missing", StatusCode::UNAUTHORIZED),
            Self::InsufficientScope => ("insufficient_scope", StatusCode::FORBIDDEN),
            Self::InvalidClientMetadata => ("invalid_client_metadata", StatusCode::BAD_REQUEST),
            Self::InvalidRedirectUri => ("invalid_redirect_uri", StatusCode::BAD_REQUEST),
            Self::NotFound => ("not_found", StatusCode::NOT_FOUND),
            Self::MethodNotAllowed => ("invalid_request", StatusCode::METHOD_NOT_ALLOWED),
            Self::TooLarge => ("invalid_request", StatusCode::PAYLOAD_TOO_LARGE),
            Self::UnsupportedMediaType => ("invalid_request", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            Self::TooManyRequests => ("temporarily_unavailable", StatusCode::TOO_MANY_REQUESTS),
        }
    }
}

/// What the RFCs let us say of a refusal at the token endpoint. No wildcard: a new refusal must choose.
impl From<Refusal> for OAuthError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            // RFC 8693 §2.2.2: an invalid or unacceptable subject or actor token is an invalid request.
            Refusal::TokenUnknown
            | Refusal::TokenExpired
            | Refusal::TokenRevoked
            | Refusal::AncestorRevoked
            | Refusal::GrantRevoked
            | Refusal::SubjectTokensRevoked
            | Refusal::ClientDeleted
            | Refusal::ClientTokensRevoked
            | Refusal::KeyCompromised
            | Refusal::ActorTokenNotLive
            | Refusal::ActorRequired
            | Refusal::ActorNotNamedByMayAct
            | Refusal::ActorClientNotAdmitted
            | Refusal::SubjectClientNotAdmitted
            | Refusal::TooManyActors
            | Refusal::TooManyAncestors
            | Refusal::RefreshTokenNotAllowed
            | Refusal::ExchangeUnknown
            | Refusal::GrantUnknown
            | Refusal::RequestIdReused
            // None of these is ever the token endpoint's to say.
            | Refusal::KeyUnknown
            | Refusal::KeyNotReady
            | Refusal::EpochAlreadyOpen
            | Refusal::EpochNotOpen
            | Refusal::LogAlreadyOpen
            | Refusal::LogNotOpen
            | Refusal::NameTaken
            | Refusal::ClaimUnknown
            | Refusal::SubjectExists
            | Refusal::SubjectChanged
            // Pages say these.
            | Refusal::LoginRequired
            | Refusal::ConsentRequired
            | Refusal::ChallengeSpent
            | Refusal::TooManyAttempts
            | Refusal::CredentialsWrong
            | Refusal::SessionUnknown
            | Refusal::RequestSpent => Self::InvalidRequest,
            // A code or refresh token that is not good, for whatever reason (RFC 6749 §5.2).
            Refusal::CodeUnknown
            | Refusal::CodeExpired
            | Refusal::CodeReused
            | Refusal::RedirectUriDiffers
            | Refusal::VerifierWrong
            | Refusal::RefreshTokenUnknown
            | Refusal::RefreshTokenExpired
            | Refusal::RefreshTokenReused
            | Refusal::SessionEnded => Self::InvalidGrant,
            Refusal::GrantTypeNotAllowed => Self::UnauthorizedClient,
            // For an assertion these say that the grant is not good; an exchange maps them like a dead token.
            Refusal::SubjectUnknown | Refusal::SubjectSuspended | Refusal::SubjectErased | Refusal::AssertionSpent => {
                Self::InvalidGrant
            }
            Refusal::ClientMayNotExchange | Refusal::ImpersonationNotAllowed | Refusal::TokenOfAnotherClient => {
                Self::UnauthorizedClient
            }
            Refusal::ScopeEmpty | Refusal::ScopeExceedsClient => Self::InvalidScope,
            Refusal::TargetNotAdmitted | Refusal::TooManyTargets => Self::InvalidTarget,
            Refusal::ClientViewStale | Refusal::ClientUnknown => Self::InvalidClient,
            Refusal::ChangeWidensRights => Self::InsufficientScope,
            Refusal::EventTooLarge | Refusal::ClientExists => Self::InvalidClientMetadata,
        }
    }
}

impl OAuthError {
    /// What a refused code or refresh token is told: whatever has ended makes the grant no good (RFC 6749 §5.2).
    pub(super) fn of_grant(refusal: Refusal) -> Self {
        match Self::from(refusal) {
            // The scope asked for exceeds what was granted, or nothing is left of it (RFC 6749 §6).
            error @ (Self::InvalidScope | Self::InvalidClient) => error,
            error @ Self::UnauthorizedClient if refusal == Refusal::GrantTypeNotAllowed => error,
            Self::InvalidRequest
            | Self::InvalidGrant
            | Self::UnauthorizedClient
            | Self::UnsupportedGrantType
            | Self::InvalidTarget
            | Self::InvalidToken
            | Self::TokenMissing
            | Self::InsufficientScope
            | Self::InvalidClientMetadata
            | Self::InvalidRedirectUri
            | Self::NotFound
            | Self::MethodNotAllowed
            | Self::TooLarge
            | Self::UnsupportedMediaType
            | Self::TooManyRequests => Self::InvalidGrant,
        }
    }

    /// What a refused exchange is told: whatever is wrong with a token presented there makes the request
    /// invalid (RFC 8693 §2.2.2).
    pub(super) fn of_exchange(refusal: Refusal) -> Self {
        match Self::from(refusal) {
            Self::InvalidGrant => Self::InvalidRequest,
            other => other,
        }
    }
}

impl Stop {
    /// Counts what is noise, or the platform's fault, and leaves no event.
    pub(super) fn count<W: World>(&self, world: &W, path: &str) {
        match self {
            Self::Failure(_) => world.count(Metric::Unavailable(Endpoint::of_path(path)), 1),
            Self::Error(OAuthError::InvalidClient | OAuthError::InvalidToken | OAuthError::TokenMissing, _) => {
                world.count(Metric::Unauthenticated, 1);
            }
            Self::Error(..) | Self::Plain(_) => {}
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<OAuthError> for Stop {
    fn from(error: OAuthError) -> Self {
        Self::Error(error, String::new())
    }
}

/// Says no with a sentence of our own; never with what the caller sent.
pub(super) fn because<T>(error: OAuthError, sentence: &str) -> Result<T, Stop> {
    Err(Stop::Error(error, sentence.to_owned()))
}

/// A token or assertion that did not verify, as the error that this place gives it.
pub(super) fn unverified(error: VerifyError, as_error: OAuthError) -> Stop {
    match error {
        VerifyError::Failure(failure) => Stop::Failure(failure),
        VerifyError::Invalid(fault) => Stop::Error(as_error, fault.to_string()),
    }
}

/// The response for an error: RFC 6749 §5.2 JSON, the challenge its status wants, never cached.
#[must_use]
pub fn response(error: OAuthError, sentence: &str) -> Response {
    let (code, status) = error.public();
    let body = match (error, sentence) {
        (OAuthError::TokenMissing, _) => Vec::new(),
        (_, "") => serde_json::json!({ "error": code }).to_string().into_bytes(),
        (_, sentence) => serde_json::json!({ "error": code, "error_description": sentence }).to_string().into_bytes(),
    };
    let mut response = super::answer::with(status, "application/json", body);
    if let Some(challenge) = challenge(error, sentence) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    if error == OAuthError::TooManyRequests {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

fn challenge(error: OAuthError, sentence: &str) -> Option<HeaderValue> {
    let (code, _) = error.public();
    let text = match error {
        OAuthError::InvalidClient => "Basic realm=\"grantlog\", charset=\"UTF-8\"".to_owned(),
        OAuthError::TokenMissing => "Bearer realm=\"grantlog\"".to_owned(),
        OAuthError::InvalidToken | OAuthError::InsufficientScope if sentence.is_empty() => {
            format!("Bearer realm=\"grantlog\", error=\"{code}\"")
        }
        OAuthError::InvalidToken | OAuthError::InsufficientScope => {
            format!("Bearer realm=\"grantlog\", error=\"{code}\", error_description=\"{sentence}\"")
        }
        OAuthError::InvalidRequest
        | OAuthError::InvalidGrant
        | OAuthError::UnauthorizedClient
        | OAuthError::UnsupportedGrantType
        | OAuthError::InvalidScope
        | OAuthError::InvalidTarget
        | OAuthError::InvalidClientMetadata
        | OAuthError::InvalidRedirectUri
        | OAuthError::NotFound
        | OAuthError::MethodNotAllowed
        | OAuthError::TooLarge
        | OAuthError::UnsupportedMediaType
        | OAuthError::TooManyRequests => return None,
    };
    HeaderValue::from_str(&text).ok()
}

/// The response for a failure: 503, try again, and nothing else.
#[must_use]
pub fn unavailable() -> Response {
    let body = br#"{"error":"temporarily_unavailable","error_description":"The log or a view cannot be reached."}"#;
    let mut response = super::answer::with(StatusCode::SERVICE_UNAVAILABLE, "application/json", body.to_vec());
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// A log replied with something that does not answer the question: old and new code in one deployment.
pub(super) fn odd_reply() -> Stop {
    Stop::Failure(Failure::passing("asking a log", "a reply that does not fit"))
}

/// A command whose event stands but which is not confirmed in the views: repeat it.
pub(super) fn unconfirmed() -> Stop {
    Stop::Failure(Failure::passing("confirming in the views", "not within two seconds"))
}
