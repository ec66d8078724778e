//! The closed registry of event types: number, name, body.
//!
//! A type once released keeps its number and its fields. A reader that meets an unknown number stops.

mod people;

pub use people::{
    CodeIssued, ConsentGranted, ConsentWithdrawn, LoginRefused, LogoutAbandoned, LogoutDelivered, RefreshRefused,
    RefreshReplayed, SessionEnded, SessionRenewed, SessionStarted,
};

use crate::{
    ClientId, Kid, Malformed, Origin, Place, Refusal, Stored, Timestamp, cbor::Value, choice, client::ClientMetadata,
    key::Algorithm, record, token::IssuedToken,
};

impl Stored for Place {
    fn store(&self) -> Value {
        (self.epoch, self.shard).store()
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Stored::load(value).map(|(epoch, shard)| Self { epoch, shard })
    }
}

choice! {
    /// Who or what asked for a revocation.
    pub enum RevokedBy {
        /// The token's client (RFC 7009).
        1 "client" => Client,
        /// An operator.
        2 "operator" => Operator,
        /// The person, on the account page.
        3 "person" => Person,
        /// The person, by logging out.
        4 "logout" => Logout,
        /// A rotated refresh token came again (RFC 9700 §4.14.2).
        5 "refresh_token_reuse" => RefreshReuse,
        /// A redeemed code came again (RFC 6749 §4.1.2).
        6 "code_reuse" => CodeReuse,
        /// The person was suspended or erased, or everything of theirs was revoked.
        7 "subject_ended" => SubjectEnded,
    }
}

record! {
    /// A log's first event.
    pub struct LogOpened {
        1 => place: Place,
        /// The key that verifies this log's checkpoints, in signed-note form.
        2 => verifier_key: String,
        /// SHA-256 of the nonce in the birth record.
        3 => birth: [u8; 32],
    }
}
record! {
    /// An epoch's number of shards, for good.
    pub struct EpochOpened { 1 => epoch: u32, 2 => shards: u32 }
}
record! {
    /// A log exists.
    pub struct LogBorn { 1 => origin: Origin, 2 => verifier_key: String }
}
record! {
    /// A client was registered.
    pub struct ClientRegistered { 1 => metadata: ClientMetadata }
}
record! {
    /// A client's metadata or credentials changed.
    pub struct ClientUpdated { 1 => generation: u64, 2 => metadata: ClientMetadata, 3 => secret_replaced: bool }
}
record! {
    /// A client is gone, and every token of it.
    pub struct ClientDeleted { 1 => generation: u64 }
}
record! {
    /// Everything issued to a client until now is dead.
    pub struct ClientTokensRevoked { 1 => generation: u64, 2 => reason: String }
}
record! {
    /// Every shard has appended a change; `positions` says where.
    pub struct ClientChangeConfirmed { 1 => generation: u64, 2 => positions: Vec<(Place, u64)> }
}
record! {
    /// A signing key entered the JWKS.
    pub struct KeyPublished { 1 => kid: Kid, 2 => algorithm: Algorithm, 3 => jwk: String }
}
record! {
    /// A signing key signs from now on.
    pub struct KeyActivated { 1 => kid: Kid }
}
record! {
    /// A signing key signs no more; it leaves the JWKS at `until`.
    pub struct KeyRetired { 1 => kid: Kid, 2 => until: Timestamp }
}
record! {
    /// A signing key left the JWKS.
    pub struct KeyRemoved { 1 => kid: Kid }
}
record! {
    /// A signing key leaked: nothing it signed is believed.
    pub struct KeyCompromised { 1 => kid: Kid, 2 => reason: String }
}
record! {
    /// Every shard has appended that a key is compromised.
    pub struct KeyCompromiseConfirmed { 1 => kid: Kid, 2 => positions: Vec<(Place, u64)> }
}
record! {
    /// Somebody read the audit log.
    pub struct AuditQueried {
        /// The path, without the query.
        1 => endpoint: String,
        /// First 16 bytes of SHA-256 of the query string.
        2 => query: [u8; 16],
    }
}
record! {
    /// This shard was told of a client's change; from this position it holds here.
    pub struct ClientChanged {
        1 => generation: u64,
        /// The registry event that this repeats.
        2 => registry_seq: u64,
        3 => deleted: bool,
        4 => revoke_tokens: bool,
    }
}
record! {
    /// This shard was told that a key is compromised.
    pub struct KeyDistrusted { 1 => kid: Kid, 2 => registry_seq: u64 }
}
record! {
    /// A unique name was claimed for the event's subject; the name's hash is not here.
    pub struct NameClaimed { 1 => claim: [u8; 16] }
}
record! {
    /// A unique name is free again.
    pub struct NameReleased { 1 => claim: [u8; 16] }
}
record! {
    /// What is not personal of a subject.
    pub struct SubjectProfile {
        /// Whether the person may log in and their tokens live.
        1 => suspended: bool,
        /// Whether the person may be given the scope `audit`.
        2 => auditor: bool,
        /// Whether a password verifier is held for them.
        3 => password: bool,
    }
}
record! {
    /// The next piece of a person's sealed attributes, which were too long for one event.
    pub struct AttributesContinued {
        /// From 1.
        1 => piece: u32,
    }
}
record! {
    /// A person is gone: key, names and views destroyed.
    pub struct SubjectErased {}
}
record! {
    /// A genuine token was presented for exchange and refused; the envelope's outcome says why.
    pub struct ExchangeRefused {
        /// Position of the presented token in this log.
        1 => token: u64,
        /// How many refusals of this token for this reason were counted, and not recorded, since the last one.
        2 => unrecorded: Option<u64>,
    }
}
record! {
    /// An exchange that was appended while the actor's shard was asked, and taken back.
    pub struct ExchangeVoided {
        1 => target: u64,
        2 => reason: Refusal,
        3 => until: Timestamp,
        /// As in the token that was taken back.
        4 => machine: Option<ClientId>,
    }
}
record! {
    /// A client assertion was spent.
    pub struct AssertionSpent {
        /// First 16 bytes of SHA-256 over issuer and `jti`.
        1 => assertion: [u8; 16],
        2 => until: Timestamp,
    }
}
record! {
    /// A token or grant is dead, and everything that descends from it.
    pub struct Ended {
        /// Position of the event that issued it.
        1 => target: u64,
        2 => by: RevokedBy,
        3 => reason: String,
        /// When the longest token under it has expired.
        4 => until: Timestamp,
        /// As in the token that ended.
        5 => machine: Option<ClientId>,
    }
}
record! {
    /// Everything issued to a subject until now is dead.
    pub struct SubjectTokensRevoked { 1 => reason: String }
}
record! {
    /// A root authorization and its first token; an assertion that bought it is spent with it.
    pub struct TokenIssued {
        1 => token: IssuedToken,
        2 => spent: Option<AssertionSpent>,
    }
}

/// Names every type once: number, public name, variant, body.
macro_rules! bodies {
    ($($number:literal $text:literal => $variant:ident($body:ty)),* $(,)?) => {
        /// What happened.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant's body type says what it is")]
        pub enum Body { $($variant($body)),* }

        impl Body {
            /// Number and public name of every type, in order.
            pub const REGISTRY: &'static [(u64, &'static str)] = &[$(($number, $text)),*];

            /// The type's number.
            #[must_use]
            pub const fn number(&self) -> u64 {
                match self { $(Self::$variant(_) => $number),* }
            }
            /// The type's public name.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $text),* }
            }
            /// The body's stored form.
            #[must_use]
            pub fn store(&self) -> Value {
                match self { $(Self::$variant(body) => body.store()),* }
            }
            /// Reads the body of a type.
            pub fn load(number: u64, value: Value) -> Result<Self, Malformed> {
                match number {
                    $($number => <$body>::load(value).map(Self::$variant),)*
                    unknown => Err(Malformed::UnknownType(unknown)),
                }
            }
        }
    };
}

bodies! {
    1 "log_opened" => LogOpened(LogOpened),
    2 "epoch_opened" => EpochOpened(EpochOpened),
    3 "log_born" => LogBorn(LogBorn),
    10 "client_registered" => ClientRegistered(ClientRegistered),
    11 "client_updated" => ClientUpdated(ClientUpdated),
    12 "client_deleted" => ClientDeleted(ClientDeleted),
    13 "client_tokens_revoked" => ClientTokensRevoked(ClientTokensRevoked),
    14 "client_change_confirmed" => ClientChangeConfirmed(ClientChangeConfirmed),
    20 "key_published" => KeyPublished(KeyPublished),
    21 "key_activated" => KeyActivated(KeyActivated),
    22 "key_retired" => KeyRetired(KeyRetired),
    23 "key_removed" => KeyRemoved(KeyRemoved),
    24 "key_compromised" => KeyCompromised(KeyCompromised),
    25 "key_compromise_confirmed" => KeyCompromiseConfirmed(KeyCompromiseConfirmed),
    30 "audit_queried" => AuditQueried(AuditQueried),
    40 "client_changed" => ClientChanged(ClientChanged),
    41 "key_distrusted" => KeyDistrusted(KeyDistrusted),
    50 "name_claimed" => NameClaimed(NameClaimed),
    51 "name_released" => NameReleased(NameReleased),
    52 "subject_created" => SubjectCreated(SubjectProfile),
    53 "subject_updated" => SubjectUpdated(SubjectProfile),
    54 "subject_erased" => SubjectErased(SubjectErased),
    55 "attributes_continued" => AttributesContinued(AttributesContinued),
    60 "token_issued" => TokenIssued(TokenIssued),
    61 "token_delegated" => TokenDelegated(IssuedToken),
    62 "token_impersonated" => TokenImpersonated(IssuedToken),
    63 "exchange_refused" => ExchangeRefused(ExchangeRefused),
    64 "exchange_voided" => ExchangeVoided(ExchangeVoided),
    65 "assertion_spent" => AssertionSpent(AssertionSpent),
    70 "token_revoked" => TokenRevoked(Ended),
    71 "grant_revoked" => GrantRevoked(Ended),
    72 "subject_tokens_revoked" => SubjectTokensRevoked(SubjectTokensRevoked),
    80 "session_started" => SessionStarted(SessionStarted),
    81 "session_renewed" => SessionRenewed(SessionRenewed),
    82 "session_ended" => SessionEnded(SessionEnded),
    83 "login_refused" => LoginRefused(LoginRefused),
    84 "logout_delivered" => LogoutDelivered(LogoutDelivered),
    85 "logout_abandoned" => LogoutAbandoned(LogoutAbandoned),
    86 "consent_granted" => ConsentGranted(ConsentGranted),
    87 "consent_withdrawn" => ConsentWithdrawn(ConsentWithdrawn),
    90 "code_issued" => CodeIssued(CodeIssued),
    91 "code_redeemed" => CodeRedeemed(IssuedToken),
    92 "token_refreshed" => TokenRefreshed(IssuedToken),
    93 "refresh_replayed" => RefreshReplayed(RefreshReplayed),
    94 "refresh_refused" => RefreshRefused(RefreshRefused),
}

impl Body {
    /// The token that this event issued, if it issued one.
    #[must_use]
    pub fn issued(&self) -> Option<&IssuedToken> {
        match self {
            Self::TokenIssued(issued) => Some(&issued.token),
            Self::TokenDelegated(token)
            | Self::TokenImpersonated(token)
            | Self::CodeRedeemed(token)
            | Self::TokenRefreshed(token) => Some(token),
            _ => None,
        }
    }

    /// The client that `sub` names in the machine token this event is about, where it is not the token's own.
    #[must_use]
    pub fn machine(&self) -> Option<&ClientId> {
        match self {
            Self::TokenRevoked(ended) | Self::GrantRevoked(ended) => ended.machine.as_ref(),
            Self::ExchangeVoided(voided) => voided.machine.as_ref(),
            _ => self.issued().and_then(|token| token.machine.as_ref()),
        }
    }

    /// What this event says of a person that is not personal, if it says anything.
    #[must_use]
    pub fn profile(&self) -> Option<&SubjectProfile> {
        match self {
            Self::SubjectCreated(profile) | Self::SubjectUpdated(profile) => Some(profile),
            _ => None,
        }
    }
}
