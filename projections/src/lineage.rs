//! The family of a token: everything issued under its grant, as a tree, and whether each token lives.
//!
//! Where the grant began with a code, the login stands above it: session, code, then the tokens.

mod login;

pub use login::Login;

use crate::token_history::{At, refusal};
use grantlog_events::{Body, Event, Jti, Refusal, State, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Every token of one grant.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// Position of the grant.
    pub grant: u64,
    /// The login that the grant rests on, if it began with a code.
    pub login: Option<Login>,
    /// The tokens, by position, which is also the order of issue.
    pub tokens: BTreeMap<u64, Token>,
}

/// One token of a family.
#[derive(Clone, Debug)]
pub struct Token {
    /// The event that issued it.
    pub event: Event,
    /// Why it is dead, if it is.
    pub refusal: Option<Refusal>,
    /// Whether its exchange was taken back: then it is nobody's child.
    pub voided: bool,
    /// Whether a rotated refresh token came again within its grace and got this token once more.
    pub given_again: bool,
}

impl Lineage {
    /// The family of `jti` from all of its log's events and their bytes, from genesis on, in order.
    pub fn of<B: AsRef<[u8]>>(
        events: impl IntoIterator<Item = (Event, B)>,
        jti: &Jti,
        at: Option<At>,
        now: Timestamp,
    ) -> Option<Self> {
        let mut read = Read::default();
        for (event, bytes) in events.into_iter().take_while(|(event, _)| at.is_none_or(|at| at.admits(event))) {
            read.state.apply(&event, bytes.as_ref());
            read.take(event);
        }
        read.family(jti, now)
    }

    /// The tokens that descend from the one at `seq` and from no younger one; all of them are younger.
    pub fn children(&self, seq: u64) -> impl Iterator<Item = &Token> {
        let later = self.tokens.range(seq.saturating_add(1)..);
        later.map(|(_, token)| token).filter(move |token| token.event.ancestors.last() == Some(&seq))
    }

    /// The tokens that descend from no other: the grant's first, and what was refreshed after it.
    pub fn roots(&self) -> impl Iterator<Item = &Token> {
        self.tokens.values().filter(|token| token.event.ancestors.is_empty())
    }
}

/// What was read of a log.
#[derive(Default)]
struct Read {
    state: State,
    issued: BTreeMap<u64, Event>,
    codes: BTreeMap<u64, Event>,
    voided: BTreeSet<u64>,
    given_again: BTreeSet<u64>,
}

impl Read {
    fn take(&mut self, event: Event) {
        match &event.body {
            Body::ExchangeVoided(it) => {
                self.voided.insert(it.target);
            }
            Body::RefreshReplayed(it) => {
                self.given_again.insert(it.issued);
            }
            Body::CodeIssued(_) => {
                self.codes.insert(event.seq, event);
            }
            body if body.issued().is_some() => {
                self.issued.insert(event.seq, event);
            }
            _ => {}
        }
    }

    fn family(mut self, jti: &Jti, now: Timestamp) -> Option<Lineage> {
        let grant = self.issued.get(&jti.address.seq).filter(|event| event.jti() == *jti)?.grant?;
        self.issued.retain(|_, event| event.grant == Some(grant));
        for event in self.issued.values() {
            self.state.recall(event.clone());
        }
        let login = self.codes.remove(&grant).and_then(|code| Login::of(&self.state, code, now));
        let token = |(seq, event): (u64, Event)| {
            let refusal = refusal(&self.state, &event, now);
            let (voided, given_again) = (self.voided.contains(&seq), self.given_again.contains(&seq));
            (seq, Token { event, refusal, voided, given_again })
        };
        Some(Lineage { grant, login, tokens: self.issued.into_iter().map(token).collect() })
    }
}
