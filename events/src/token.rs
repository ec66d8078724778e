//! What the log and a presented token say of one token, and who acts in it.

use crate::{
    ClientId, Jti, Kid, Malformed, Scope, Stored, Subject, Timestamp, cbor::Value, choice, key::Algorithm, record,
};
use std::fmt;

choice! {
    /// What a token is; a token of one kind is refused where another is wanted.
    pub enum TokenKind {
        /// An access token (RFC 9068).
        1 "access_token" => Access,
    }
}

choice! {
    /// Which grant a token was issued for.
    pub enum Cause {
        /// RFC 6749 §4.4.
        1 "client_credentials" => ClientCredentials,
        /// RFC 7523 §2.1.
        2 "jwt_bearer" => Assertion,
        /// RFC 8693.
        3 "token_exchange" => Exchange,
        /// RFC 6749 §4.1.
        4 "authorization_code" => Code,
        /// RFC 6749 §6.
        5 "refresh_token" => Refresh,
    }
}

/// Someone who acts: a person or a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Party {
    /// A person.
    Subject(Subject),
    /// A client, for itself.
    Client(ClientId),
}

impl Party {
    /// Reads a `sub` value; no client id has the form of a subject.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        Subject::parse(text).map(Self::Subject).or_else(|_| ClientId::parse(text).map(Self::Client))
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subject(subject) => subject.fmt(f),
            Self::Client(client) => client.fmt(f),
        }
    }
}

impl Stored for Party {
    fn store(&self) -> Value {
        Value::Text(self.to_string())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Self::parse(&String::load(value)?)
    }
}

/// One link of the delegation chain: who acted, with which token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Who acted.
    pub party: Party,
    /// The actor token.
    pub jti: Jti,
}

impl Stored for Actor {
    fn store(&self) -> Value {
        Value::Array(vec![self.party.store(), self.jti.store()])
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        let (party, jti) = Stored::load(value)?;
        Ok(Self { party, jti })
    }
}

record! {
    /// Who alone may act for the subject (RFC 8693 §4.4).
    pub struct MayAct {
        1 => sub: Option<Party>,
        2 => client: Option<ClientId>,
    }
}

record! {
    /// The refresh token that came with an access token. Its secret part is not here.
    pub struct RefreshGranted {
        /// Position of the event at which its family begins: a code, or an exchange.
        1 => family: u64,
        /// From 1; each rotation counts on.
        2 => generation: u64,
        /// When it expires unless it is used.
        3 => until: Timestamp,
    }
}

record! {
    /// The ID token that came with an access token.
    pub struct IdTokenIssued {
        1 => kid: Kid,
        2 => algorithm: Algorithm,
        /// Its `exp`: milliseconds, whole seconds.
        3 => expires_at: Timestamp,
    }
}

record! {
    /// The body of an event that issued a token.
    pub struct IssuedToken {
        1 => kind: TokenKind,
        2 => kid: Kid,
        3 => algorithm: Algorithm,
        /// The token's `exp`: milliseconds, whole seconds.
        4 => expires_at: Timestamp,
        5 => scope: Scope,
        6 => audience: Vec<String>,
        7 => cause: Cause,
        8 => may_act: Option<MayAct>,
        9 => acr: Option<String>,
        10 => amr: Vec<String>,
        11 => auth_time: Option<Timestamp>,
        /// The issuer of the assertion it was issued for.
        12 => assertion_issuer: Option<String>,
        /// The client that `sub` names, where a machine token was exchanged by another client.
        13 => machine: Option<ClientId>,
        /// Position of the session that it dies with.
        14 => session: Option<u64>,
        /// Claims asked for by name beside those of the scope (OIDC Core §5.5).
        15 => claims: Vec<String>,
        16 => refresh: Option<RefreshGranted>,
        17 => id_token: Option<IdTokenIssued>,
    }
}

record! {
    /// What a presented token says of itself, its signature checked. The log must agree.
    pub struct Presented {
        1 => jti: Jti,
        2 => kind: TokenKind,
        3 => client: ClientId,
        /// `sub`: a person, or in a machine token the client it was first issued to.
        4 => party: Party,
        5 => kid: Kid,
        6 => expires_at: Timestamp,
        7 => scope: Scope,
        /// Position of the root authorization in the same log.
        8 => grant: u64,
        /// Positions of the access tokens it was exchanged from, oldest first.
        9 => ancestors: Vec<u64>,
        /// Position of the session that it dies with.
        10 => session: Option<u64>,
    }
}
