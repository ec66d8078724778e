//! The state that a log leaves behind, and the fold that makes it.
//!
//! A state is rows under readable keys. `apply` takes facts without judging them and cannot fail. A
//! shard loads the few rows a command needs, an auditor folds the whole log; both use this one
//! function, so replay equals live.

mod apply;
mod rows;

pub use rows::{
    AttemptsRow, BornRow, ClaimRow, ClientRow, ConsentRow, DistrustedRow, EpochRow, GrantRow, Key, LastingRow, LogRow,
    NoticeRow, RegisteredRow, RevokedRow, Row, SessionRow, SpentRow, Standing, SubjectRow,
};

use crate::{Event, Place, chain::Head, key::SigningKey};
use std::collections::{BTreeMap, BTreeSet};

/// What one log knows, or the part of it that one command needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The end of the log.
    pub head: Head,
    /// The claim that holds the name a command is about, from outside the fold.
    pub name_holder: Option<[u8; 16]>,
    /// Whether the secret part of the refresh token that a command presents is right, from outside the fold.
    pub refresh_is_proven: bool,
    rows: BTreeMap<Key, Row>,
    events: BTreeMap<u64, Event>,
    changed: BTreeSet<Key>,
}

impl State {
    /// Puts a stored row where it was.
    pub fn restore(&mut self, key: Key, row: Row) {
        self.rows.insert(key, row);
    }

    /// Puts a stored event at hand.
    pub fn recall(&mut self, event: Event) {
        self.events.insert(event.seq, event);
    }

    /// The event at a position, if the command needed it and the log has it.
    #[must_use]
    pub fn event(&self, seq: u64) -> Option<&Event> {
        self.events.get(&seq)
    }

    /// Every row, in the order of the keys.
    pub fn rows(&self) -> impl Iterator<Item = (&Key, &Row)> {
        self.rows.iter()
    }

    /// The rows that changed since the last call; an absent row was removed.
    pub fn take_changes(&mut self) -> Vec<(Key, Option<Row>)> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().map(|key| (key.clone(), self.rows.get(&key).cloned())).collect()
    }

    fn put(&mut self, key: Key, row: Row) {
        self.changed.insert(key.clone());
        self.rows.insert(key, row);
    }

    fn remove(&mut self, key: Key) {
        self.rows.remove(&key);
        self.changed.insert(key);
    }
}

macro_rules! row_readers {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $type:ty),*) -> $row:ident($body:ty)),* $(,)?) => {
        impl State {
            $($(#[$meta])*
            #[must_use]
            pub fn $name(&self, $($argument: $type),*) -> Option<&$body> {
                match self.rows.get(&Key::$name($($argument),*)) {
                    Some(Row::$row(row)) => Some(row),
                    _ => None,
                }
            })*
        }
    };
}

row_readers! {
    /// This log's own genesis.
    log() -> Log(LogRow),
    /// A person at home here.
    subject(subject: &crate::Subject) -> Subject(SubjectRow),
    /// The revocation of a party's token or grant at a position.
    revoked(party: &crate::token::Party, seq: u64) -> Revoked(RevokedRow),
    /// What this shard was told of a client.
    client(client: &crate::ClientId) -> Client(ClientRow),
    /// Whether this shard was told that a key is compromised.
    distrusted(kid: &crate::Kid) -> Distrusted(DistrustedRow),
    /// Whether an assertion was spent here.
    spent(assertion: &[u8; 16]) -> Spent(SpentRow),
    /// A claim of a unique name.
    claim(claim: &[u8; 16]) -> Claim(ClaimRow),
    /// A registered client (registry).
    registered(client: &crate::ClientId) -> Registered(RegisteredRow),
    /// A signing key (registry).
    signing(kid: &crate::Kid) -> Signing(SigningKey),
    /// An epoch (registry).
    epoch(epoch: u32) -> Epoch(EpochRow),
    /// A log's birth (registry).
    born(place: Place) -> Born(BornRow),
    /// A person's session that began at a position.
    session(subject: &crate::Subject, seq: u64) -> Session(SessionRow),
    /// A party's refreshing grant that began at a position.
    grant(party: &crate::token::Party, seq: u64) -> Grant(GrantRow),
    /// What a person let a client have.
    consent(subject: &crate::Subject, client: &crate::ClientId) -> Consent(ConsentRow),
    /// A person's wrong passwords of late.
    attempts(subject: &crate::Subject) -> Attempts(AttemptsRow),
    /// A client still to be told of a session's end.
    notice(subject: &crate::Subject, session: u64, client: &crate::ClientId) -> Notice(NoticeRow),
    /// How long something under a party's token lives that outlives the token.
    lasting(party: &crate::token::Party, seq: u64) -> Lasting(LastingRow),
}

impl State {
    /// Every signing key at hand with its id.
    pub fn signing_keys(&self) -> impl Iterator<Item = (crate::Kid, &SigningKey)> {
        self.rows.iter().filter_map(|(key, row)| match row {
            Row::Signing(signing) => crate::Kid::parse(key.name()).ok().map(|kid| (kid, signing)),
            _ => None,
        })
    }

    /// Every session of a person at hand, with its position.
    pub fn sessions<'a>(&'a self, subject: &crate::Subject) -> impl Iterator<Item = (u64, &'a SessionRow)> + use<'a> {
        self.under(Key::sessions_of(subject)).filter_map(|(seq, row)| match row {
            Row::Session(session) => Some((seq, session)),
            _ => None,
        })
    }

    /// Every refreshing grant of a party at hand, with its position.
    pub fn grants<'a>(&'a self, party: &crate::token::Party) -> impl Iterator<Item = (u64, &'a GrantRow)> + use<'a> {
        self.under(Key::grants_of(party)).filter_map(|(seq, row)| match row {
            Row::Grant(grant) => Some((seq, grant)),
            _ => None,
        })
    }

    fn under(&self, prefix: String) -> impl Iterator<Item = (u64, &Row)> {
        let from = Key::from_text(prefix.clone());
        let here = self.rows.range(from..).take_while(move |(key, _)| key.as_str().starts_with(&prefix));
        here.filter_map(|(key, row)| key.position().map(|seq| (seq, row)))
    }
}
