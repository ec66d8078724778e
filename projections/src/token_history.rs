//! What a log says of one token, as recorded at an instant (`GET /audit/tokens/{jti}`).
//!
//! A fold over the log's events in order: whether the token lives is asked of the same [`State`] and the
//! same rule that issuing asks, so history cannot disagree with the verdicts of its time. This module
//! adds only which event ended the token, and what descends from it.

mod answer;
mod ending;
mod touch;

pub use answer::{Life, TokenHistory};
pub use ending::Ending;

use ending::Endings;
use grantlog_events::{
    Command, Digest, Event, Jti, Refusal, State, Timestamp,
    body::Body,
    command::Inspect,
    decide::{Answer, decide},
    token::Presented,
};
use std::collections::{BTreeMap, BTreeSet};

/// Up to where the log is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Every event recorded at this instant or before.
    Instant(Timestamp),
    /// Every event up to this position, which is included.
    Address(u64),
}

impl At {
    /// Whether `event` lies within the bound. Once one does not, no later one does.
    #[must_use]
    pub fn admits(self, event: &Event) -> bool {
        match self {
            Self::Instant(at) => event.recorded_at <= at,
            Self::Address(seq) => event.seq <= seq,
        }
    }
}

/// The history of the token that `issued` issued, from all of its log's events and their bytes, from genesis
/// on, in order.
///
/// `now` decides expiry where no bound does. `None` if that event does not lie within the bound.
pub fn of<B: AsRef<[u8]>>(
    events: impl IntoIterator<Item = (Event, B)>,
    issued: &Event,
    at: Option<At>,
    now: Timestamp,
) -> Option<TokenHistory> {
    let mut fold = Fold::new(issued.clone(), at);
    for (event, bytes) in events {
        if !fold.take(&event, bytes.as_ref()) {
            break;
        }
    }
    fold.finish(now)
}

/// The fold, for callers that read a log in pages.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The event that issued the token.
    token: Event,
    at: Option<At>,
    state: State,
    is_issued: bool,
    /// Tokens of the grant, by position: the lineage and the children are named through it.
    names: BTreeMap<u64, Jti>,
    endings: Endings,
    touching: Vec<Touching>,
    voided: BTreeSet<u64>,
}

/// An event that touches the token, with the digest of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touching {
    /// The event.
    pub event: Event,
    /// SHA-256 of its bytes.
    pub digest: Digest,
}

impl Fold {
    /// An empty fold: nothing of the log has been read but the event that issued the token.
    #[must_use]
    pub fn new(issued: Event, at: Option<At>) -> Self {
        Self {
            token: issued,
            at,
            state: State::default(),
            is_issued: false,
            names: BTreeMap::new(),
            endings: Endings::default(),
            touching: Vec::new(),
            voided: BTreeSet::new(),
        }
    }

    /// Takes the log's next event. `false` says that this and all later ones lie beyond the bound.
    pub fn take(&mut self, event: &Event, bytes: &[u8]) -> bool {
        if self.at.is_some_and(|at| !at.admits(event)) {
            return false;
        }
        self.state.apply(event, bytes);
        if event.body.issued().is_some() && event.grant == self.token.grant {
            self.names.insert(event.seq, event.jti());
        }
        if self.concerns(event) {
            self.touching.push(Touching { event: event.clone(), digest: Digest::of(bytes) });
        }
        true
    }

    fn concerns(&mut self, event: &Event) -> bool {
        if !self.is_issued {
            self.is_issued = *event == self.token;
            return self.is_issued || touch::leads_to(event, &self.token);
        }
        if let Body::ExchangeVoided(voided) = &event.body {
            self.voided.insert(voided.target);
        }
        let ends = self.endings.take(event, &self.token);
        ends || touch::touches(event, &self.token)
    }

    /// The answer, `None` if the token was not issued within what was read.
    #[must_use]
    pub fn finish(mut self, now: Timestamp) -> Option<TokenHistory> {
        if !self.is_issued {
            return None;
        }
        let as_of = match self.at {
            Some(At::Instant(at)) => at,
            Some(At::Address(_)) => self.state.head.recorded_at,
            None => now,
        };
        self.state.recall(self.token.clone());
        let refusal = refusal(&self.state, &self.token, Timestamp(0));
        let ending = refusal.map(|refusal| self.endings.first_in_force(refusal, &self.token));
        answer::assemble(self, ending, as_of)
    }
}

/// Why the token that `event` issued is dead at `now`, by the rule that shards judge tokens by.
///
/// The state must recall the event. At instant 0 no token is too old, and only what ended it counts.
#[must_use]
pub fn refusal(state: &State, event: &Event, now: Timestamp) -> Option<Refusal> {
    let Some(token) = presented(event) else { return Some(Refusal::TokenUnknown) };
    match decide(state, &Command::Inspect(Inspect { token }), now).answer {
        Answer::Granted | Answer::Stands(_) | Answer::NothingToDo => None,
        Answer::Refused(refusal) => Some(refusal),
    }
}

/// The token as its own event describes it.
#[must_use]
pub fn presented(event: &Event) -> Option<Presented> {
    let issued = event.body.issued()?;
    Some(Presented {
        jti: event.jti(),
        kind: issued.kind,
        client: event.client.clone()?,
        party: event.party()?,
        kid: issued.kid.clone(),
        expires_at: issued.expires_at,
        scope: issued.scope.clone(),
        grant: event.grant?,
        ancestors: event.ancestors.clone(),
        session: issued.session,
    })
}
