//! Any event: a value for every body and every field of the envelope.

use crate::dice::Dice;
use grantlog_events::{
    Body, ClientId, Digest, Event, EventId, Jti, Kid, Origin, Outcome, Place, Refusal, RequestId, Scope, Seconds,
    Subject, Timestamp,
    body::{
        AssertionSpent, AttributesContinued, AuditQueried, ClientChangeConfirmed, ClientChanged, ClientDeleted,
        ClientRegistered, ClientTokensRevoked, ClientUpdated, CodeIssued, ConsentGranted, ConsentWithdrawn, Ended,
        EpochOpened, ExchangeRefused, ExchangeVoided, KeyActivated, KeyCompromiseConfirmed, KeyCompromised,
        KeyDistrusted, KeyPublished, KeyRemoved, KeyRetired, LogBorn, LogOpened, LoginRefused, LogoutAbandoned,
        LogoutDelivered, NameClaimed, NameReleased, RefreshRefused, RefreshReplayed, RevokedBy, SessionEnded,
        SessionRenewed, SessionStarted, SubjectErased, SubjectProfile, SubjectTokensRevoked, TokenIssued,
    },
    client::{AboutClient, Admitted, AssertionIssuer, AuthenticationMethod, ClientMetadata, ExchangePolicy, GrantType},
    envelope::Source,
    key::Algorithm,
    stored::Bytes,
    token::{Actor, Cause, IdTokenIssued, IssuedToken, MayAct, Party, RefreshGranted, TokenKind},
};

/// A type that dice can make.
pub trait Rolled {
    fn roll(dice: &mut Dice) -> Self;
}

/// Rolls every field in turn; a field that is added must be added here.
macro_rules! rolled {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl $crate::rolled::Rolled for $type {
            #[allow(unused_variables, reason = "some bodies have no fields")]
            fn roll(dice: &mut $crate::dice::Dice) -> Self {
                Self { $($field: $crate::rolled::Rolled::roll(dice)),* }
            }
        }
    )*};
}
pub(crate) use rolled;

macro_rules! rolled_by {
    ($($type:ty: $dice:ident => $value:expr;)*) => {$(
        impl Rolled for $type {
            fn roll($dice: &mut Dice) -> Self { $value }
        }
    )*};
}

rolled_by! {
    bool: dice => dice.flag();
    u32: dice => u32::try_from(dice.number() & 0xffff_ffff).unwrap();
    u64: dice => dice.number();
    String: dice => dice.text();
    Timestamp: dice => Timestamp(dice.number());
    Seconds: dice => Seconds(dice.number());
    ClientId: dice => dice.client();
    Kid: dice => dice.kid();
    Subject: dice => dice.subject();
    Digest: dice => Digest(dice.array());
    EventId: dice => EventId(dice.array());
    RequestId: dice => RequestId(dice.array());
    Place: dice => Place { epoch: Rolled::roll(dice), shard: Rolled::roll(dice) };
    Origin: dice => Place::roll(dice).origin(["op.example", "localhost:8787"][dice.below(2)]);
    Jti: dice => Jti::of(Place::roll(dice).at(dice.number()), &EventId::roll(dice));
    Scope: dice => Scope::parse(["", "openid", "openid profile", "audit", "a b c"][dice.below(5)]).unwrap();
    Bytes: dice => Bytes(dice.text().into_bytes());
    Algorithm: dice => dice.pick(Algorithm::ALL);
    AuthenticationMethod: dice => dice.pick(AuthenticationMethod::ALL);
    GrantType: dice => dice.pick(GrantType::ALL);
    RevokedBy: dice => dice.pick(RevokedBy::ALL);
    Refusal: dice => dice.pick(Refusal::ALL);
    TokenKind: dice => dice.pick(TokenKind::ALL);
    Cause: dice => dice.pick(Cause::ALL);
    Party: dice => if dice.flag() { Party::Subject(dice.subject()) } else { Party::Client(dice.client()) };
    Admitted: dice => if dice.flag() { Admitted::Any } else { Admitted::Only(Rolled::roll(dice)) };
    Outcome: dice => if dice.flag() { Outcome::Granted } else { Outcome::Refused(Rolled::roll(dice)) };
}

impl<const N: usize> Rolled for [u8; N] {
    fn roll(dice: &mut Dice) -> Self {
        dice.array()
    }
}

impl<T: Rolled> Rolled for Option<T> {
    fn roll(dice: &mut Dice) -> Self {
        dice.flag().then(|| T::roll(dice))
    }
}

impl<T: Rolled> Rolled for Vec<T> {
    fn roll(dice: &mut Dice) -> Self {
        (0..dice.below(4)).map(|_| T::roll(dice)).collect()
    }
}

impl<A: Rolled, B: Rolled> Rolled for (A, B) {
    fn roll(dice: &mut Dice) -> Self {
        (A::roll(dice), B::roll(dice))
    }
}

rolled! {
    Source { version, policy }
    Actor { party, jti }
    MayAct { sub, client }
    IssuedToken {
        kind, kid, algorithm, expires_at, scope, audience, cause, may_act, acr, amr, auth_time, assertion_issuer,
        machine, session, claims, refresh, id_token,
    }
    RefreshGranted { family, generation, until }
    IdTokenIssued { kid, algorithm, expires_at }
    ExchangePolicy { audiences, resources, impersonation, actors, subject_clients, refresh_token }
    AssertionIssuer { issuer, jwks }
    AboutClient { client_uri, logo_uri, policy_uri, tos_uri }
    ClientMetadata {
        name, redirect_uris, grant_types, authentication, scope, jwks, access_token_alg, access_token_lifetime,
        refresh_token_lifetime, userinfo_from_log, token_exchange, assertion_issuers, id_token_alg, userinfo_alg, default_max_age, require_pushed, resources, post_logout_redirect_uris, backchannel_logout_uri, sector, sector_identifier_uri, native, about,
    }
    LogOpened { place, verifier_key, birth }
    EpochOpened { epoch, shards }
    LogBorn { origin, verifier_key }
    ClientRegistered { metadata }
    ClientUpdated { generation, metadata, secret_replaced }
    ClientDeleted { generation }
    ClientTokensRevoked { generation, reason }
    ClientChangeConfirmed { generation, positions }
    KeyPublished { kid, algorithm, jwk }
    KeyActivated { kid }
    KeyRetired { kid, until }
    KeyRemoved { kid }
    KeyCompromised { kid, reason }
    KeyCompromiseConfirmed { kid, positions }
    AuditQueried { endpoint, query }
    ClientChanged { generation, registry_seq, deleted, revoke_tokens }
    KeyDistrusted { kid, registry_seq }
    NameClaimed { claim }
    NameReleased { claim }
    SubjectProfile { suspended, auditor, password }
    AttributesContinued { piece }
    SubjectErased {}
    ExchangeRefused { token, unrecorded }
    ExchangeVoided { target, reason, until, machine }
    AssertionSpent { assertion, until }
    Ended { target, by, reason, until, machine }
    SubjectTokensRevoked { reason }
    TokenIssued { token, spent }
    SessionStarted { acr, amr, idle, until, spent }
    SessionRenewed { session, acr, amr, spent }
    SessionEnded { session, by, reason, until, grants, notify }
    LoginRefused {}
    LogoutDelivered { session, attempts }
    LogoutAbandoned { session, attempts, reason }
    ConsentGranted { scope }
    ConsentWithdrawn { by, reason, grants }
    CodeIssued {
        session, redirect, scope, audience, challenge, until, claims, acr, amr, auth_time, spent, offline, logout,
        session_until,
    }
    RefreshReplayed { family, generation, issued }
    RefreshRefused { family, generation, unrecorded }
    Event {
        id, occurred_at, recorded_at, origin, seq, prev, subject, client, grant, ancestors, actors, outcome, request,
        command, body, sealed, source,
    }
}

macro_rules! any_of {
    ($enum:ident: $($variant:ident),* $(,)?) => {
        impl $crate::rolled::Rolled for $enum {
            fn roll(dice: &mut $crate::dice::Dice) -> Self {
                const VARIANTS: &[fn(&mut $crate::dice::Dice) -> $enum] =
                    &[$(|dice| $enum::$variant($crate::rolled::Rolled::roll(dice))),*];
                let variant = dice.pick(VARIANTS);
                variant(dice)
            }
        }
    };
}
pub(crate) use any_of;

any_of! { Body:
    LogOpened, EpochOpened, LogBorn, ClientRegistered, ClientUpdated, ClientDeleted, ClientTokensRevoked,
    ClientChangeConfirmed, KeyPublished, KeyActivated, KeyRetired, KeyRemoved, KeyCompromised, KeyCompromiseConfirmed,
    AuditQueried, ClientChanged, KeyDistrusted, NameClaimed, NameReleased, SubjectCreated, SubjectUpdated,
    AttributesContinued, SubjectErased, TokenIssued, TokenDelegated, TokenImpersonated, ExchangeRefused, ExchangeVoided, AssertionSpent,
    TokenRevoked, GrantRevoked, SubjectTokensRevoked, SessionStarted, SessionRenewed, SessionEnded, LoginRefused,
    LogoutDelivered, LogoutAbandoned, ConsentGranted, ConsentWithdrawn, CodeIssued, CodeRedeemed, TokenRefreshed,
    RefreshReplayed, RefreshRefused,
}
