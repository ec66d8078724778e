//! One event of every type, written by hand: what the golden files pin.

use grantlog_events::{
    Body, ClientId, Digest, Event, EventId, Jti, Kid, Outcome, Place, Refusal, RequestId, Scope, Seconds, Subject,
    Timestamp,
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

pub const NOW: Timestamp = Timestamp(1_800_000_000_123);
pub const HOME: Place = Place { epoch: 1, shard: 42 };

pub fn client(name: &str) -> ClientId {
    ClientId::parse(name).unwrap()
}

pub fn kid(name: &str) -> Kid {
    Kid::parse(name).unwrap()
}

pub fn scope(text: &str) -> Scope {
    Scope::parse(text).unwrap()
}

pub fn person() -> Subject {
    Subject::born(1, [7; 16])
}

fn id() -> EventId {
    EventId::new(NOW, [9; 10])
}

pub fn until() -> Timestamp {
    Timestamp(1_800_000_300_000)
}

pub fn verifier_key() -> String {
    "op.example/log/1/42+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k".to_owned()
}

pub fn metadata() -> ClientMetadata {
    ClientMetadata {
        name: Some("Photo printer".to_owned()),
        redirect_uris: vec!["https://printer.example/callback".to_owned()],
        grant_types: vec![GrantType::ClientCredentials, GrantType::TokenExchange],
        authentication: AuthenticationMethod::PrivateKeyJwt,
        scope: scope("openid profile"),
        jwks: Some(r#"{"keys":[]}"#.to_owned()),
        access_token_alg: Algorithm::Es256,
        access_token_lifetime: Some(Seconds(300)),
        refresh_token_lifetime: None,
        userinfo_from_log: true,
        token_exchange: Some(ExchangePolicy {
            audiences: vec!["photos".to_owned()],
            resources: vec!["https://photos.example/v1".to_owned()],
            impersonation: false,
            actors: Admitted::Only(vec![client("printer")]),
            subject_clients: Admitted::Any,
            refresh_token: false,
        }),
        assertion_issuers: vec![AssertionIssuer {
            issuer: "https://idp.example".to_owned(),
            jwks: r#"{"keys":[]}"#.to_owned(),
        }],
        id_token_alg: None,
        userinfo_alg: None,
        default_max_age: None,
        require_pushed: false,
        resources: Vec::new(),
        post_logout_redirect_uris: Vec::new(),
        backchannel_logout_uri: None,
        sector: None,
        sector_identifier_uri: None,
        native: false,
        about: None,
    }
}

/// A client that people let in, with everything that such a client can have.
pub fn relying_party() -> ClientMetadata {
    ClientMetadata {
        grant_types: vec![GrantType::AuthorizationCode, GrantType::RefreshToken],
        id_token_alg: Some(Algorithm::EdDsa),
        userinfo_alg: Some(Algorithm::Es256),
        default_max_age: Some(Seconds(600)),
        require_pushed: true,
        resources: vec!["https://photos.example/v1".to_owned()],
        post_logout_redirect_uris: vec!["https://printer.example/bye".to_owned()],
        backchannel_logout_uri: Some("https://printer.example/logout".to_owned()),
        sector: Some("printer.example".to_owned()),
        sector_identifier_uri: Some("https://printer.example/sector".to_owned()),
        native: true,
        about: Some(AboutClient {
            client_uri: Some("https://printer.example".to_owned()),
            logo_uri: Some("https://printer.example/logo".to_owned()),
            policy_uri: Some("https://printer.example/policy".to_owned()),
            tos_uri: Some("https://printer.example/tos".to_owned()),
        }),
        token_exchange: None,
        assertion_issuers: Vec::new(),
        ..metadata()
    }
}

/// A token as an exchange issues it every day: an audience of 20 characters, three scopes.
pub fn token() -> IssuedToken {
    IssuedToken {
        kind: TokenKind::Access,
        kid: kid("es256-2027-01"),
        algorithm: Algorithm::Es256,
        expires_at: until(),
        scope: scope("openid profile email"),
        audience: vec!["photos-service-eu-01".to_owned()],
        cause: Cause::Exchange,
        may_act: None,
        acr: None,
        amr: Vec::new(),
        auth_time: None,
        assertion_issuer: None,
        machine: None,
        session: None,
        claims: Vec::new(),
        refresh: None,
        id_token: None,
    }
}

/// A token as a code buys it.
fn token_of_person() -> IssuedToken {
    IssuedToken {
        cause: Cause::Code,
        acr: Some("urn:grantlog:acr:password".to_owned()),
        amr: vec!["pwd".to_owned()],
        auth_time: Some(NOW),
        session: Some(68_999),
        claims: vec!["nickname".to_owned()],
        refresh: Some(RefreshGranted { family: 69_000, generation: 1, until: until() }),
        id_token: Some(IdTokenIssued { kid: kid("rs256-1"), algorithm: Algorithm::Rs256, expires_at: until() }),
        ..token()
    }
}

fn code() -> CodeIssued {
    CodeIssued {
        session: 68_999,
        redirect: [7; 16],
        scope: scope("openid profile offline_access"),
        audience: vec!["https://op.example".to_owned()],
        challenge: Some([8; 32]),
        until: until(),
        claims: vec!["nickname".to_owned()],
        acr: "urn:grantlog:acr:password".to_owned(),
        amr: vec!["pwd".to_owned()],
        auth_time: NOW,
        spent: Some(spent()),
        offline: true,
        logout: true,
        session_until: until(),
    }
}

/// A token with everything that a token can have.
fn full_token() -> IssuedToken {
    IssuedToken {
        cause: Cause::Assertion,
        may_act: Some(MayAct { sub: Some(Party::Client(client("printer"))), client: Some(client("printer")) }),
        acr: Some("urn:mace:incommon:iap:silver".to_owned()),
        amr: vec!["pwd".to_owned(), "otp".to_owned()],
        auth_time: Some(Timestamp(1_799_999_990_000)),
        assertion_issuer: Some("https://idp.example".to_owned()),
        machine: Some(client("batch")),
        ..token()
    }
}

fn ended() -> Ended {
    Ended {
        target: 17,
        by: RevokedBy::Operator,
        reason: "lost device".to_owned(),
        until: until(),
        machine: Some(client("batch")),
    }
}

fn profile() -> SubjectProfile {
    SubjectProfile { suspended: false, auditor: true, password: true }
}

fn spent() -> AssertionSpent {
    AssertionSpent { assertion: [4; 16], until: until() }
}

/// One body of every type.
pub fn bodies() -> Vec<Body> {
    let positions = vec![(HOME, 7), (Place { epoch: 1, shard: 43 }, 300)];
    vec![
        Body::LogOpened(LogOpened { place: HOME, verifier_key: verifier_key(), birth: [3; 32] }),
        Body::EpochOpened(EpochOpened { epoch: 1, shards: 64 }),
        Body::LogBorn(LogBorn { origin: HOME.origin("op.example"), verifier_key: verifier_key() }),
        Body::ClientRegistered(ClientRegistered { metadata: metadata() }),
        Body::ClientUpdated(ClientUpdated { generation: 1, metadata: metadata(), secret_replaced: true }),
        Body::ClientDeleted(ClientDeleted { generation: 2 }),
        Body::ClientTokensRevoked(ClientTokensRevoked { generation: 2, reason: "leaked".to_owned() }),
        Body::ClientChangeConfirmed(ClientChangeConfirmed { generation: 2, positions: positions.clone() }),
        Body::KeyPublished(KeyPublished {
            kid: kid("es256-2027-01"),
            algorithm: Algorithm::Es256,
            jwk: r#"{"kty":"EC"}"#.to_owned(),
        }),
        Body::KeyActivated(KeyActivated { kid: kid("es256-2027-01") }),
        Body::KeyRetired(KeyRetired { kid: kid("es256-2027-01"), until: until() }),
        Body::KeyRemoved(KeyRemoved { kid: kid("es256-2027-01") }),
        Body::KeyCompromised(KeyCompromised { kid: kid("es256-2027-01"), reason: "leaked".to_owned() }),
        Body::KeyCompromiseConfirmed(KeyCompromiseConfirmed { kid: kid("es256-2027-01"), positions }),
        Body::AuditQueried(AuditQueried { endpoint: "/audit/events".to_owned(), query: [5; 16] }),
        Body::ClientChanged(ClientChanged { generation: 2, registry_seq: 99, deleted: true, revoke_tokens: true }),
        Body::KeyDistrusted(KeyDistrusted { kid: kid("es256-2027-01"), registry_seq: 100 }),
        Body::NameClaimed(NameClaimed { claim: [6; 16] }),
        Body::NameReleased(NameReleased { claim: [6; 16] }),
        Body::SubjectCreated(profile()),
        Body::SubjectUpdated(SubjectProfile { suspended: true, ..profile() }),
        Body::AttributesContinued(AttributesContinued { piece: 1 }),
        Body::SubjectErased(SubjectErased {}),
        Body::TokenIssued(TokenIssued { token: full_token(), spent: Some(spent()) }),
        Body::TokenDelegated(token()),
        Body::TokenImpersonated(full_token()),
        Body::ExchangeRefused(ExchangeRefused { token: 17, unrecorded: None }),
        Body::ExchangeVoided(ExchangeVoided {
            target: 17,
            reason: Refusal::ActorTokenNotLive,
            until: until(),
            machine: Some(client("batch")),
        }),
        Body::AssertionSpent(spent()),
        Body::TokenRevoked(ended()),
        Body::GrantRevoked(Ended { by: RevokedBy::Client, reason: String::new(), machine: None, ..ended() }),
        Body::SubjectTokensRevoked(SubjectTokensRevoked { reason: "password changed".to_owned() }),
        Body::SessionStarted(SessionStarted {
            acr: "urn:grantlog:acr:password".to_owned(),
            amr: vec!["pwd".to_owned()],
            idle: Seconds(86_400),
            until: until(),
            spent: spent(),
        }),
        Body::SessionRenewed(SessionRenewed {
            session: 68_999,
            acr: "urn:grantlog:acr:password".to_owned(),
            amr: vec!["pwd".to_owned()],
            spent: spent(),
        }),
        Body::SessionEnded(SessionEnded {
            session: 68_999,
            by: RevokedBy::Logout,
            reason: "shared computer".to_owned(),
            until: until(),
            grants: vec![(69_000, until())],
            notify: vec![client("printer")],
        }),
        Body::LoginRefused(LoginRefused {}),
        Body::LogoutDelivered(LogoutDelivered { session: 68_999, attempts: 1 }),
        Body::LogoutAbandoned(LogoutAbandoned { session: 68_999, attempts: 9, reason: "gone".to_owned() }),
        Body::ConsentGranted(ConsentGranted { scope: scope("openid profile") }),
        Body::ConsentWithdrawn(ConsentWithdrawn {
            by: RevokedBy::Person,
            reason: String::new(),
            grants: vec![(69_000, until())],
        }),
        Body::CodeIssued(code()),
        Body::CodeRedeemed(token_of_person()),
        Body::TokenRefreshed(IssuedToken { cause: Cause::Refresh, ..token_of_person() }),
        Body::RefreshReplayed(RefreshReplayed { family: 69_000, generation: 1, issued: 69_002 }),
        Body::RefreshRefused(RefreshRefused { family: 69_000, generation: 1, unrecorded: None }),
    ]
}

/// An event with this body as the log writes most of them.
pub fn event(body: Body) -> Event {
    Event {
        id: id(),
        occurred_at: NOW,
        recorded_at: NOW,
        origin: HOME.origin("op.example"),
        seq: 70_001,
        prev: Digest([2; 32]),
        subject: Some(person()),
        client: Some(client("printer")),
        grant: Some(69_000),
        ancestors: Vec::new(),
        actors: Vec::new(),
        outcome: Outcome::Granted,
        request: Some(RequestId::new(NOW, [8; 10])),
        command: Some([1; 16]),
        body,
        sealed: None,
        source: Some(Source { version: "0.1.0".to_owned(), policy: None }),
    }
}

/// A delegation by one actor, one exchange below the grant.
pub fn exchange() -> Event {
    let actor = Actor { party: Party::Client(client("printer")), jti: Jti::of(HOME.at(69_500), &id()) };
    Event {
        ancestors: vec![69_000],
        actors: vec![actor],
        source: Some(Source { version: "0.1.0".to_owned(), policy: Some([1; 16]) }),
        ..event(Body::TokenDelegated(token()))
    }
}

/// Every event that a golden file pins: one of each type, and the envelope's own variants.
pub fn events() -> Vec<(String, Event)> {
    let mut events: Vec<_> = bodies().into_iter().map(|body| (body.name().to_owned(), event(body))).collect();
    let bare = event(Body::SubjectErased(SubjectErased {}));
    let bare = Event { subject: None, client: None, grant: None, request: None, command: None, source: None, ..bare };
    let sealed = Event { sealed: Some(Bytes(vec![0xaa; 40])), ..event(Body::SubjectCreated(profile())) };
    let refused = Event {
        outcome: Outcome::Refused(Refusal::AncestorRevoked),
        ..event(Body::ExchangeRefused(ExchangeRefused { token: 17, unrecorded: None }))
    };
    let party = event(Body::ClientRegistered(ClientRegistered { metadata: relying_party() }));
    events.push(("client_registered_for_people".to_owned(), party));
    events.push(("envelope_bare".to_owned(), bare));
    events.push(("envelope_sealed".to_owned(), sealed));
    let noisy = event(Body::ExchangeRefused(ExchangeRefused { token: 17, unrecorded: Some(41) }));
    events.push(("exchange_refused_after_noise".to_owned(), noisy));
    events.push(("envelope_refused".to_owned(), refused));
    events.push(("envelope_lineage".to_owned(), exchange()));
    events
}
