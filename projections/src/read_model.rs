//! The read model's tables: which rows an event writes there.
//!
//! Only subjects, clients, login grants, revocations and keys; nothing is written for an issued token.
//! Each write is guarded by position, so that replaying an old event changes nothing.

mod grants;
mod shadow;

pub use grants::Ending;

pub use shadow::{Field, Shadow, Table, digest};

use grantlog_events::{Body, Event, key::KeyStatus, state::Standing, stored::Bytes};

/// What one event says to the read model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A subject's row; `sealed` is `None` once erased.
    Subject {
        /// The subject.
        subject: String,
        /// Whether its tokens may live.
        standing: Standing,
        /// The sealed box.
        sealed: Option<Bytes>,
    },
    /// A client's row.
    Client {
        /// The client.
        client: String,
        /// Its name, where the event gives one.
        name: Option<String>,
        /// Its generation.
        generation: u64,
        /// Whether it is deleted.
        deleted: bool,
    },
    /// Something ended.
    Revocation {
        /// The event's type.
        kind: &'static str,
        /// The subject whose token or grant it was.
        subject: Option<String>,
        /// The client whose token or grant it was.
        client: Option<String>,
        /// Address of what ended.
        target: Option<String>,
        /// Why.
        reason: String,
    },
    /// A login grant began: a code was redeemed.
    Grant {
        /// Address of the code.
        address: String,
        /// The person.
        subject: String,
        /// Whom they let in.
        client: String,
        /// Address of the session that it ends with, if it does.
        session: Option<String>,
        /// What for.
        scope: String,
    },
    /// Login grants are over.
    GrantsEnded(Ending),
    /// A signing key's row.
    Key {
        /// The key.
        kid: String,
        /// Its algorithm, where the event gives it.
        algorithm: Option<&'static str>,
        /// Its new status.
        status: KeyStatus,
    },
}

/// What `event` says to the read model, in the order in which it is to be written.
#[must_use]
pub fn changes(event: &Event) -> Vec<Change> {
    row(event).into_iter().chain(grants::changes(event)).collect()
}

/// The row of its own that an event writes, if it writes one.
fn row(event: &Event) -> Option<Change> {
    match &event.body {
        Body::SubjectCreated(profile) | Body::SubjectUpdated(profile) => {
            let standing = if profile.suspended { Standing::Suspended } else { Standing::Active };
            subject(event, standing, event.sealed.clone())
        }
        Body::SubjectErased(_) => subject(event, Standing::Erased, None),
        Body::ClientRegistered(body) => client(event, body.metadata.name.clone(), 0, false),
        Body::ClientUpdated(body) => client(event, body.metadata.name.clone(), body.generation, false),
        Body::ClientDeleted(body) => client(event, None, body.generation, true),
        Body::ClientTokensRevoked(body) => Some(revocation(event, None, &body.reason)),
        Body::TokenRevoked(ended) | Body::GrantRevoked(ended) => {
            Some(revocation(event, Some(ended.target), &ended.reason))
        }
        Body::SessionEnded(ended) => Some(revocation(event, Some(ended.session), &ended.reason)),
        Body::ConsentWithdrawn(withdrawn) => Some(revocation(event, None, &withdrawn.reason)),
        Body::ExchangeVoided(voided) => Some(revocation(event, Some(voided.target), voided.reason.name())),
        Body::SubjectTokensRevoked(body) => Some(revocation(event, None, &body.reason)),
        Body::KeyPublished(body) => Some(key(&body.kid, Some(body.algorithm.name()), KeyStatus::Published)),
        Body::KeyActivated(body) => Some(key(&body.kid, None, KeyStatus::Active)),
        Body::KeyRetired(body) => Some(key(&body.kid, None, KeyStatus::Retired)),
        Body::KeyRemoved(body) => Some(key(&body.kid, None, KeyStatus::Removed)),
        Body::KeyCompromised(body) => Some(key(&body.kid, None, KeyStatus::Compromised)),
        Body::LogOpened(_)
        | Body::EpochOpened(_)
        | Body::LogBorn(_)
        | Body::ClientChangeConfirmed(_)
        | Body::KeyCompromiseConfirmed(_)
        | Body::AuditQueried(_)
        | Body::ClientChanged(_)
        | Body::KeyDistrusted(_)
        | Body::NameClaimed(_)
        | Body::NameReleased(_)
        | Body::AttributesContinued(_)
        | Body::TokenIssued(_)
        | Body::TokenDelegated(_)
        | Body::TokenImpersonated(_)
        | Body::ExchangeRefused(_)
        | Body::AssertionSpent(_)
        | Body::SessionStarted(_)
        | Body::SessionRenewed(_)
        | Body::LoginRefused(_)
        | Body::LogoutDelivered(_)
        | Body::LogoutAbandoned(_)
        | Body::ConsentGranted(_)
        | Body::CodeIssued(_)
        | Body::CodeRedeemed(_)
        | Body::TokenRefreshed(_)
        | Body::RefreshReplayed(_)
        | Body::RefreshRefused(_) => None,
    }
}

fn subject(event: &Event, standing: Standing, sealed: Option<Bytes>) -> Option<Change> {
    event.subject.as_ref().map(|subject| Change::Subject { subject: subject.to_string(), standing, sealed })
}

fn client(event: &Event, name: Option<String>, generation: u64, deleted: bool) -> Option<Change> {
    event.client.as_ref().map(|client| Change::Client { client: client.to_string(), name, generation, deleted })
}

fn revocation(event: &Event, target: Option<u64>, reason: &str) -> Change {
    Change::Revocation {
        kind: event.body.name(),
        subject: event.subject.as_ref().map(ToString::to_string),
        client: event.client.as_ref().map(ToString::to_string),
        target: target.map(|seq| event.origin.place().at(seq).to_string()),
        reason: reason.to_owned(),
    }
}

fn key(kid: &grantlog_events::Kid, algorithm: Option<&'static str>, status: KeyStatus) -> Change {
    Change::Key { kid: kid.to_string(), algorithm, status }
}
