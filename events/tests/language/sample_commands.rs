//! One command of every kind, written by hand: their canonical form is what a retry is recognised by.

use crate::sample::{HOME, NOW, client, kid, metadata, person, scope};
use grantlog_events::{
    Command, EventId, Jti, Refusal, Seconds,
    body::{RevokedBy, SubjectProfile},
    command::{
        ActivateKey, Authentication, AuthorizationRequest, Authorize, Caller, ClaimName, CompromiseKey,
        ConfirmClientChange, ConfirmKeyCompromise, CreateSubject, DeleteClient, EndSession, EraseSubject, Exchange,
        HearClient, HearKey, Inspect, InspectRefresh, Issue, OpenEpoch, OpenLog, Person, PresentedRefresh, PublishKey,
        RecordBirth, RecordQuery, RedeemCode, Refresh, RefuseLogin, RegisterClient, ReleaseName, RemoveKey,
        RevokeClientTokens, RevokeGrant, RevokeIssued, RevokeRefresh, RevokeSubjectTokens, RevokeToken, SettleLogout,
        Signing, Spend, SpendAssertion, UpdateClient, UpdateSubject, VoidExchange, WithdrawConsent,
    },
    key::Algorithm,
    token::{MayAct, Party, Presented, TokenKind},
};

fn caller() -> Caller {
    Caller { client: client("printer"), generation: 2 }
}

fn signing() -> Signing {
    Signing { kid: kid("es256-1"), algorithm: Algorithm::Es256, lifetime: Seconds(300) }
}

fn token(party: Party) -> Presented {
    Presented {
        jti: Jti::of(HOME.at(17), &EventId::new(NOW, [9; 10])),
        kind: TokenKind::Access,
        client: client("app"),
        party,
        kid: kid("es256-1"),
        expires_at: NOW,
        scope: scope("openid"),
        grant: 3,
        ancestors: vec![3, 9],
        session: None,
    }
}

fn spend() -> Spend {
    Spend { assertion: [4; 16], until: NOW }
}

/// The name of each golden file, and its command.
pub fn all() -> Vec<(&'static str, Command)> {
    commands().into_iter().chain(commands_of_people()).collect()
}

/// What machines, operators and the registry do.
fn commands() -> Vec<(&'static str, Command)> {
    let profile = SubjectProfile { suspended: false, auditor: false, password: true };
    let (kid, jwk) = (kid("es256-1"), r#"{"kty":"EC"}"#.to_owned());
    let (client, subject, reason) = (client("printer"), person(), "leaked".to_owned());
    let (verifier_key, origin) = ("op.example+530d903a+AekyeRrm".to_owned(), HOME.origin("op.example"));
    let positions = vec![(HOME, 7)];
    let token = token(Party::Subject(subject.clone()));
    vec![
        ("open_log", OpenLog { place: HOME, verifier_key: verifier_key.clone(), birth: [3; 32] }.into()),
        ("open_epoch", OpenEpoch { epoch: 1, shards: 64 }.into()),
        ("record_birth", RecordBirth { origin, verifier_key }.into()),
        ("register_client", RegisterClient { client: client.clone(), metadata: metadata() }.into()),
        (
            "update_client",
            UpdateClient { client: client.clone(), metadata: metadata(), secret_replaced: true, may_widen: false }
                .into(),
        ),
        ("delete_client", DeleteClient { client: client.clone() }.into()),
        ("revoke_client_tokens", RevokeClientTokens { client: client.clone(), reason: reason.clone() }.into()),
        (
            "confirm_client_change",
            ConfirmClientChange { client: client.clone(), generation: 2, positions: positions.clone() }.into(),
        ),
        ("publish_key", PublishKey { kid: kid.clone(), algorithm: Algorithm::Es256, jwk }.into()),
        ("activate_key", ActivateKey { kid: kid.clone() }.into()),
        ("remove_key", RemoveKey { kid: kid.clone() }.into()),
        ("compromise_key", CompromiseKey { kid: kid.clone(), reason: reason.clone() }.into()),
        ("confirm_key_compromise", ConfirmKeyCompromise { kid: kid.clone(), positions }.into()),
        (
            "record_query",
            RecordQuery {
                caller: client.clone(),
                subject: Some(subject.clone()),
                endpoint: "/audit/events".to_owned(),
                query: [5; 16],
            }
            .into(),
        ),
        (
            "hear_client",
            HearClient { client: client.clone(), generation: 2, registry_seq: 99, deleted: false, revoke_tokens: true }
                .into(),
        ),
        ("hear_key", HearKey { kid, registry_seq: 100 }.into()),
        ("claim_name", ClaimName { claim: [6; 16], subject: subject.clone() }.into()),
        ("release_name", ReleaseName { claim: [6; 16] }.into()),
        ("create_subject", CreateSubject { subject: subject.clone(), profile: profile.clone(), continued: 0 }.into()),
        ("update_subject", UpdateSubject { subject: subject.clone(), profile, continued: 1, seen: Some(5) }.into()),
        ("erase_subject", EraseSubject { subject: subject.clone() }.into()),
        ("issue", issue().into()),
        ("exchange", exchange(token.clone()).into()),
        ("void_exchange", VoidExchange { target: 17, reason: Refusal::ActorTokenNotLive }.into()),
        ("inspect", Inspect { token: token.clone() }.into()),
        ("spend_assertion", SpendAssertion { client, spend: spend() }.into()),
        ("revoke_token", RevokeToken { caller: caller(), token }.into()),
        ("revoke_issued", RevokeIssued { target: 17, by: RevokedBy::Operator, reason: reason.clone() }.into()),
        ("revoke_grant", RevokeGrant { target: 3, by: RevokedBy::Operator, reason: reason.clone() }.into()),
        ("revoke_subject_tokens", RevokeSubjectTokens { subject, reason }.into()),
    ]
}

/// The same of what people do.
fn commands_of_people() -> Vec<(&'static str, Command)> {
    let (subject, client) = (person(), client("printer"));
    let me = Person { subject: subject.clone(), session: 17 };
    let id_token = Some(Signing { kid: kid("rs256-1"), algorithm: Algorithm::Rs256, lifetime: Seconds(300) });
    let presented = PresentedRefresh { family: 18, generation: 2 };
    let code = Jti::of(HOME.at(18), &EventId::new(NOW, [9; 10]));
    vec![
        (
            "authorize",
            Authorize {
                subject: subject.clone(),
                session: Some(17),
                authentication: Some(Authentication {
                    acr: "urn:grantlog:acr:password".to_owned(),
                    amr: vec!["pwd".to_owned()],
                    challenge: spend(),
                    idle: Seconds(86_400),
                    lifetime: Seconds(1_209_600),
                }),
                request: Some(request()),
            }
            .into(),
        ),
        ("refuse_login", RefuseLogin { subject: subject.clone() }.into()),
        (
            "end_session",
            EndSession {
                session: 17,
                by: RevokedBy::Person,
                reason: "shared computer".to_owned(),
                with_grants: true,
                person: Some(me.clone()),
                subject: Some(subject.clone()),
            }
            .into(),
        ),
        ("withdraw_consent", WithdrawConsent { client: client.clone(), person: me }.into()),
        (
            "settle_logout",
            SettleLogout { subject, session: 17, client, attempts: 2, abandoned: Some("gone".to_owned()) }.into(),
        ),
        (
            "redeem_code",
            RedeemCode {
                caller: caller(),
                signing: signing(),
                id_token: id_token.clone(),
                code,
                redirect: [7; 16],
                challenge: Some([8; 32]),
                refresh: Some(Seconds(2_592_000)),
            }
            .into(),
        ),
        (
            "refresh",
            Refresh {
                caller: caller(),
                signing: signing(),
                id_token,
                token: presented.clone(),
                scope: Some(scope("openid")),
                client_scope: scope("openid profile"),
                lifetime: Seconds(2_592_000),
                grace: Seconds(30),
            }
            .into(),
        ),
        ("inspect_refresh", InspectRefresh { token: presented.clone() }.into()),
        ("revoke_refresh", RevokeRefresh { caller: caller(), token: presented }.into()),
    ]
}

fn request() -> AuthorizationRequest {
    AuthorizationRequest {
        caller: caller(),
        scope: scope("openid profile offline_access"),
        client_scope: scope("openid profile offline_access"),
        redirect: [7; 16],
        challenge: Some([8; 32]),
        audience: vec!["https://op.example".to_owned()],
        claims: vec!["nickname".to_owned()],
        max_age: Some(Seconds(600)),
        ask_consent: true,
        consents: true,
        pushed: Some(spend()),
        may_refresh: true,
        logout: true,
        lifetime: Seconds(60),
        implied: scope("email"),
    }
}

fn issue() -> Issue {
    Issue {
        caller: caller(),
        signing: signing(),
        scope: Some(scope("openid")),
        client_scope: scope("openid profile"),
        audience: vec!["https://op.example".to_owned()],
        subject: Some(person()),
        spend: Some(spend()),
        assertion_issuer: Some("https://idp.example".to_owned()),
        may_act: Some(MayAct { sub: None, client: Some(client("printer")) }),
        acr: Some("silver".to_owned()),
        amr: vec!["pwd".to_owned()],
        auth_time: Some(NOW),
    }
}

fn exchange(subject_token: Presented) -> Exchange {
    Exchange {
        caller: caller(),
        signing: signing(),
        client_scope: scope("openid profile"),
        policy: metadata().token_exchange,
        scope: None,
        audience: vec!["photos".to_owned()],
        resource: vec!["https://photos.example/v1".to_owned()],
        default_audience: "https://op.example".to_owned(),
        actor_token: Some(Presented { ancestors: Vec::new(), ..token(Party::Client(client("printer"))) }),
        subject_token,
        refresh_token: false,
        refresh_lifetime: None,
    }
}
