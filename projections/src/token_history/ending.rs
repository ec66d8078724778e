//! Which event ended a token.
//!
//! Whether a token is dead is not decided here; this finds the event that the verdict rests on: the
//! first that ended the token and still holds. Only a suspension can cease to hold.

use grantlog_events::{Body, Event, Refusal, Timestamp, body::RevokedBy, token::Party};

/// The event that ended a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Position of the event; `None` if the token was dead when it was issued.
    pub by: Option<u64>,
    /// When that was recorded.
    pub at: Timestamp,
    /// What ended: the token, an ancestor, its grant, person, client or key; `voided` for an exchange
    /// that was taken back.
    pub cause: &'static str,
    /// What happened: what ended, or for what reason if the event knows it without being told.
    pub happened: &'static str,
    /// What the one who asked for it gave as the reason.
    pub stated: Option<String>,
    /// Who asked for it, where the event says so.
    pub asked_by: Option<RevokedBy>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Endings(Vec<Ending>);

impl Endings {
    /// Whether `event` ends `token`.
    pub(super) fn take(&mut self, event: &Event, token: &Event) -> bool {
        if let Body::SubjectUpdated(profile) = &event.body
            && same_person(event, token)
            && !profile.suspended
        {
            self.0.retain(|ending| ending.cause != Refusal::SubjectSuspended.name());
        }
        let ending = ending(event, token);
        let ends = ending.is_some();
        self.0.extend(ending);
        ends
    }

    pub(super) fn first_in_force(&self, refusal: Refusal, token: &Event) -> Ending {
        let (at, cause) = (token.recorded_at, refusal.name());
        let unseen = || Ending { by: None, at, cause, happened: cause, stated: None, asked_by: None };
        self.0.first().cloned().unwrap_or_else(unseen)
    }
}

fn ending(event: &Event, token: &Event) -> Option<Ending> {
    let person = same_person(event, token);
    let client = same_client(event, token);
    let (cause, stated, asked_by) = match &event.body {
        Body::TokenRevoked(it) => (target(it.target, token)?.name(), stated(&it.reason), Some(it.by)),
        Body::GrantRevoked(it) => (grant(it.target, token)?.name(), stated(&it.reason), Some(it.by)),
        Body::SessionEnded(it) if person && session(token) == Some(it.session) => {
            (Refusal::SessionEnded.name(), stated(&it.reason), Some(it.by))
        }
        Body::SessionEnded(it) if person => (among(&it.grants, token)?.name(), stated(&it.reason), Some(it.by)),
        Body::ConsentWithdrawn(it) if person => (among(&it.grants, token)?.name(), stated(&it.reason), Some(it.by)),
        Body::ExchangeVoided(it) if it.target == token.seq => ("voided", None, None),
        Body::ExchangeVoided(it) => (target(it.target, token)?.name(), None, None),
        Body::SubjectTokensRevoked(it) if person => (Refusal::SubjectTokensRevoked.name(), stated(&it.reason), None),
        Body::SubjectErased(_) if person => (Refusal::SubjectErased.name(), None, None),
        Body::SubjectUpdated(it) if person && it.suspended => (Refusal::SubjectSuspended.name(), None, None),
        Body::ClientChanged(it) if client && it.deleted => (Refusal::ClientDeleted.name(), None, None),
        Body::ClientChanged(it) if client && it.revoke_tokens => (Refusal::ClientTokensRevoked.name(), None, None),
        Body::KeyDistrusted(it) if token.body.issued().is_some_and(|issued| issued.kid == it.kid) => {
            (Refusal::KeyCompromised.name(), None, None)
        }
        _ => return None,
    };
    let happened = happened(event).unwrap_or(cause);
    Some(Ending { by: Some(event.seq), at: event.recorded_at, cause, happened, stated, asked_by })
}

/// Why something ended, where it is more than that somebody wanted it to.
fn happened(event: &Event) -> Option<&'static str> {
    match &event.body {
        Body::ConsentWithdrawn(_) | Body::SessionEnded(_) => Some(event.body.name()),
        Body::GrantRevoked(ended) if matches!(ended.by, RevokedBy::RefreshReuse | RevokedBy::CodeReuse) => {
            Some(ended.by.name())
        }
        _ => None,
    }
}

fn same_person(event: &Event, token: &Event) -> bool {
    token.subject.is_some() && event.subject == token.subject
}

/// A machine token that was exchanged has two clients: its own and the one that `sub` names.
pub(super) fn same_client(event: &Event, token: &Event) -> bool {
    let Some(client) = &event.client else { return false };
    token.client.as_ref() == Some(client) || token.party() == Some(Party::Client(client.clone()))
}

fn target(seq: u64, token: &Event) -> Option<Refusal> {
    if seq == token.seq {
        return Some(Refusal::TokenRevoked);
    }
    token.ancestors.contains(&seq).then_some(Refusal::AncestorRevoked)
}

/// The grant itself, or a family that an exchange began.
fn grant(seq: u64, token: &Event) -> Option<Refusal> {
    if token.grant == Some(seq) { Some(Refusal::GrantRevoked) } else { target(seq, token) }
}

fn among(grants: &[(u64, Timestamp)], token: &Event) -> Option<Refusal> {
    grants.iter().find_map(|(seq, _)| grant(*seq, token))
}

fn session(token: &Event) -> Option<u64> {
    token.body.issued().and_then(|issued| issued.session)
}

fn stated(reason: &str) -> Option<String> {
    (!reason.is_empty()).then(|| reason.to_owned())
}
