//! Our access tokens: JWTs by RFC 9068, each the wording of one issuing event.
//!
//! Verifying proves that one of our keys signed these claims and that they have the form we give them.
//! Whether the event exists and the token lives, the log decides; `exp` too is left to the caller.

mod sign;
mod verify;

pub use sign::{claims, sign};
pub(super) use verify::ring_with;
pub use verify::{Verified, verify};

/// `typ` of an access token (RFC 9068 §2.1).
const TYPE: &str = "at+jwt";
