//! A grant that refreshes: where it began, and whether it still stands.
//!
//! It begins with a code, or with an exchange that came with a refresh token. Every refresh token of it
//! names that event; everything issued under it dies with it.

use crate::{
    Body, Event, Refusal, Scope, Seconds, State, Timestamp,
    envelope::Draft,
    envelope::GrantOf,
    state::{GrantRow, Standing},
    token::{MayAct, Party},
};

/// The event that a family begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root<'a> {
    pub(super) event: &'a Event,
    pub(super) row: &'a GrantRow,
}

impl<'a> Root<'a> {
    /// The family that begins at `seq`, if one does.
    pub(super) fn at(state: &'a State, seq: u64) -> Option<Self> {
        let event = state.event(seq)?;
        let row = state.grant(&event.party()?, seq)?;
        Some(Self { event, row })
    }

    pub(super) fn scope(&self) -> Option<&'a Scope> {
        match &self.event.body {
            Body::CodeIssued(code) => Some(&code.scope),
            body => body.issued().map(|token| &token.scope),
        }
    }

    /// The session whose end ends the family.
    pub(super) fn session(&self) -> Option<u64> {
        match &self.event.body {
            Body::CodeIssued(code) => (!code.offline).then_some(code.session),
            body => body.issued().and_then(|token| token.session),
        }
    }

    pub(super) fn may_act(&self) -> Option<MayAct> {
        self.event.body.issued().and_then(|token| token.may_act.clone())
    }

    /// Until when a refresh token given now is good. What an exchange brought is good for one fixed time, since
    /// the tokens above it remember how long; what a session brought, no longer than the session.
    pub(super) fn refresh_until(&self, lifetime: Seconds, now: Timestamp) -> Timestamp {
        match (&self.event.body, self.row.refresh_until) {
            (Body::CodeIssued(code), _) if code.offline => now.after(lifetime),
            (Body::CodeIssued(code), _) => now.after(lifetime).min(code.session_until),
            (_, fixed) => fixed.unwrap_or(now),
        }
    }

    /// Whether nothing has ended the family or what it descends from.
    pub(super) fn stands(&self, state: &State) -> Result<(), Refusal> {
        let party = self.event.party().ok_or(Refusal::GrantUnknown)?;
        let is_revoked = |seq: u64| state.revoked(&party, seq).is_some();
        if is_revoked(self.event.seq) || self.event.grant.is_some_and(is_revoked) {
            return Err(Refusal::GrantRevoked);
        }
        if self.event.ancestors.iter().copied().any(is_revoked) {
            return Err(Refusal::AncestorRevoked);
        }
        if self.session().is_some_and(is_revoked) {
            return Err(Refusal::SessionEnded);
        }
        self.person_stands(state, &party)?;
        self.client_stands(state)
    }

    fn person_stands(&self, state: &State, party: &Party) -> Result<(), Refusal> {
        let Party::Subject(subject) = party else { return Ok(()) };
        let row = state.subject(subject).ok_or(Refusal::SubjectUnknown)?;
        match row.standing {
            Standing::Suspended => Err(Refusal::SubjectSuspended),
            Standing::Erased => Err(Refusal::SubjectErased),
            Standing::Active if row.dead_through.is_some_and(|through| self.event.seq <= through) => {
                Err(Refusal::SubjectTokensRevoked)
            }
            Standing::Active => Ok(()),
        }
    }

    fn client_stands(&self, state: &State) -> Result<(), Refusal> {
        match state.client(&self.row.client) {
            Some(row) if row.deleted => Err(Refusal::ClientDeleted),
            Some(row) if row.dead_through.is_some_and(|through| self.event.seq <= through) => {
                Err(Refusal::ClientTokensRevoked)
            }
            _ => Ok(()),
        }
    }

    /// The positions that a token of the family descends from.
    pub(super) fn lineage(&self) -> Vec<u64> {
        match &self.event.body {
            Body::CodeIssued(_) => Vec::new(),
            _ => self.event.ancestors.iter().copied().chain([self.event.seq]).collect(),
        }
    }

    /// A draft that belongs to the family.
    pub(super) fn draft(&self, body: Body) -> Draft {
        Draft {
            client: self.event.client.clone(),
            grant: self.event.grant.map_or(GrantOf::Nothing, GrantOf::Position),
            ..Draft::of(body).about(self.event.subject.clone())
        }
    }

    /// When everything under the family has expired.
    pub(super) fn until(&self, state: &State) -> Timestamp {
        let own = self.row.until;
        self.event.party().map_or(own, |party| super::lasting::until(state, &party, self.event.seq, own))
    }

    pub(super) fn ended(&self, state: &State, by: crate::body::RevokedBy, reason: &str) -> Body {
        Body::GrantRevoked(crate::body::Ended {
            target: self.event.seq,
            by,
            reason: reason.to_owned(),
            until: self.until(state),
            machine: self.event.body.machine().cloned(),
        })
    }
}
