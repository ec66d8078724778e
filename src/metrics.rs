//! Metrics: what an isolate counts, under names that stay. Never a verdict, and no label that could name a
//! person, a token or a secret: the list of names is closed.
//!
//! Each isolate counts for itself and reports once a minute at most, when something has changed. A sum is
//! of what happened since the last report, so that sums over all reports add up.

mod account;
mod endpoint;

pub use account::{Account, Report};
pub use endpoint::Endpoint;

use grantlog_events::Refusal;

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Commands that a log refused, for this reason.
    Refused(Refusal),
    /// Refusals that were noise: counted, and not recorded.
    RefusalsUnrecorded,
    /// Requests whose client or bearer did not prove itself.
    Unauthenticated,
    /// Requests that were told to come back, since too many had asked for clients that do not exist.
    TurnedAway,
    /// Requests at this endpoint that were answered with 503.
    Unavailable(Endpoint),
    /// Events that stand but were not confirmed in the views in time.
    Unconfirmed,
    /// The longest that a revocation took to be confirmed in the views, in milliseconds.
    RevocationConfirmation,
    /// The most events that the read model was found behind a log.
    ProjectorLag,
    /// When a projector last brought the views up to date, in milliseconds since 1970.
    ProjectorSucceeded,
    /// Logout tokens that clients took.
    LogoutsDelivered,
    /// Logout tokens that were given up: nobody is there to take them, or nobody did for a day.
    LogoutsAbandoned,
    /// When an alarm last found or left nothing to do, in milliseconds since 1970.
    AlarmSucceeded,
    /// When the watchdog last found every log well, in milliseconds since 1970.
    WatchdogSucceeded,
}

/// How values of a metric come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They add up; the next report begins at nothing.
    Sum,
    /// The greatest counts; the next report begins at nothing.
    Peak,
    /// The last instant counts, and stays.
    Instant,
}

impl Metric {
    /// Every metric.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let refused = Refusal::ALL.iter().map(|refusal| Self::Refused(*refusal));
        let unavailable = Endpoint::ALL.iter().map(|endpoint| Self::Unavailable(*endpoint));
        let others = [
            Self::RefusalsUnrecorded,
            Self::Unauthenticated,
            Self::TurnedAway,
            Self::Unconfirmed,
            Self::RevocationConfirmation,
            Self::ProjectorLag,
            Self::LogoutsDelivered,
            Self::LogoutsAbandoned,
            Self::ProjectorSucceeded,
            Self::AlarmSucceeded,
            Self::WatchdogSucceeded,
        ];
        others.into_iter().chain(unavailable).chain(refused).collect()
    }

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Refused(refusal) => return format!("refused.{}", refusal.name()),
            Self::Unavailable(endpoint) => return format!("unavailable.{}", endpoint.name()),
            Self::RefusalsUnrecorded => "refusals_unrecorded",
            Self::Unauthenticated => "unauthenticated",
            Self::TurnedAway => "turned_away",
            Self::Unconfirmed => "unconfirmed",
            Self::RevocationConfirmation => "revocation_confirmation_ms",
            Self::ProjectorLag => "projector_lag_events",
            Self::ProjectorSucceeded => "projector_succeeded_at",
            Self::LogoutsDelivered => "logouts_delivered",
            Self::LogoutsAbandoned => "logouts_abandoned",
            Self::AlarmSucceeded => "alarm_succeeded_at",
            Self::WatchdogSucceeded => "watchdog_succeeded_at",
        }
        .to_owned()
    }

    /// How its values come together.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Refused(_)
            | Self::RefusalsUnrecorded
            | Self::Unauthenticated
            | Self::TurnedAway
            | Self::Unavailable(_)
            | Self::Unconfirmed
            | Self::LogoutsDelivered
            | Self::LogoutsAbandoned => Kind::Sum,
            Self::RevocationConfirmation | Self::ProjectorLag => Kind::Peak,
            Self::ProjectorSucceeded | Self::AlarmSucceeded | Self::WatchdogSucceeded => Kind::Instant,
        }
    }
}

#[cfg(test)]
mod tests;
