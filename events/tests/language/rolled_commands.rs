//! Any command.

use crate::rolled::{any_of, rolled};
use grantlog_events::{
    Command,
    command::{
        ActivateKey, Authentication, AuthorizationRequest, Authorize, Caller, ClaimName, CompromiseKey,
        ConfirmClientChange, ConfirmKeyCompromise, CreateSubject, DeleteClient, EndSession, EraseSubject, Exchange,
        HearClient, HearKey, Inspect, InspectRefresh, Issue, OpenEpoch, OpenLog, Person, PresentedRefresh, PublishKey,
        RecordBirth, RecordQuery, RedeemCode, Refresh, RefuseLogin, RegisterClient, ReleaseName, RemoveKey,
        RevokeClientTokens, RevokeGrant, RevokeIssued, RevokeRefresh, RevokeSubjectTokens, RevokeToken, SettleLogout,
        Signing, Spend, SpendAssertion, UpdateClient, UpdateSubject, VoidExchange, WithdrawConsent,
    },
    token::Presented,
};

rolled! {
    Caller { client, generation }
    Signing { kid, algorithm, lifetime }
    Spend { assertion, until }
    Presented { jti, kind, client, party, kid, expires_at, scope, grant, ancestors, session }
    OpenLog { place, verifier_key, birth }
    OpenEpoch { epoch, shards }
    RecordBirth { origin, verifier_key }
    RegisterClient { client, metadata }
    UpdateClient { client, metadata, secret_replaced, may_widen }
    DeleteClient { client }
    RevokeClientTokens { client, reason }
    ConfirmClientChange { client, generation, positions }
    PublishKey { kid, algorithm, jwk }
    ActivateKey { kid }
    RemoveKey { kid }
    CompromiseKey { kid, reason }
    ConfirmKeyCompromise { kid, positions }
    RecordQuery { caller, subject, endpoint, query }
    HearClient { client, generation, registry_seq, deleted, revoke_tokens }
    HearKey { kid, registry_seq }
    ClaimName { claim, subject }
    ReleaseName { claim }
    CreateSubject { subject, profile, continued }
    UpdateSubject { subject, profile, continued, seen }
    EraseSubject { subject }
    Issue {
        caller, signing, scope, client_scope, audience, subject, spend, assertion_issuer, may_act, acr, amr,
        auth_time,
    }
    Exchange {
        caller, signing, client_scope, policy, scope, audience, resource, default_audience, subject_token,
        actor_token, refresh_token, refresh_lifetime,
    }
    VoidExchange { target, reason }
    Inspect { token }
    SpendAssertion { client, spend }
    RevokeToken { caller, token }
    RevokeIssued { target, by, reason }
    RevokeGrant { target, by, reason }
    RevokeSubjectTokens { subject, reason }
    Authentication { acr, amr, challenge, idle, lifetime }
    AuthorizationRequest {
        caller, scope, client_scope, redirect, challenge, audience, claims, max_age, ask_consent, consents, pushed,
        may_refresh, logout, lifetime, implied,
    }
    Authorize { subject, session, authentication, request }
    RefuseLogin { subject }
    Person { subject, session }
    EndSession { session, by, reason, with_grants, person, subject }
    WithdrawConsent { client, person }
    SettleLogout { subject, session, client, attempts, abandoned }
    RedeemCode { caller, signing, id_token, code, redirect, challenge, refresh }
    PresentedRefresh { family, generation }
    Refresh { caller, signing, id_token, token, scope, client_scope, lifetime, grace }
    InspectRefresh { token }
    RevokeRefresh { caller, token }
}

any_of! { Command:
    OpenLog, OpenEpoch, RecordBirth, RegisterClient, UpdateClient, DeleteClient, RevokeClientTokens,
    ConfirmClientChange, PublishKey, ActivateKey, RemoveKey, CompromiseKey, ConfirmKeyCompromise, RecordQuery,
    HearClient, HearKey, ClaimName, ReleaseName, CreateSubject, UpdateSubject, EraseSubject, Issue, Exchange,
    VoidExchange, Inspect, SpendAssertion, RevokeToken, RevokeIssued, RevokeGrant, RevokeSubjectTokens, Authorize,
    RefuseLogin, EndSession, WithdrawConsent, SettleLogout, RedeemCode, Refresh, InspectRefresh, RevokeRefresh,
}
