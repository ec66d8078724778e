//! The envelope: what every event says, in which order, and how a draft becomes an event.

use crate::{
    Body, ClientId, Digest, EventId, Malformed, Origin, Refusal, RequestId, Stored, Subject, Timestamp,
    cbor::Value,
    decide::{MAX_ACTORS, MAX_ANCESTORS},
    record,
    stored::{Bytes, Fields},
    token::{Actor, Party},
};

/// The envelope version that this code writes.
const VERSION: u64 = 1;

/// The largest event, in bytes.
pub const MAX_EVENT: usize = 16 * 1024;

/// Where the digest of the causing command stands in a body.
const COMMAND: u8 = 0;

/// Whether what was asked for was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was.
    Granted,
    /// It was not, for this reason.
    Refused(Refusal),
}

impl Stored for Outcome {
    fn store(&self) -> Value {
        match self {
            Self::Granted => Value::Uint(0),
            Self::Refused(refusal) => Value::Array(vec![Value::Uint(1), refusal.store()]),
        }
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Uint(0) => Ok(Self::Granted),
            other => match Stored::load(other)? {
                (1_u64, refusal) => Ok(Self::Refused(refusal)),
                _ => Err(Malformed::Unexpected("an outcome")),
            },
        }
    }
}

record! {
    /// What code and policy made an event.
    pub struct Source {
        /// The code's version.
        1 => version: String,
        /// First 16 bytes of SHA-256 of the policy that was applied.
        2 => policy: Option<[u8; 16]>,
    }
}

/// One event of one log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Identity.
    pub id: EventId,
    /// The deciding shard's clock, in milliseconds: expiry, `iat` and grace use it.
    pub occurred_at: Timestamp,
    /// Never behind the event before it, in milliseconds: orders `?at=` and nothing else.
    pub recorded_at: Timestamp,
    /// The log.
    pub origin: Origin,
    /// Position, dense from 0.
    pub seq: u64,
    /// Digest of the event before, zeros at genesis.
    pub prev: Digest,
    /// The person it is about.
    pub subject: Option<Subject>,
    /// The client it is about.
    pub client: Option<ClientId>,
    /// Position of the root authorization.
    pub grant: Option<u64>,
    /// Positions of the access tokens it descends from by exchange, oldest first.
    pub ancestors: Vec<u64>,
    /// Who acts, the current actor first.
    pub actors: Vec<Actor>,
    /// Granted or refused.
    pub outcome: Outcome,
    /// The edge's number for the request.
    pub request: Option<RequestId>,
    /// First 16 bytes of SHA-256 of the command, on the command's first event.
    pub command: Option<[u8; 16]>,
    /// What happened.
    pub body: Body,
    /// Encrypted personal data.
    pub sealed: Option<Bytes>,
    /// Code version and policy.
    pub source: Option<Source>,
}

impl Event {
    /// The position's full address.
    #[must_use]
    pub fn address(&self) -> crate::Address {
        self.origin.place().at(self.seq)
    }

    /// The `jti` of the token that this event issued.
    #[must_use]
    pub fn jti(&self) -> crate::Jti {
        crate::Jti::of(self.address(), &self.id)
    }

    /// Who the token's `sub` names: a person, or the client it was first issued to.
    #[must_use]
    pub fn party(&self) -> Option<Party> {
        let machine = || self.body.machine().cloned().or_else(|| self.client.clone());
        self.subject.clone().map(Party::Subject).or_else(|| machine().map(Party::Client))
    }

    /// The encoding without the sealed box: its authenticated associated data.
    #[must_use]
    pub fn unsealed(&self) -> Vec<u8> {
        Self { sealed: None, ..self.clone() }.to_bytes()
    }

    fn body_value(&self) -> Value {
        match (self.body.store(), self.command) {
            (Value::Map(mut entries), Some(command)) => {
                entries.insert(0, (COMMAND, command.store()));
                Value::Map(entries)
            }
            (value, _) => value,
        }
    }
}

impl Stored for Event {
    fn store(&self) -> Value {
        let fields: [(u8, Option<Value>); 18] = [
            (0, Some(Value::Uint(VERSION))),
            (1, Some(self.id.store())),
            (2, Some(Value::Uint(self.body.number()))),
            (3, Some(self.occurred_at.store())),
            (4, Some(self.recorded_at.store())),
            (5, Some(self.origin.store())),
            (6, Some(self.seq.store())),
            (7, Some(self.prev.store())),
            (8, self.subject.store_field()),
            (9, self.client.store_field()),
            (10, self.grant.store_field()),
            (11, self.ancestors.store_field()),
            (12, self.actors.store_field()),
            (13, Some(self.outcome.store())),
            (14, self.request.store_field()),
            (15, Some(self.body_value())),
            (16, self.sealed.store_field()),
            (17, self.source.store_field()),
        ];
        Value::Map(fields.into_iter().filter_map(|(key, value)| value.map(|value| (key, value))).collect())
    }

    fn load(value: Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value)?;
        if fields.take::<u64>(0, "envelope version")? != VERSION {
            return Err(Malformed::Unexpected("an envelope version this reader does not know"));
        }
        let number: u64 = fields.take(2, "type")?;
        let mut body: Vec<(u8, Value)> = match fields.take_value(15) {
            Some(Value::Map(entries)) => entries,
            _ => return Err(Malformed::Missing("body")),
        };
        let command = match body.first() {
            Some((COMMAND, _)) => Some(Stored::load(body.remove(0).1)?),
            _ => None,
        };
        let event = Self {
            id: fields.take(1, "event id")?,
            occurred_at: fields.take(3, "occurred at")?,
            recorded_at: fields.take(4, "recorded at")?,
            origin: fields.take(5, "origin")?,
            seq: fields.take(6, "seq")?,
            prev: fields.take(7, "prev")?,
            subject: fields.take(8, "subject")?,
            client: fields.take(9, "client")?,
            grant: fields.take(10, "grant")?,
            ancestors: fields.take(11, "ancestors")?,
            actors: fields.take(12, "actors")?,
            outcome: fields.take(13, "outcome")?,
            request: fields.take(14, "request id")?,
            command,
            body: Body::load(number, Value::Map(body))?,
            sealed: fields.take(16, "sealed")?,
            source: fields.take(17, "source")?,
        };
        fields.end()?;
        if event.ancestors.len() > MAX_ANCESTORS || event.actors.len() > MAX_ACTORS {
            return Err(Malformed::Unexpected("a chain longer than any that is granted"));
        }
        Ok(event)
    }
}

/// Which grant a draft belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantOf {
    /// None.
    Nothing,
    /// The event itself is the root authorization.
    Itself,
    /// The root authorization at this position.
    Position(u64),
}

/// An event before it has a place in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The person it is about.
    pub subject: Option<Subject>,
    /// The client it is about.
    pub client: Option<ClientId>,
    /// Its root authorization.
    pub grant: GrantOf,
    /// The tokens it descends from, oldest first.
    pub ancestors: Vec<u64>,
    /// Who acts, current actor first.
    pub actors: Vec<Actor>,
    /// Granted or refused.
    pub outcome: Outcome,
    /// What happened.
    pub body: Body,
    /// Whether the command's personal data is sealed into this event.
    pub seals: bool,
    /// First 16 bytes of the digest of the policy that was applied.
    pub policy: Option<[u8; 16]>,
}

impl Draft {
    /// A granted event about nobody yet.
    #[must_use]
    pub fn of(body: Body) -> Self {
        Self {
            subject: None,
            client: None,
            grant: GrantOf::Nothing,
            ancestors: Vec::new(),
            actors: Vec::new(),
            outcome: Outcome::Granted,
            body,
            seals: false,
            policy: None,
        }
    }

    /// The same, about a subject.
    #[must_use]
    pub fn about(mut self, subject: Option<Subject>) -> Self {
        self.subject = subject;
        self
    }

    /// The same, about a client.
    #[must_use]
    pub fn of_client(mut self, client: ClientId) -> Self {
        self.client = Some(client);
        self
    }

    /// The same, under a grant.
    #[must_use]
    pub fn under(mut self, grant: GrantOf) -> Self {
        self.grant = grant;
        self
    }
}
