//! What a log may be asked to do, as values; the canonical form is what a retry is recognised by.

use crate::{
    ClientId, Digest, Jti, Kid, Malformed, Origin, Place, Refusal, RequestId, Scope, Seconds, Stored, Subject,
    Timestamp,
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

record! {
    /// How a person just proved who they are.
    pub struct Authentication {
        1 => acr: String,
        2 => amr: Vec<String>,
        /// The sign-in challenge.
        3 => challenge: Spend,
        /// How long the session may live unused.
        4 => idle: Seconds,
        /// How long the session may live at most.
        5 => lifetime: Seconds,
    }
}
record! {
    /// What a client asks of a person (RFC 6749 §4.1.1, OIDC Core §3.1.2.1).
    pub struct AuthorizationRequest {
        1 => caller: Caller,
        2 => scope: Scope,
        3 => client_scope: Scope,
        /// First 16 bytes of SHA-256 of the redirect URI.
        4 => redirect: [u8; 16],
        5 => challenge: Option<[u8; 32]>,
        6 => audience: Vec<String>,
        7 => claims: Vec<String>,
        /// The oldest login that will do.
        8 => max_age: Option<Seconds>,
        /// Whether consent must be given now, whatever is remembered.
        9 => ask_consent: bool,
        /// Whether consent was given now.
        10 => consents: bool,
        /// The pushed request.
        11 => pushed: Option<Spend>,
        12 => may_refresh: bool,
        /// Whether the client wants to be told when the session ends.
        13 => logout: bool,
        /// How long the code may live.
        14 => lifetime: Seconds,
        /// Scopes that claims asked for by name belong to: consented to like the others, but not granted.
        15 => implied: Scope,
    }
}
record! {
    /// Let a person in, or find them logged in, and give a client a code if one asks and may have it.
    pub struct Authorize {
        1 => subject: Subject,
        /// Position of the session that the browser holds.
        2 => session: Option<u64>,
        3 => authentication: Option<Authentication>,
        4 => request: Option<AuthorizationRequest>,
    }
}
record! {
    /// Note that a password was wrong.
    pub struct RefuseLogin { 1 => subject: Subject }
}
record! {
    /// Redeem a code (RFC 6749 §4.1.3).
    pub struct RedeemCode {
        1 => caller: Caller,
        2 => signing: Signing,
        3 => id_token: Option<Signing>,
        4 => code: Jti,
        /// First 16 bytes of SHA-256 of the redirect URI.
        5 => redirect: [u8; 16],
        /// SHA-256 of the code verifier.
        6 => challenge: Option<[u8; 32]>,
        /// How long a refresh token lives unused; absent if the client gets none.
        7 => refresh: Option<Seconds>,
    }
}
record! {
    /// A refresh token as presented; whether its secret part is right, the shard finds out for itself.
    pub struct PresentedRefresh {
        /// Position at which its family begins.
        1 => family: u64,
        2 => generation: u64,
    }
}
record! {
    /// Rotate a refresh token (RFC 6749 §6, RFC 9700 §4.14).
    pub struct Refresh {
        1 => caller: Caller,
        2 => signing: Signing,
        3 => id_token: Option<Signing>,
        4 => token: PresentedRefresh,
        5 => scope: Option<Scope>,
        6 => client_scope: Scope,
        /// How long the successor lives unused.
        7 => lifetime: Seconds,
        /// How long after its rotation a token gets the same answer again.
        8 => grace: Seconds,
    }
}
record! {
    /// Say whether a refresh token is live. Writes nothing.
    pub struct InspectRefresh { 1 => token: PresentedRefresh }
}
record! {
    /// Revoke a refresh token's family for its client (RFC 7009).
    pub struct RevokeRefresh { 1 => caller: Caller, 2 => token: PresentedRefresh }
}
record! {
    /// A person who acts for themselves, by the session that their browser holds.
    pub struct Person { 1 => subject: Subject, 2 => session: u64 }
}
record! {
    /// End a session.
    pub struct EndSession {
        /// Position at which it begins.
        1 => session: u64,
        2 => by: RevokedBy,
        3 => reason: String,
        /// Whether grants that would outlive it end with it.
        4 => with_grants: bool,
        /// The person, if one asks.
        5 => person: Option<Person>,
        /// Whose session it must be.
        6 => subject: Option<Subject>,
    }
}
record! {
    /// Forget a consent and end what was given under it.
    pub struct WithdrawConsent { 1 => client: ClientId, 2 => person: Person }
}
record! {
    /// Note that a client was told of a session's end, or never will be.
    pub struct SettleLogout {
        1 => subject: Subject,
        2 => session: u64,
        3 => client: ClientId,
        4 => attempts: u64,
        /// Why the client was not told.
        5 => abandoned: Option<String>,
    }
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
