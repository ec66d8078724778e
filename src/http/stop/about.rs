//! What a refusal is about, for endpoints that say less than its name. One table, without a wildcard: a new
//! refusal must choose its group here, and no endpoint can meet one that nobody thought of.

use super::{Failure, Stop};
use grantlog_events::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// The token, code, session, grant, subject, client or key that was presented has ended or never was.
    NotLive,
    /// There is no such thing in this log.
    Missing,
    /// It was used, taken or opened before.
    TakenBefore,
    /// It has changed since it was looked at.
    Changed,
    /// Whoever asks may not do this, or must do something else first.
    NotAllowed,
    /// The command is none that this edge should have sent.
    Misfit,
}

const fn about(refusal: Refusal) -> About {
    match refusal {
        Refusal::TokenUnknown
        | Refusal::TokenExpired
        | Refusal::TokenRevoked
        | Refusal::AncestorRevoked
        | Refusal::GrantRevoked
        | Refusal::SubjectUnknown
        | Refusal::SubjectSuspended
        | Refusal::SubjectErased
        | Refusal::SubjectTokensRevoked
        | Refusal::ClientDeleted
        | Refusal::ClientTokensRevoked
        | Refusal::KeyCompromised
        | Refusal::SessionEnded
        | Refusal::CodeUnknown
        | Refusal::CodeExpired
        | Refusal::CodeReused
        | Refusal::RefreshTokenUnknown
        | Refusal::RefreshTokenExpired
        | Refusal::RefreshTokenReused => About::NotLive,
        Refusal::ClientUnknown
        | Refusal::KeyUnknown
        | Refusal::GrantUnknown
        | Refusal::ClaimUnknown
        | Refusal::ExchangeUnknown
        | Refusal::SessionUnknown => About::Missing,
        Refusal::AssertionSpent
        | Refusal::ChallengeSpent
        | Refusal::RequestSpent
        | Refusal::NameTaken
        | Refusal::ClientExists
        | Refusal::SubjectExists
        | Refusal::EpochAlreadyOpen
        | Refusal::LogAlreadyOpen => About::TakenBefore,
        Refusal::ClientViewStale | Refusal::SubjectChanged => About::Changed,
        Refusal::ClientMayNotExchange
        | Refusal::ImpersonationNotAllowed
        | Refusal::ActorRequired
        | Refusal::ActorNotNamedByMayAct
        | Refusal::ActorClientNotAdmitted
        | Refusal::ActorTokenNotLive
        | Refusal::SubjectClientNotAdmitted
        | Refusal::ScopeEmpty
        | Refusal::ScopeExceedsClient
        | Refusal::TargetNotAdmitted
        | Refusal::TooManyTargets
        | Refusal::TooManyActors
        | Refusal::TooManyAncestors
        | Refusal::RefreshTokenNotAllowed
        | Refusal::TokenOfAnotherClient
        | Refusal::ChangeWidensRights
        | Refusal::GrantTypeNotAllowed
        | Refusal::LoginRequired
        | Refusal::ConsentRequired
        | Refusal::TooManyAttempts
        | Refusal::CredentialsWrong
        | Refusal::RedirectUriDiffers
        | Refusal::VerifierWrong => About::NotAllowed,
        Refusal::EventTooLarge
        | Refusal::KeyNotReady
        | Refusal::EpochNotOpen
        | Refusal::LogNotOpen
        | Refusal::RequestIdReused => About::Misfit,
    }
}

/// Whether it says that what was presented is dead or was never issued.
pub(in crate::http) fn is_not_live(refusal: Refusal) -> bool {
    about(refusal) == About::NotLive
}

/// Whether it says that there is no such thing, or no longer.
pub(in crate::http) fn is_missing(refusal: Refusal) -> bool {
    matches!(about(refusal), About::Missing | About::NotLive)
}

/// Whether it says that what may be used once was used before.
pub(in crate::http) fn is_taken(refusal: Refusal) -> bool {
    about(refusal) == About::TakenBefore
}

/// A refusal that does not answer what was asked: no verdict follows from it.
pub(in crate::http) fn odd_refusal(refusal: Refusal) -> Stop {
    Stop::Failure(Failure::passing("asking a log", format_args!("refused as {}, which does not fit", refusal.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever ends a token makes it inactive; what a log says of a command that is none of its own does not.
    #[test]
    fn what_is_dead_is_told_from_what_does_not_fit() {
        for refusal in Refusal::ALL.iter().filter(|refusal| refusal.number() <= 12) {
            assert!(is_not_live(*refusal), "{refusal:?}");
        }
        for refusal in [Refusal::ClientViewStale, Refusal::LogNotOpen, Refusal::RequestIdReused] {
            assert!(!is_not_live(refusal) && !is_missing(refusal) && !is_taken(refusal), "{refusal:?}");
        }
    }
}
