//! What can be wrong with a token, as its holder may be told. Nothing here repeats the token.

use crate::failure::Failure;
use std::fmt;

/// Why a token was not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// The platform failed; nothing is known of the token.
    Failure(Failure),
    /// The token is not good.
    Invalid(TokenFault),
}

impl From<Failure> for VerifyError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<TokenFault> for VerifyError {
    fn from(fault: TokenFault) -> Self {
        Self::Invalid(fault)
    }
}

/// What is wrong with a token. Its `Display` is a sentence for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFault {
    /// Longer than any token that is accepted.
    TooLong,
    /// Not a compact JWS over a JSON object.
    Malformed,
    /// `alg` is none of ours, or not that of the key.
    Algorithm,
    /// The header carries `crit`, or a key or where to find one.
    Header,
    /// `typ` says that it is another kind of token.
    Type,
    /// No key of the issuer's has the `kid`.
    KeyUnknown,
    /// The signature is not the key's.
    Signature,
    /// `iss` is another.
    Issuer,
    /// `aud` names others only.
    Audience,
    /// A claim is missing, or has a form that nothing of this kind has.
    Claim(&'static str),
    /// Bound to a key of its holder's (`cnf`), whose possession cannot be proved here.
    Bound,
    /// `exp` is past.
    Expired,
    /// `nbf` or `iat` lies ahead.
    NotYetValid,
    /// `exp` lies further ahead than an assertion may live.
    TooLongLived,
    /// An assertion with `act`, which its token would lose.
    Delegated,
}

impl fmt::Display for TokenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "The token is too long.",
            Self::Malformed => "The token is not a signed JWT.",
            Self::Algorithm => "The token is signed with an algorithm that is not accepted.",
            Self::Header => "The token's header has a member that is not accepted.",
            Self::Type => "The token is of another type.",
            Self::KeyUnknown => "The token is signed with an unknown key.",
            Self::Signature => "The token's signature is not valid.",
            Self::Issuer => "The token is from another issuer.",
            Self::Audience => "The token is meant for another audience.",
            Self::Claim(name) => return write!(f, "The token has no valid `{name}`."),
            Self::Bound => "The token is bound to a key, and bound tokens are not accepted.",
            Self::Expired => "The token has expired.",
            Self::NotYetValid => "The token is not valid yet.",
            Self::TooLongLived => "The assertion lives longer than is accepted.",
            Self::Delegated => "The assertion names an actor, which is not accepted.",
        })
    }
}

impl std::error::Error for TokenFault {}
