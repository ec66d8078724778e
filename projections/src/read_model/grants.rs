//! Login grants: which begin with an event, and which end with it. What merely expires does not end.

use super::Change;
use grantlog_events::{
    Body, Event, Timestamp,
    body::{ClientChanged, SessionEnded},
};

/// Which login grants of a log an event ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The one whose code was given at this address.
    Grant(String),
    /// Those of a person that end with the session at this address.
    Session {
        /// The person.
        subject: String,
        /// The session.
        session: String,
    },
    /// All of a person.
    Subject(String),
    /// All of a client, in this log.
    Client(String),
}

pub(super) fn changes(event: &Event) -> Vec<Change> {
    match &event.body {
        Body::CodeRedeemed(_) => begun(event).into_iter().collect(),
        Body::GrantRevoked(ended) => vec![by_name(event, ended.target)],
        Body::SessionEnded(ended) => with_session(event, ended),
        Body::ConsentWithdrawn(withdrawn) => all_by_name(event, &withdrawn.grants),
        Body::SubjectTokensRevoked(_) | Body::SubjectErased(_) => {
            event.subject.iter().map(|subject| Change::GrantsEnded(Ending::Subject(subject.to_string()))).collect()
        }
        Body::ClientChanged(ClientChanged { deleted, revoke_tokens, .. }) if *deleted || *revoke_tokens => {
            event.client.iter().map(|client| Change::GrantsEnded(Ending::Client(client.to_string()))).collect()
        }
        _ => Vec::new(),
    }
}

fn begun(event: &Event) -> Option<Change> {
    let token = event.body.issued()?;
    Some(Change::Grant {
        address: address(event, event.grant?),
        subject: event.subject.as_ref()?.to_string(),
        client: event.client.as_ref()?.to_string(),
        session: token.session.map(|session| address(event, session)),
        scope: token.scope.to_string(),
    })
}

fn with_session(event: &Event, ended: &SessionEnded) -> Vec<Change> {
    let bound = event.subject.iter().map(|subject| {
        let session = address(event, ended.session);
        Change::GrantsEnded(Ending::Session { subject: subject.to_string(), session })
    });
    bound.chain(all_by_name(event, &ended.grants)).collect()
}

fn all_by_name(event: &Event, grants: &[(u64, Timestamp)]) -> Vec<Change> {
    grants.iter().map(|(grant, _)| by_name(event, *grant)).collect()
}

fn by_name(event: &Event, grant: u64) -> Change {
    Change::GrantsEnded(Ending::Grant(address(event, grant)))
}

fn address(event: &Event, seq: u64) -> String {
    event.origin.place().at(seq).to_string()
}
