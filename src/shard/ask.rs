//! What a log may be asked over the wire, and what it replies: the stored forms of `events`, nested.

use grantlog_events::{
    ClientId, Digest, Event, Header, Kid, Malformed, Refusal, Scope, Stored, Subject, Timestamp,
    cbor::Value,
    command::{Command, Person},
    key::SigningKey,
    record,
    state::Standing,
    stored::Bytes,
    token::Presented,
};
use grantlog_projections::client::ClientView;

record! {
    /// A secret to store, or with no value to destroy, beside a granted command.
    pub struct SecretWrite { 1 => name: String, 2 => value: Option<Bytes> }
}
record! {
    /// What travels with a command and must not be in the log.
    #[derive(Default)]
    pub struct Private {
        /// Written in the command's transaction if it is granted.
        1 => secrets: Vec<SecretWrite>,
        /// Sealed, piece by piece, into the events that seal.
        2 => personal: Option<Bytes>,
        /// The keyed hash of the unique name the command is about.
        3 => name: Option<[u8; 32]>,
        /// The secret part of the refresh token that the command presents.
        4 => refresh: Option<[u8; 32]>,
    }
}
record! {
    /// One command with what comes along.
    pub struct Run { 1 => header: Header, 2 => command: Command, 3 => private: Option<Private> }
}

/// A question that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Events from a position on, at most this many.
    Events(u64, u32),
    /// A person's attributes, opened (home shard).
    Profile(Subject),
    /// Who holds a unique name, by its keyed hash.
    NameHolder([u8; 32]),
    /// A client as registered, strongly consistent (registry).
    Client(ClientId),
    /// Signing keys and epochs (registry).
    Ring,
    /// A secret of a person's: a password verifier (home shard).
    Password(Subject),
    /// The attributes of the person whose token this is, if the token lives (home shard).
    ProfileOfBearer(Presented),
    /// Every view of this log made anew and compared with the live one.
    Compare,
    /// What a person sees of themselves, if their session lives (home shard).
    Account(Person),
}

/// A request to a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Run a command.
    Run(Box<Run>),
    /// Answer a question.
    Read(Query),
    /// Do what is owed to the views, whether or not an alarm is set for it.
    LookAfter,
}

record! {
    /// A person's attributes, in clear: from shard to edge only.
    pub struct ProfileReading {
        1 => standing: Standing,
        2 => auditor: bool,
        /// The SCIM attributes, as JSON.
        3 => attributes: Bytes,
        4 => created_at: Timestamp,
        5 => changed_at: Timestamp,
        /// Position of the last change.
        6 => changed: u64,
    }
}
record! {
    /// A signing key with its wrapped private half.
    pub struct RingEntry { 1 => kid: Kid, 2 => key: SigningKey, 3 => wrapped: Option<Bytes> }
}
record! {
    /// Every signing key, and every open epoch with its shards.
    pub struct RingReading { 1 => keys: Vec<RingEntry>, 2 => epochs: Vec<(u32, u32)> }
}

record! {
    /// A session as its person sees it.
    pub struct SessionReading {
        /// Position at which it begins.
        1 => session: u64,
        2 => started: Timestamp,
        3 => last_used: Timestamp,
        4 => until: Timestamp,
    }
}
record! {
    /// A client that a person let in.
    pub struct ApplicationReading { 1 => client: ClientId, 2 => scope: Scope, 3 => since: Timestamp }
}
record! {
    /// Where a person is logged in, and whom they let in.
    pub struct AccountReading { 1 => sessions: Vec<SessionReading>, 2 => applications: Vec<ApplicationReading> }
}

record! {
    /// One view of one log: made anew, and as it is live.
    pub struct ComparedView {
        1 => view: String,
        /// How many rows the shadow has.
        2 => rows: u64,
        3 => shadow: Digest,
        4 => live: Digest,
    }
}

/// What a log replies.
#[allow(clippy::large_enum_variant, reason = "made and taken apart at once, never kept")]
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The command was granted; the events say what.
    Granted(Vec<Event>),
    /// The command was refused.
    Refused(Refusal),
    /// The command was granted and stands, but what must follow is not confirmed yet: repeat it.
    Unconfirmed(Vec<Event>),
    /// Events' bytes, in order.
    Events(Vec<Bytes>),
    /// A person's attributes, if there is such a person.
    Profile(Option<ProfileReading>),
    /// The holder of a name and the claim's id.
    NameHolder(Option<(Subject, [u8; 16])>),
    /// A client, if there is one.
    Client(Option<ClientView>),
    /// Keys and epochs.
    Ring(RingReading),
    /// A secret, if it is held.
    Secret(Option<Bytes>),
    /// Each view with both digests.
    Compared(Vec<ComparedView>),
    /// The command was granted and brought a refresh token: the events and its secret part.
    Bearing(Vec<Event>, [u8; 32]),
    /// What a person sees of themselves.
    Account(AccountReading),
}

fn tagged(number: u64, value: Value) -> Value {
    Value::Array(vec![Value::Uint(number), value])
}

fn untag(value: Value) -> Result<(u64, Value), Malformed> {
    let Value::Array(items) = value else { return Err(Malformed::Unexpected("not a message")) };
    let [number, value]: [Value; 2] = items.try_into().map_err(|_| Malformed::Unexpected("not a message"))?;
    Ok((u64::load(number)?, value))
}

/// An option in an array of none or one.
fn option<T: Stored>(value: Value) -> Result<Option<T>, Malformed> {
    Vec::<T>::load(value).map(|items| items.into_iter().next())
}

impl Stored for Query {
    fn store(&self) -> Value {
        match self {
            Self::Events(seq, limit) => tagged(1, (*seq, *limit).store()),
            Self::Profile(subject) => tagged(2, subject.store()),
            Self::NameHolder(hash) => tagged(3, hash.store()),
            Self::Client(client) => tagged(4, client.store()),
            Self::Ring => tagged(5, Value::Uint(0)),
            Self::Password(subject) => tagged(6, subject.store()),
            Self::ProfileOfBearer(token) => tagged(7, token.store()),
            Self::Compare => tagged(8, Value::Uint(0)),
            Self::Account(person) => tagged(9, person.store()),
        }
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match untag(value)? {
            (1, value) => Stored::load(value).map(|(seq, limit)| Self::Events(seq, limit)),
            (2, value) => Stored::load(value).map(Self::Profile),
            (3, value) => Stored::load(value).map(Self::NameHolder),
            (4, value) => Stored::load(value).map(Self::Client),
            (5, _) => Ok(Self::Ring),
            (6, value) => Stored::load(value).map(Self::Password),
            (7, value) => Stored::load(value).map(Self::ProfileOfBearer),
            (8, _) => Ok(Self::Compare),
            (9, value) => Stored::load(value).map(Self::Account),
            _ => Err(Malformed::Unexpected("a question this shard does not know")),
        }
    }
}

impl Stored for Ask {
    fn store(&self) -> Value {
        match self {
            Self::Run(run) => tagged(1, run.store()),
            Self::Read(query) => tagged(2, query.store()),
            Self::LookAfter => tagged(3, Value::Uint(0)),
        }
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match untag(value)? {
            (1, value) => Stored::load(value).map(|run| Self::Run(Box::new(run))),
            (2, value) => Stored::load(value).map(Self::Read),
            (3, _) => Ok(Self::LookAfter),
            _ => Err(Malformed::Unexpected("a request this shard does not know")),
        }
    }
}

impl Stored for Reply {
    fn store(&self) -> Value {
        match self {
            Self::Granted(events) => tagged(1, events.store()),
            Self::Refused(refusal) => tagged(2, refusal.store()),
            Self::Unconfirmed(events) => tagged(3, events.store()),
            Self::Events(events) => tagged(4, events.store()),
            Self::Profile(profile) => tagged(5, profile.store()),
            Self::NameHolder(holder) => tagged(6, holder.store()),
            Self::Client(client) => tagged(7, client.store()),
            Self::Ring(ring) => tagged(8, ring.store()),
            Self::Secret(secret) => tagged(9, secret.store()),
            Self::Compared(views) => tagged(10, views.store()),
            Self::Bearing(events, secret) => tagged(11, (events.clone(), *secret).store()),
            Self::Account(account) => tagged(12, account.store()),
        }
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match untag(value)? {
            (1, value) => Stored::load(value).map(Self::Granted),
            (2, value) => Stored::load(value).map(Self::Refused),
            (3, value) => Stored::load(value).map(Self::Unconfirmed),
            (4, value) => Stored::load(value).map(Self::Events),
            (5, value) => option(value).map(Self::Profile),
            (6, value) => option(value).map(Self::NameHolder),
            (7, value) => option(value).map(Self::Client),
            (8, value) => Stored::load(value).map(Self::Ring),
            (10, value) => Stored::load(value).map(Self::Compared),
            (9, value) => option(value).map(Self::Secret),
            (11, value) => Stored::load(value).map(|(events, secret)| Self::Bearing(events, secret)),
            (12, value) => Stored::load(value).map(Self::Account),
            _ => Err(Malformed::Unexpected("a reply this edge does not know")),
        }
    }
}
