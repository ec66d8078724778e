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

/// The history of `jti` from all of its log's events and their bytes, from genesis on, in order.
///
/// `now` decides expiry where no bound does. `None` if no event within the bound issued this token.
pub fn of<B: AsRef<[u8]>>(
    events: impl IntoIterator<Item = (Event, B)>,
    jti: &Jti,
    at: Option<At>,
    now: Timestamp,
) -> Option<TokenHistory> {
    let mut fold = Fold::new(jti.clone(), at);
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
    jti: Jti,
    at: Option<At>,
    state: State,
    token: Option<Touching>,
    /// Tokens issued by this log, by position: the lineage and the children are named through it.
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
    /// An empty fold: nothing of the log has been read.
    #[must_use]
    pub fn new(jti: Jti, at: Option<At>) -> Self {
        Self {
            jti,
            at,
            state: State::default(),
            token: None,
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
        if self.token.is_none() {
            self.before_issue(event, bytes);
        } else {
            self.after_issue(event, bytes);
        }
        true
    }

    fn before_issue(&mut self, event: &Event, bytes: &[u8]) {
        if event.body.issued().is_none() {
            return;
        }
        let jti = event.jti();
        if jti == self.jti {
            let own = Touching { event: event.clone(), digest: Digest::of(bytes) };
            self.names.retain(|seq, _| event.ancestors.contains(seq));
            self.state.recall(event.clone());
            self.touching.push(own.clone());
            self.token = Some(own);
        }
        self.names.insert(event.seq, jti);
    }

    fn after_issue(&mut self, event: &Event, bytes: &[u8]) {
        let Some(token) = self.token.as_ref().map(|token| &token.event) else { return };
        if event.body.issued().is_some() && event.grant == token.grant {
            self.names.insert(event.seq, event.jti());
        }
        if let Body::ExchangeVoided(voided) = &event.body {
            self.voided.insert(voided.target);
        }
        let ends = self.endings.take(event, token);
        if ends || touch::touches(event, token) {
            self.touching.push(Touching { event: event.clone(), digest: Digest::of(bytes) });
        }
    }

    /// The answer, `None` if the token was not issued within what was read.
    #[must_use]
    pub fn finish(self, now: Timestamp) -> Option<TokenHistory> {
        let token = self.token.as_ref()?;
        let as_of = match self.at {
            Some(At::Instant(at)) => at,
            Some(At::Address(_)) => self.state.head.recorded_at,
            None => now,
        };
        let refusal = refusal(&self.state, &token.event, Timestamp(0));
        let ending = refusal.map(|refusal| self.endings.first_in_force(refusal, &token.event));
        answer::assemble(&self, &token.event, ending, as_of)
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
