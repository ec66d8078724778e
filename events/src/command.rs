//! What a log may be asked to do, as values; the canonical form is what a retry is recognised by.

mod people;

pub use people::{
    Authentication, AuthorizationRequest, Authorize, EndSession, InspectRefresh, Person, PresentedRefresh, RedeemCode,
    Refresh, RefuseLogin, RevokeRefresh, SettleLogout, WithdrawConsent,
};

use crate::{
    ClientId, Digest, Kid, Malformed, Origin, Place, Refusal, RequestId, Scope, Seconds, Stored, Subject, Timestamp,
    body::{RevokedBy, SubjectProfile},
    cbor::Value,
    client::{ClientMetadata, ExchangePolicy},
    key::Algorithm,
    record,
    token::{MayAct, Presented},
};

record! {
    /// What comes with a command and is not part of it.
    pub struct Header {
        1 => request: RequestId,
        /// Random bits for event ids.
        2 => entropy: [u8; 10],
        /// 0 for the first try; a retry looks for what the first one did.
        3 => attempt: u64,
    }
}
record! {
    /// The client that asks, and the generation of the view it was authenticated with.
    pub struct Caller { 1 => client: ClientId, 2 => generation: u64 }
}
record! {
    /// The signature that the token is to have, and how long it may live.
    pub struct Signing { 1 => kid: Kid, 2 => algorithm: Algorithm, 3 => lifetime: Seconds }
}
record! {
    /// An assertion to be spent once.
    pub struct Spend {
        /// First 16 bytes of SHA-256 over issuer and `jti`.
        1 => assertion: [u8; 16],
        /// Its `exp`.
        2 => until: Timestamp,
    }
}

record! {
    /// Begin a log.
    pub struct OpenLog { 1 => place: Place, 2 => verifier_key: String, 3 => birth: [u8; 32] }
}
record! {
    /// Fix an epoch's number of shards.
    pub struct OpenEpoch { 1 => epoch: u32, 2 => shards: u32 }
}
record! {
    /// Note that a log exists.
    pub struct RecordBirth { 1 => origin: Origin, 2 => verifier_key: String }
}
record! {
    /// Register a client.
    pub struct RegisterClient { 1 => client: ClientId, 2 => metadata: ClientMetadata }
}
record! {
    /// Replace a client's metadata.
    pub struct UpdateClient {
        1 => client: ClientId,
        2 => metadata: ClientMetadata,
        3 => secret_replaced: bool,
        /// Whether the caller holds `client:register`.
        4 => may_widen: bool,
    }
}
record! {
    /// Delete a client.
    pub struct DeleteClient { 1 => client: ClientId }
}
record! {
    /// Revoke everything issued to a client until now.
    pub struct RevokeClientTokens { 1 => client: ClientId, 2 => reason: String }
}
record! {
    /// Note that every shard has heard a client's change.
    pub struct ConfirmClientChange { 1 => client: ClientId, 2 => generation: u64, 3 => positions: Vec<(Place, u64)> }
}
record! {
    /// Put a signing key into the JWKS.
    pub struct PublishKey { 1 => kid: Kid, 2 => algorithm: Algorithm, 3 => jwk: String }
}
record! {
    /// Let a published key sign; the one that signed retires.
    pub struct ActivateKey { 1 => kid: Kid }
}
record! {
    /// Take a retired key out of the JWKS.
    pub struct RemoveKey { 1 => kid: Kid }
}
record! {
    /// Believe nothing that a key signed; the spare takes over.
    pub struct CompromiseKey { 1 => kid: Kid, 2 => reason: String }
}
record! {
    /// Note that every shard has heard that a key is compromised.
    pub struct ConfirmKeyCompromise { 1 => kid: Kid, 2 => positions: Vec<(Place, u64)> }
}
record! {
    /// Note that somebody read the audit log.
    pub struct RecordQuery { 1 => caller: ClientId, 2 => subject: Option<Subject>, 3 => endpoint: String, 4 => query: [u8; 16] }
}
record! {
    /// Hear of a client's change.
    pub struct HearClient {
        1 => client: ClientId,
        2 => generation: u64,
        3 => registry_seq: u64,
        4 => deleted: bool,
        5 => revoke_tokens: bool,
    }
}
record! {
    /// Hear that a key is compromised.
    pub struct HearKey { 1 => kid: Kid, 2 => registry_seq: u64 }
}
record! {
    /// Claim a unique name for a subject that is about to be created or renamed.
    pub struct ClaimName { 1 => claim: [u8; 16], 2 => subject: Subject }
}
record! {
    /// Give a unique name up.
    pub struct ReleaseName { 1 => claim: [u8; 16] }
}
record! {
    /// Create a person.
    pub struct CreateSubject {
        1 => subject: Subject,
        2 => profile: SubjectProfile,
        /// How many events the sealed attributes take beyond the first.
        3 => continued: u32,
    }
}
record! {
    /// Replace a person's attributes.
    pub struct UpdateSubject {
        1 => subject: Subject,
        2 => profile: SubjectProfile,
        /// How many events the sealed attributes take beyond the first.
        3 => continued: u32,
        /// The position of the change that the replacement was made from; with another one it is refused.
        4 => seen: Option<u64>,
    }
}
record! {
    /// Erase a person.
    pub struct EraseSubject { 1 => subject: Subject }
}
record! {
    /// Begin a grant and issue its first token.
    pub struct Issue {
        1 => caller: Caller,
        2 => signing: Signing,
        /// Asked for; absent means all that the client may have.
        3 => scope: Option<Scope>,
        4 => client_scope: Scope,
        5 => audience: Vec<String>,
        /// Absent for client credentials.
        6 => subject: Option<Subject>,
        7 => spend: Option<Spend>,
        8 => assertion_issuer: Option<String>,
        9 => may_act: Option<MayAct>,
        10 => acr: Option<String>,
        11 => amr: Vec<String>,
        12 => auth_time: Option<Timestamp>,
    }
}
record! {
    /// Exchange a token (RFC 8693).
    pub struct Exchange {
        1 => caller: Caller,
        2 => signing: Signing,
        3 => client_scope: Scope,
        /// The client's policy; absent means that it may not exchange.
        4 => policy: Option<ExchangePolicy>,
        5 => scope: Option<Scope>,
        6 => audience: Vec<String>,
        7 => resource: Vec<String>,
        /// The audience of a token for which none was asked.
        8 => default_audience: String,
        9 => subject_token: Presented,
        10 => actor_token: Option<Presented>,
        11 => refresh_token: bool,
        /// How long a refresh token lives unused.
        12 => refresh_lifetime: Option<Seconds>,
    }
}
record! {
    /// Take an exchange back because the actor's shard refused the actor token.
    pub struct VoidExchange { 1 => target: u64, 2 => reason: Refusal }
}
record! {
    /// Say whether a token is live. Writes nothing.
    pub struct Inspect { 1 => token: Presented }
}
record! {
    /// Spend a client's assertion.
    pub struct SpendAssertion { 1 => client: ClientId, 2 => spend: Spend }
}
record! {
    /// Revoke a token for its client (RFC 7009).
    pub struct RevokeToken { 1 => caller: Caller, 2 => token: Presented }
}
record! {
    /// Revoke the token issued at a position, with all exchanged from it.
    pub struct RevokeIssued { 1 => target: u64, 2 => by: RevokedBy, 3 => reason: String }
}
record! {
    /// Revoke the grant that began at a position, with all under it.
    pub struct RevokeGrant { 1 => target: u64, 2 => by: RevokedBy, 3 => reason: String }
}
record! {
    /// Revoke everything issued to a subject until now.
    pub struct RevokeSubjectTokens { 1 => subject: Subject, 2 => reason: String }
}

macro_rules! commands {
    ($($number:literal => $variant:ident),* $(,)?) => {
        /// A command to one log.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant's type says what it asks for")]
        #[allow(clippy::large_enum_variant, reason = "one command lives at a time; a box would only add an allocation")]
        pub enum Command { $($variant($variant)),* }

        impl Stored for Command {
            fn store(&self) -> Value {
                match self { $(Self::$variant(command) => Value::Array(vec![Value::Uint($number), command.store()])),* }
            }
            fn load(value: Value) -> Result<Self, Malformed> {
                let Value::Array(items) = value else { return Err(Malformed::Unexpected("not a command")) };
                let [number, body]: [Value; 2] = items.try_into().map_err(|_| Malformed::Unexpected("not a command"))?;
                match u64::load(number)? {
                    $($number => $variant::load(body).map(Self::$variant),)*
                    _ => Err(Malformed::Unexpected("a command this shard does not know")),
                }
            }
        }

        $(impl From<$variant> for Command {
            fn from(command: $variant) -> Self {
                Self::$variant(command)
            }
        })*
    };
}

commands! {
    1 => OpenLog, 2 => OpenEpoch, 3 => RecordBirth,
    10 => RegisterClient, 11 => UpdateClient, 12 => DeleteClient, 13 => RevokeClientTokens, 14 => ConfirmClientChange,
    20 => PublishKey, 21 => ActivateKey, 22 => RemoveKey, 23 => CompromiseKey, 24 => ConfirmKeyCompromise,
    30 => RecordQuery,
    40 => HearClient, 41 => HearKey,
    50 => ClaimName, 51 => ReleaseName, 52 => CreateSubject, 53 => UpdateSubject, 54 => EraseSubject,
    60 => Issue, 61 => Exchange, 62 => VoidExchange, 63 => Inspect, 64 => SpendAssertion,
    70 => RevokeToken, 71 => RevokeIssued, 72 => RevokeGrant, 73 => RevokeSubjectTokens,
    80 => Authorize, 81 => RefuseLogin, 82 => EndSession, 83 => WithdrawConsent, 84 => SettleLogout,
    90 => RedeemCode, 91 => Refresh, 92 => InspectRefresh, 93 => RevokeRefresh,
}

impl Command {
    /// First 16 bytes of SHA-256 of the canonical command; a retry must have the same.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        Digest::of(&self.to_bytes()).half()
    }
}
