//! The family of a token: everything issued under its grant, as a tree, and whether each token lives.

use crate::token_history::{At, refusal};
use grantlog_events::{Body, Event, Jti, Refusal, State, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Every token of one grant.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// Position of the grant.
    pub grant: u64,
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
}

impl Lineage {
    /// The family of `jti` from all of its log's events and their bytes, from genesis on, in order.
    pub fn of<B: AsRef<[u8]>>(
        events: impl IntoIterator<Item = (Event, B)>,
        jti: &Jti,
        at: Option<At>,
        now: Timestamp,
    ) -> Option<Self> {
        let mut state = State::default();
        let mut tokens = BTreeMap::new();
        let mut voided = BTreeSet::new();
        for (event, bytes) in events.into_iter().take_while(|(event, _)| at.is_none_or(|at| at.admits(event))) {
            state.apply(&event, bytes.as_ref());
            if let Body::ExchangeVoided(it) = &event.body {
                voided.insert(it.target);
            }
            if event.body.issued().is_some() {
                tokens.insert(event.seq, event);
            }
        }
        let grant = tokens.get(&jti.address.seq).filter(|event| event.jti() == *jti)?.grant?;
        tokens.retain(|_, event| event.grant == Some(grant));
        for event in tokens.values() {
            state.recall(event.clone());
        }
        let token = |(seq, event): (u64, Event)| {
            let refusal = refusal(&state, &event, now);
            (seq, Token { refusal, voided: voided.contains(&seq), event })
        };
        Some(Self { grant, tokens: tokens.into_iter().map(token).collect() })
    }

    /// The tokens that were exchanged from the one at `seq`; all of them are younger.
    pub fn children(&self, seq: u64) -> impl Iterator<Item = &Token> {
        let later = self.tokens.range(seq.saturating_add(1)..);
        later.map(|(_, token)| token).filter(move |token| token.event.ancestors.last() == Some(&seq))
    }
}
