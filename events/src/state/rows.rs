//! The kinds of row a state has, their keys and their stored forms.

use crate::{
    ClientId, Kid, Malformed, Origin, Place, Scope, Seconds, Stored, Subject, Timestamp, choice,
    client::ClientMetadata,
    identity::{Digest, lower_hex},
    key::SigningKey,
    record,
    token::Party,
};
use std::fmt;

/// A row's key: kind and name, as in `revoked/<party>/42`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What follows the kind.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }

    /// What the keys of all revocations of a person's tokens begin with.
    #[must_use]
    pub fn revocations_of(subject: &Subject) -> String {
        format!("revoked/{subject}/")
    }

    /// The key of a claim's row.
    #[must_use]
    pub fn of_claim(claim: &[u8; 16]) -> Self {
        Self::claim(claim)
    }

    /// The key of a registered client's row.
    #[must_use]
    pub fn of_registered(client: &ClientId) -> Self {
        Self::registered(client)
    }

    /// The position that a revocation's key ends with.
    #[must_use]
    pub fn position(&self) -> Option<u64> {
        self.0.rsplit_once('/').and_then(|(_, seq)| seq.parse().ok())
    }

    pub(crate) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// What the keys of all sessions of a person begin with.
    #[must_use]
    pub fn sessions_of(subject: &Subject) -> String {
        format!("session/{subject}/")
    }

    /// What the keys of all grants of a person begin with.
    #[must_use]
    pub fn grants_of(party: &Party) -> String {
        format!("grant/{party}/")
    }

    /// What the keys of all consents of a person begin with.
    #[must_use]
    pub fn consents_of(subject: &Subject) -> String {
        format!("consent/{subject}/")
    }

    /// What the keys of all logout notices begin with.
    pub const NOTICES: &str = "notice/";

    pub(crate) fn session(subject: &Subject, seq: u64) -> Self {
        Self(format!("session/{subject}/{seq}"))
    }
    pub(crate) fn grant(party: &Party, seq: u64) -> Self {
        Self(format!("grant/{party}/{seq}"))
    }
    pub(crate) fn consent(subject: &Subject, client: &ClientId) -> Self {
        Self(format!("consent/{subject}/{client}"))
    }
    pub(crate) fn attempts(subject: &Subject) -> Self {
        Self(format!("attempts/{subject}"))
    }
    pub(crate) fn notice(subject: &Subject, session: u64, client: &ClientId) -> Self {
        Self(format!("notice/{subject}/{session}/{client}"))
    }
    pub(crate) fn lasting(party: &Party, seq: u64) -> Self {
        Self(format!("lasting/{party}/{seq}"))
    }
    pub(crate) fn log() -> Self {
        Self("self/".to_owned())
    }
    pub(crate) fn subject(subject: &Subject) -> Self {
        Self(format!("subject/{subject}"))
    }
    pub(crate) fn revoked(party: &Party, seq: u64) -> Self {
        Self(format!("revoked/{party}/{seq}"))
    }
    pub(crate) fn client(client: &ClientId) -> Self {
        Self(format!("client/{client}"))
    }
    pub(crate) fn distrusted(kid: &Kid) -> Self {
        Self(format!("distrusted/{kid}"))
    }
    pub(crate) fn spent(assertion: &[u8; 16]) -> Self {
        Self(format!("spent/{}", lower_hex(assertion)))
    }
    pub(crate) fn claim(claim: &[u8; 16]) -> Self {
        Self(format!("claim/{}", lower_hex(claim)))
    }
    pub(crate) fn registered(client: &ClientId) -> Self {
        Self(format!("registered/{client}"))
    }
    pub(crate) fn signing(kid: &Kid) -> Self {
        Self(format!("signing/{kid}"))
    }
    pub(crate) fn epoch(epoch: u32) -> Self {
        Self(format!("epoch/{epoch}"))
    }
    pub(crate) fn born(place: Place) -> Self {
        Self(format!("born/{}/{}", place.epoch, place.shard))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

choice! {
    /// Whether a subject's tokens may live.
    pub enum Standing {
        /// They may.
        1 "active" => Active,
        /// Not until resumed.
        2 "suspended" => Suspended,
        /// Never again.
        3 "erased" => Erased,
    }
}

record! {
    /// This log's genesis.
    pub struct LogRow { 1 => place: Place, 2 => verifier_key: String, 3 => birth: [u8; 32] }
}
record! {
    /// A person at home in this shard.
    pub struct SubjectRow {
        1 => standing: Standing,
        /// Tokens issued up to this position are dead.
        2 => dead_through: Option<u64>,
        /// Position of the event whose sealed box holds the attributes.
        3 => profile: u64,
        4 => auditor: bool,
        5 => password: bool,
        /// Position of the last event about the person that views must show.
        6 => changed: u64,
        /// Position of the event that created them.
        7 => created: u64,
        /// How many events after `profile` hold further pieces of the sealed attributes.
        8 => continued: u32,
    }
}
record! {
    /// A revoked token or grant.
    pub struct RevokedRow {
        /// Position of the revoking event.
        1 => by: u64,
        /// When the longest token under it has expired.
        2 => until: Timestamp,
    }
}
record! {
    /// What this shard was told of a client.
    pub struct ClientRow {
        1 => generation: u64,
        2 => deleted: bool,
        /// Tokens issued up to this position are dead.
        3 => dead_through: Option<u64>,
        /// Position of the event that says so.
        4 => heard: u64,
    }
}
record! {
    /// A compromised key.
    pub struct DistrustedRow { 1 => heard: u64 }
}
record! {
    /// A spent assertion.
    pub struct SpentRow { 1 => until: Timestamp }
}
record! {
    /// A claimed unique name.
    pub struct ClaimRow { 1 => subject: Subject, 2 => at: Timestamp }
}
record! {
    /// A client in the registry.
    pub struct RegisteredRow {
        1 => generation: u64,
        2 => deleted: bool,
        3 => metadata: ClientMetadata,
        /// Position of the last change, which is repeated to every shard.
        4 => changed: u64,
        /// Whether the last change revokes the client's tokens.
        5 => revoke_tokens: bool,
        /// The generation that every shard has confirmed.
        6 => confirmed: u64,
        /// Where each shard heard of the last revocation of the client's tokens.
        7 => dead_through: Vec<(Place, u64)>,
        8 => registered_at: Timestamp,
    }
}
record! {
    /// An epoch in the registry.
    pub struct EpochRow { 1 => shards: u32 }
}
record! {
    /// A log that exists.
    pub struct BornRow { 1 => origin: Origin, 2 => verifier_key: String }
}

record! {
    /// A person's login.
    pub struct SessionRow {
        1 => acr: String,
        2 => amr: Vec<String>,
        /// When the person last proved who they are.
        3 => auth_time: Timestamp,
        4 => last_used: Timestamp,
        5 => idle: Seconds,
        6 => until: Timestamp,
        /// Position of the event that ended it.
        7 => ended: Option<u64>,
        /// Clients to tell when it ends.
        8 => clients: Vec<ClientId>,
    }
}
record! {
    /// A grant that refreshes: one that began with a code, or an exchange that came with a refresh token.
    pub struct GrantRow {
        1 => client: ClientId,
        2 => session: Option<u64>,
        /// Whether it outlives the session.
        3 => offline: bool,
        4 => scope: Scope,
        5 => started: Timestamp,
        /// Position of the event that redeemed the code.
        6 => redeemed: Option<u64>,
        /// When everything under it has expired.
        7 => until: Timestamp,
        /// The generation of the refresh token that is good; 0 if there is none.
        8 => generation: u64,
        /// When that one expires unless it is used.
        9 => refresh_until: Option<Timestamp>,
        /// When the one before was rotated.
        10 => rotated_at: Option<Timestamp>,
        /// Position of the event that issued the good one.
        11 => issued: Option<u64>,
        /// When the access token that came with it expires.
        12 => token_until: Option<Timestamp>,
        /// Whether the one before came again and that was noted.
        13 => replayed: bool,
        /// The key that signed the access token that came with it.
        14 => kid: Option<Kid>,
        /// The key that signed the ID token that came with it.
        15 => id_kid: Option<Kid>,
    }
}
impl GrantRow {
    /// Whether these keys signed what came with the good refresh token; an ID token counts where both have one.
    #[must_use]
    pub fn is_signed_by(&self, kid: &Kid, id_kid: Option<&Kid>) -> bool {
        let is_same = self.id_kid.as_ref().zip(id_kid).is_none_or(|(before, now)| before == now);
        self.kid.as_ref() == Some(kid) && is_same
    }
}

record! {
    /// A remembered consent.
    pub struct ConsentRow { 1 => scope: Scope, 2 => since: Timestamp }
}
record! {
    /// Wrong passwords of late.
    pub struct AttemptsRow { 1 => count: u64, 2 => since: Timestamp }
}
record! {
    /// A client that is still to be told of a session's end.
    pub struct NoticeRow {
        /// Position of the event that ended the session.
        1 => ended: u64,
        2 => at: Timestamp,
    }
}
record! {
    /// How long something lives that descends from a token and outlives it.
    pub struct LastingRow { 1 => until: Timestamp }
}

macro_rules! rows {
    ($($kind:literal => $variant:ident($body:ty)),* $(,)?) => {
        /// One row of state.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant's body type says what it is")]
        #[allow(clippy::large_enum_variant, reason = "the large rows are the registry's, which has few")]
        pub enum Row { $($variant($body)),* }

        impl Row {
            /// The row's bytes.
            #[must_use]
            pub fn to_bytes(&self) -> Vec<u8> {
                match self { $(Self::$variant(row) => row.to_bytes()),* }
            }
            /// Reads the row under a stored key.
            pub fn read(key: &str, bytes: &[u8]) -> Result<(Key, Self), Malformed> {
                let row = match key.split_once('/').map(|(kind, _)| kind) {
                    $(Some($kind) => <$body>::from_bytes(bytes).map(Self::$variant)?,)*
                    _ => return Err(Malformed::Unexpected("a row of unknown kind")),
                };
                Ok((Key(key.to_owned()), row))
            }
        }
    };
}

rows! {
    "self" => Log(LogRow),
    "subject" => Subject(SubjectRow),
    "revoked" => Revoked(RevokedRow),
    "client" => Client(ClientRow),
    "distrusted" => Distrusted(DistrustedRow),
    "spent" => Spent(SpentRow),
    "claim" => Claim(ClaimRow),
    "registered" => Registered(RegisteredRow),
    "signing" => Signing(SigningKey),
    "epoch" => Epoch(EpochRow),
    "born" => Born(BornRow),
    "session" => Session(SessionRow),
    "grant" => Grant(GrantRow),
    "consent" => Consent(ConsentRow),
    "attempts" => Attempts(AttemptsRow),
    "notice" => Notice(NoticeRow),
    "lasting" => Lasting(LastingRow),
}

impl Key {
    /// The digest that a hash of all rows is made of, one row after the other.
    #[must_use]
    pub fn digest_with(&self, row: &Row) -> Digest {
        let mut bytes = self.0.clone().into_bytes();
        bytes.push(0);
        bytes.extend_from_slice(&row.to_bytes());
        Digest::of(&bytes)
    }
}
