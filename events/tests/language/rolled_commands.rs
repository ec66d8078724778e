//! Any command.

use crate::rolled::{any_of, rolled};
use grantlog_events::{
    Command,
    command::{
        ActivateKey, Caller, ClaimName, CompromiseKey, ConfirmClientChange, ConfirmKeyCompromise, CreateSubject,
        DeleteClient, EraseSubject, Exchange, HearClient, HearKey, Inspect, Issue, OpenEpoch, OpenLog, PublishKey,
        RecordBirth, RecordQuery, RegisterClient, ReleaseName, RemoveKey, RevokeClientTokens, RevokeGrant,
        RevokeIssued, RevokeSubjectTokens, RevokeToken, Signing, Spend, SpendAssertion, UpdateClient, UpdateSubject,
        VoidExchange,
    },
    token::Presented,
};

rolled! {
    Caller { client, generation }
    Signing { kid, algorithm, lifetime }
    Spend { assertion, until }
    Presented { jti, kind, client, party, kid, expires_at, scope, grant, ancestors }
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
        actor_token, refresh_token,
    }
    VoidExchange { target, reason }
    Inspect { token }
    SpendAssertion { client, spend }
    RevokeToken { caller, token }
    RevokeIssued { target, by, reason }
    RevokeGrant { target, by, reason }
    RevokeSubjectTokens { subject, reason }
}

any_of! { Command:
    OpenLog, OpenEpoch, RecordBirth, RegisterClient, UpdateClient, DeleteClient, RevokeClientTokens,
    ConfirmClientChange, PublishKey, ActivateKey, RemoveKey, CompromiseKey, ConfirmKeyCompromise, RecordQuery,
    HearClient, HearKey, ClaimName, ReleaseName, CreateSubject, UpdateSubject, EraseSubject, Issue, Exchange,
    VoidExchange, Inspect, SpendAssertion, RevokeToken, RevokeIssued, RevokeGrant, RevokeSubjectTokens,
}
