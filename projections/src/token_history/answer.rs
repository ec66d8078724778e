//! The answer as a value, and its JSON as the contract has it.

use super::{Ending, Fold, Touching};
use crate::rendered::{self, Members, instant};
use grantlog_events::{
    Address, ClientId, Event, Jti, Scope, Subject, Timestamp,
    body::RevokedBy,
    token::{Actor, TokenKind},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Whether a token lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// It does.
    Active,
    /// Something ended it before its time.
    Revoked(Ending),
    /// Its time is over.
    Expired,
}

impl Life {
    /// The contract's word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked(_) => "revoked",
            Self::Expired => "expired",
        }
    }
}

/// What a log says of one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenHistory {
    /// The token.
    pub jti: Jti,
    /// What it is.
    pub kind: TokenKind,
    /// Whether it lives, as recorded at the instant asked for.
    pub life: Life,
    /// The deciding shard's clock when it was issued.
    pub issued_at: Timestamp,
    /// Its `exp`.
    pub expires_at: Timestamp,
    /// The person; absent for machine tokens.
    pub subject: Option<Subject>,
    /// The client it was issued to.
    pub client: Option<ClientId>,
    /// Its scope.
    pub scope: Scope,
    /// Its audience.
    pub audience: Vec<String>,
    /// Its root authorization.
    pub grant: Option<Address>,
    /// The session that it dies with.
    pub session: Option<Address>,
    /// The access tokens it was exchanged from, oldest first; a name that the log lacks is `Err`.
    pub lineage: Vec<Result<Jti, Address>>,
    /// The access tokens exchanged from it, or refreshed with a refresh token that came with its exchange.
    pub children: Vec<Jti>,
    /// How many tokens die with it: children, their children, and so on.
    pub descendants: usize,
    /// Who acts in it, current actor first.
    pub actors: Vec<Actor>,
    /// The events that touch it, in order.
    pub events: Vec<Touching>,
    names: BTreeMap<u64, Jti>,
}

pub(super) fn assemble(fold: Fold, ending: Option<Ending>, as_of: Timestamp) -> Option<TokenHistory> {
    let token = &fold.token;
    let issued = token.body.issued()?;
    let place = token.origin.place();
    let descendants = || {
        let exchanged = fold.touching.iter().map(|touching| &touching.event);
        exchanged.filter(|event| event.ancestors.contains(&token.seq) && event.body.issued().is_some())
    };
    let counted = |event: &&Event| !fold.voided.contains(&event.seq);
    let direct = |event: &&Event| event.ancestors.last() == Some(&token.seq);
    Some(TokenHistory {
        jti: token.jti(),
        kind: issued.kind,
        life: life(ending, issued.expires_at, as_of),
        issued_at: token.occurred_at,
        expires_at: issued.expires_at,
        subject: token.subject.clone(),
        client: token.client.clone(),
        scope: issued.scope.clone(),
        audience: issued.audience.clone(),
        grant: token.grant.map(|seq| place.at(seq)),
        session: issued.session.map(|seq| place.at(seq)),
        lineage: token.ancestors.iter().map(|seq| fold.names.get(seq).cloned().ok_or(place.at(*seq))).collect(),
        children: descendants().filter(direct).filter(counted).map(Event::jti).collect(),
        descendants: descendants().filter(counted).count(),
        actors: token.actors.clone(),
        events: fold.touching,
        names: fold.names,
    })
}

/// What ended a token after its time had passed did not end it.
fn life(ending: Option<Ending>, expires_at: Timestamp, as_of: Timestamp) -> Life {
    match ending {
        Some(ending) if ending.at < expires_at => Life::Revoked(ending),
        Some(_) => Life::Expired,
        None if as_of >= expires_at => Life::Expired,
        None => Life::Active,
    }
}

impl TokenHistory {
    /// The body of `GET /audit/tokens/{jti}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut members = Members::default();
        members.put("jti", self.jti.to_string());
        members.put("kind", self.kind.name());
        members.put("state", self.life.name());
        members.put("issued_at", instant::format(self.issued_at));
        members.put("expires_at", instant::format(self.expires_at));
        self.put_ending(&mut members);
        members.put_some("subject", self.subject.as_ref().map(ToString::to_string));
        members.put_some("client_id", self.client.as_ref().map(ToString::to_string));
        members.put("scope", self.scope.to_string());
        members.put("audience", self.audience.clone());
        members.put_some("grant", self.grant.map(|grant| grant.to_string()));
        members.put_some("session", self.session.map(|session| session.to_string()));
        members.put("lineage", self.lineage.iter().map(named).collect::<Vec<_>>());
        members.put("children", self.children.iter().map(ToString::to_string).collect::<Vec<_>>());
        members.put("descendants", self.descendants);
        members.put("actors", self.actors.iter().map(rendered::actor).collect::<Vec<_>>());
        members.put("events", self.events.iter().map(|touching| self.event(touching)).collect::<Vec<_>>());
        members.into()
    }

    /// `reason` is what was stated, or else what happened; `ended_by` says which event it rests on.
    fn put_ending(&self, members: &mut Members) {
        let Life::Revoked(ending) = &self.life else { return };
        let reason = ending.stated.clone().unwrap_or_else(|| ending.happened.to_owned());
        let address = ending.by.map(|seq| self.jti.address.place.at(seq).to_string());
        let asked_by = ending.asked_by.map(RevokedBy::name);
        members.put("revoked_at", instant::format(ending.at));
        members.put("reason", reason);
        members.put("ended_by", json!({ "address": address, "cause": ending.cause, "by": asked_by }));
    }

    fn event(&self, touching: &Touching) -> Value {
        rendered::event_with_digest(&touching.event, touching.digest, &|seq| self.names.get(&seq).cloned())
    }
}

fn named(ancestor: &Result<Jti, Address>) -> String {
    match ancestor {
        Ok(jti) => jti.to_string(),
        Err(address) => address.to_string(),
    }
}
