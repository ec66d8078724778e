//! The fold. It takes facts without judging them and cannot fail.

mod families;
mod sessions;

use super::{
    BornRow, ClaimRow, ClientRow, DistrustedRow, EpochRow, Key, LogRow, RegisteredRow, RevokedRow, Row, SpentRow,
    Standing, State, SubjectRow,
};
use crate::{
    Body, Event, Kid, Subject, Timestamp,
    body::{ClientChanged, LogoutAbandoned, LogoutDelivered, SubjectProfile},
    client::ClientMetadata,
    key::{KeyStatus, SigningKey},
};

impl State {
    /// Takes one event, which stands at the end of the log, into the state.
    pub fn apply(&mut self, event: &Event, bytes: &[u8]) {
        self.head = crate::chain::Head::past(event, bytes);
        let seq = event.seq;
        match &event.body {
            Body::LogOpened(log) => self.put(
                Key::log(),
                Row::Log(LogRow { place: log.place, verifier_key: log.verifier_key.clone(), birth: log.birth }),
            ),
            Body::EpochOpened(epoch) => {
                self.put(Key::epoch(epoch.epoch), Row::Epoch(EpochRow { shards: epoch.shards }));
            }
            Body::LogBorn(born) => self.put(
                Key::born(born.origin.place()),
                Row::Born(BornRow { origin: born.origin.clone(), verifier_key: born.verifier_key.clone() }),
            ),
            Body::ClientRegistered(registered) => self.register(event, &registered.metadata),
            Body::ClientUpdated(updated) => {
                self.change_registered(event, updated.generation, |row| row.metadata = updated.metadata.clone());
            }
            Body::ClientDeleted(deleted) => self.change_registered(event, deleted.generation, |row| row.deleted = true),
            Body::ClientTokensRevoked(revoked) => {
                self.change_registered(event, revoked.generation, |row| row.revoke_tokens = true);
            }
            Body::ClientChangeConfirmed(confirmed) => {
                self.confirm_client(event, confirmed.generation, &confirmed.positions);
            }
            Body::KeyPublished(key) => {
                self.put(Key::signing(&key.kid), Row::Signing(published(key, event.occurred_at)));
            }
            Body::KeyActivated(key) => self.change_key(&key.kid, |row| {
                row.status = KeyStatus::Active;
                row.activated_at = Some(event.occurred_at);
            }),
            Body::KeyRetired(key) => self.change_key(&key.kid, |row| {
                row.status = KeyStatus::Retired;
                row.until = Some(key.until);
            }),
            Body::KeyRemoved(key) => self.change_key(&key.kid, |row| row.status = KeyStatus::Removed),
            Body::KeyCompromised(key) => self.change_key(&key.kid, |row| {
                row.status = KeyStatus::Compromised;
                row.confirmed = false;
            }),
            Body::KeyCompromiseConfirmed(key) => self.change_key(&key.kid, |row| row.confirmed = true),
            Body::ClientChanged(changed) => self.hear_client(event, changed),
            Body::KeyDistrusted(key) => {
                self.put(Key::distrusted(&key.kid), Row::Distrusted(DistrustedRow { heard: seq }));
            }
            Body::NameClaimed(name) => {
                if let Some(subject) = &event.subject {
                    let row = ClaimRow { subject: subject.clone(), at: event.occurred_at };
                    self.put(Key::claim(&name.claim), Row::Claim(row));
                }
            }
            Body::NameReleased(name) => self.remove(Key::claim(&name.claim)),
            Body::SubjectCreated(profile) | Body::SubjectUpdated(profile) => self.profile(event, profile),
            Body::AttributesContinued(continued) => {
                self.change_subject(event, |row| row.continued = continued.piece);
            }
            Body::SubjectErased(_) => self.change_subject(event, |row| row.standing = Standing::Erased),
            Body::SubjectTokensRevoked(_) => self.change_subject(event, |row| row.dead_through = Some(seq)),
            Body::TokenIssued(issued) => {
                if let Some(spent) = &issued.spent {
                    self.spend(&spent.assertion, spent.until);
                }
            }
            Body::AssertionSpent(spent) => self.spend(&spent.assertion, spent.until),
            Body::TokenRevoked(ended) | Body::GrantRevoked(ended) => self.revoke(event, ended.target, ended.until),
            Body::ExchangeVoided(voided) => self.revoke(event, voided.target, voided.until),
            Body::SessionStarted(started) => self.start_session(event, started),
            Body::SessionRenewed(renewed) => self.renew_session(event, renewed),
            Body::SessionEnded(ended) => self.end_session(event, ended),
            Body::LoginRefused(_) => self.count_attempt(event),
            Body::LogoutDelivered(LogoutDelivered { session, .. })
            | Body::LogoutAbandoned(LogoutAbandoned { session, .. }) => self.settle_notice(event, *session),
            Body::ConsentGranted(consent) => self.consent_to(event, &consent.scope),
            Body::ConsentWithdrawn(withdrawn) => self.withdraw_consent(event, &withdrawn.grants),
            Body::CodeIssued(code) => self.give_code(event, code),
            Body::CodeRedeemed(token) => self.begin_family(event, token),
            Body::TokenRefreshed(token) => self.rotate(event, token),
            Body::RefreshReplayed(replayed) => {
                self.change_grant(event, replayed.family, |row| row.replayed = true);
            }
            Body::TokenImpersonated(token) => self.begin_exchanged_family(event, token),
            Body::AuditQueried(_) | Body::TokenDelegated(_) | Body::ExchangeRefused(_) | Body::RefreshRefused(_) => {}
        }
    }

    fn register(&mut self, event: &Event, metadata: &ClientMetadata) {
        let Some(client) = &event.client else { return };
        let row = RegisteredRow {
            generation: 0,
            deleted: false,
            metadata: metadata.clone(),
            changed: event.seq,
            revoke_tokens: false,
            confirmed: 0,
            dead_through: Vec::new(),
            registered_at: event.occurred_at,
        };
        self.put(Key::registered(client), Row::Registered(row));
    }

    fn change_registered(&mut self, event: &Event, generation: u64, change: impl FnOnce(&mut RegisteredRow)) {
        let Some(client) = &event.client else { return };
        let Some(mut row) = self.registered(client).cloned() else { return };
        // A revocation that some shard has not heard yet travels with the next change.
        row.revoke_tokens &= row.confirmed < row.generation;
        row.generation = generation;
        row.changed = event.seq;
        change(&mut row);
        self.put(Key::registered(client), Row::Registered(row));
    }

    fn confirm_client(&mut self, event: &Event, generation: u64, positions: &[(crate::Place, u64)]) {
        let Some(client) = &event.client else { return };
        let Some(mut row) = self.registered(client).cloned() else { return };
        row.confirmed = generation;
        if row.revoke_tokens {
            row.dead_through = positions.to_vec();
        }
        self.put(Key::registered(client), Row::Registered(row));
    }

    fn change_key(&mut self, kid: &Kid, change: impl FnOnce(&mut SigningKey)) {
        let Some(mut row) = self.signing(kid).cloned() else { return };
        change(&mut row);
        self.put(Key::signing(kid), Row::Signing(row));
    }

    fn hear_client(&mut self, event: &Event, changed: &ClientChanged) {
        let Some(client) = &event.client else { return };
        let before = self.client(client).and_then(|row| row.dead_through);
        let row = ClientRow {
            generation: changed.generation,
            deleted: changed.deleted,
            dead_through: if changed.revoke_tokens { Some(event.seq) } else { before },
            heard: event.seq,
        };
        self.put(Key::client(client), Row::Client(row));
    }

    fn profile(&mut self, event: &Event, profile: &SubjectProfile) {
        let Some(subject) = &event.subject else { return };
        let before = self.subject(subject);
        let row = SubjectRow {
            standing: if profile.suspended { Standing::Suspended } else { Standing::Active },
            dead_through: before.and_then(|row| row.dead_through),
            created: before.map_or(event.seq, |row| row.created),
            profile: event.seq,
            auditor: profile.auditor,
            password: profile.password,
            changed: event.seq,
            continued: 0,
        };
        self.put(Key::subject(subject), Row::Subject(row));
    }

    fn change_subject(&mut self, event: &Event, change: impl FnOnce(&mut SubjectRow)) {
        let Some(subject) = &event.subject else { return };
        let Some(mut row) = self.subject(subject).cloned() else { return };
        row.changed = event.seq;
        change(&mut row);
        self.put(Key::subject(subject), Row::Subject(row));
    }

    fn spend(&mut self, assertion: &[u8; 16], until: Timestamp) {
        self.put(Key::spent(assertion), Row::Spent(SpentRow { until }));
    }

    fn revoke(&mut self, event: &Event, target: u64, until: Timestamp) {
        let Some(party) = event.party() else { return };
        self.put(Key::revoked(&party, target), Row::Revoked(RevokedRow { by: event.seq, until }));
    }
}

fn published(key: &crate::body::KeyPublished, at: Timestamp) -> SigningKey {
    SigningKey {
        algorithm: key.algorithm,
        jwk: key.jwk.clone(),
        status: KeyStatus::Published,
        published_at: at,
        activated_at: None,
        until: None,
        confirmed: true,
    }
}

impl Key {
    /// The key of a subject's row, for views that follow it.
    #[must_use]
    pub fn of_subject(subject: &Subject) -> Self {
        Self::subject(subject)
    }
}
