//! What edge and shard say to each other, pinned byte by byte: during a deployment old and new code talk.
//!
//! `GOLDEN_UPDATE=1` rewrites `golden/wire.txt`; a changed line of a form that is in use breaks a deployment.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use super::{
    AccountReading, ApplicationReading, Ask, ComparedView, Private, ProfileReading, Query, Reply, RingEntry,
    RingReading, Run, SecretWrite, SessionReading,
};
use grantlog_events::{
    ClientId, Digest, Event, EventId, Header, Jti, Kid, Outcome, Place, Refusal, RequestId, Scope, Stored, Subject,
    Timestamp,
    body::{Body, SubjectErased},
    client::{AuthenticationMethod, ClientMetadata, GrantType},
    command::{EraseSubject, Person},
    key::{Algorithm, KeyStatus, SigningKey},
    state::Standing,
    stored::Bytes,
    token::{Party, Presented, TokenKind},
};
use grantlog_projections::{client::ClientView, user::UserView};
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

const NOW: Timestamp = Timestamp(1_800_000_000_123);
const HOME: Place = Place { epoch: 1, shard: 42 };

fn subject() -> Subject {
    Subject::born(1, [7; 16])
}

fn client() -> ClientId {
    ClientId::parse("printer").unwrap()
}

fn kid() -> Kid {
    Kid::parse("es256-1").unwrap()
}

fn event() -> Event {
    Event {
        id: EventId::new(NOW, [9; 10]),
        occurred_at: NOW,
        recorded_at: NOW,
        origin: HOME.origin("op.example"),
        seq: 5,
        prev: Digest([2; 32]),
        subject: Some(subject()),
        client: None,
        grant: None,
        ancestors: Vec::new(),
        actors: Vec::new(),
        outcome: Outcome::Granted,
        request: None,
        command: None,
        body: Body::SubjectErased(SubjectErased {}),
        sealed: None,
        source: None,
    }
}

fn metadata() -> ClientMetadata {
    ClientMetadata {
        name: Some("Printer".to_owned()),
        redirect_uris: Vec::new(),
        grant_types: vec![GrantType::ClientCredentials],
        authentication: AuthenticationMethod::SecretBasic,
        scope: Scope::parse("read").unwrap(),
        jwks: None,
        access_token_alg: Algorithm::Es256,
        access_token_lifetime: None,
        refresh_token_lifetime: None,
        userinfo_from_log: false,
        token_exchange: None,
        assertion_issuers: Vec::new(),
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

fn client_view() -> ClientView {
    ClientView {
        client: client(),
        generation: 2,
        deleted: false,
        metadata: metadata(),
        secret: Some([3; 32]),
        registration_token: Some([4; 32]),
        dead_through: vec![(HOME, 7)],
        seq: 9,
        registered_at: NOW,
    }
}

fn user_view() -> UserView {
    UserView {
        seq: 9,
        standing: Standing::Active,
        dead_through: Some(4),
        revoked: Bytes(vec![5, 1]),
        claims: vec![("email".to_owned(), r#""email":"a@example.org""#.to_owned())],
    }
}

fn presented() -> Presented {
    Presented {
        jti: Jti::of(HOME.at(17), &EventId::new(NOW, [9; 10])),
        kind: TokenKind::Access,
        client: client(),
        party: Party::Subject(subject()),
        kid: kid(),
        expires_at: NOW,
        scope: Scope::parse("openid").unwrap(),
        grant: 3,
        ancestors: vec![3],
        session: Some(2),
    }
}

fn run() -> Run {
    Run {
        header: Header { request: RequestId([1; 16]), entropy: [2; 10], attempt: 1 },
        command: EraseSubject { subject: subject() }.into(),
        private: Some(Private {
            secrets: vec![SecretWrite { name: "half".to_owned(), value: None }],
            personal: Some(Bytes(vec![6; 4])),
            name: Some([7; 32]),
            refresh: Some([8; 32]),
        }),
    }
}

/// One of each; a new variant does not compile until it has its place here and its sample below.
fn name_of_ask(ask: &Ask) -> &'static str {
    match ask {
        Ask::Run(_) => "ask run",
        Ask::LookAfter => "ask look_after",
        Ask::Read(query) => match query {
            Query::Events(..) => "ask events",
            Query::Profile(_) => "ask profile",
            Query::NameHolder(_) => "ask name_holder",
            Query::Client(_) => "ask client",
            Query::Ring => "ask ring",
            Query::Password(_) => "ask password",
            Query::ProfileOfBearer(_) => "ask profile_of_bearer",
            Query::Compare => "ask compare",
            Query::Account(_) => "ask account",
        },
    }
}

fn asks() -> Vec<Ask> {
    let read = |query| Ask::Read(query);
    vec![
        Ask::Run(Box::new(run())),
        Ask::LookAfter,
        read(Query::Events(5, 100)),
        read(Query::Profile(subject())),
        read(Query::NameHolder([9; 32])),
        read(Query::Client(client())),
        read(Query::Ring),
        read(Query::Password(subject())),
        read(Query::ProfileOfBearer(presented())),
        read(Query::Compare),
        read(Query::Account(Person { subject: subject(), session: 17 })),
    ]
}

fn name_of_reply(reply: &Reply) -> &'static str {
    match reply {
        Reply::Granted(_) => "reply granted",
        Reply::Refused(_) => "reply refused",
        Reply::Unconfirmed(_) => "reply unconfirmed",
        Reply::Events(_) => "reply events",
        Reply::Profile(_) => "reply profile",
        Reply::NameHolder(_) => "reply name_holder",
        Reply::Client(_) => "reply client",
        Reply::Ring(_) => "reply ring",
        Reply::Secret(_) => "reply secret",
        Reply::Compared(_) => "reply compared",
        Reply::Bearing(..) => "reply bearing",
        Reply::Account(_) => "reply account",
    }
}

fn replies() -> Vec<Reply> {
    let profile = ProfileReading {
        standing: Standing::Active,
        auditor: true,
        attributes: Bytes(b"{}".to_vec()),
        created_at: NOW,
        changed_at: NOW,
        changed: 5,
    };
    let key = SigningKey {
        algorithm: Algorithm::Es256,
        jwk: "{}".to_owned(),
        status: KeyStatus::Active,
        published_at: NOW,
        activated_at: Some(NOW),
        until: None,
        confirmed: true,
    };
    let view = ComparedView { view: "users".to_owned(), rows: 3, shadow: Digest([1; 32]), live: Digest([1; 32]) };
    let session = SessionReading { session: 17, started: NOW, last_used: NOW, until: NOW };
    let application = ApplicationReading { client: client(), scope: Scope::parse("openid").unwrap(), since: NOW };
    vec![
        Reply::Granted(vec![event()]),
        Reply::Refused(Refusal::TokenExpired),
        Reply::Unconfirmed(vec![event()]),
        Reply::Events(vec![Bytes(vec![1, 2])]),
        Reply::Profile(Some(profile)),
        Reply::NameHolder(Some((subject(), [6; 16]))),
        Reply::Client(Some(client_view())),
        Reply::Ring(RingReading {
            keys: vec![RingEntry { kid: kid(), key, wrapped: Some(Bytes(vec![1])) }],
            epochs: vec![(1, 64)],
        }),
        Reply::Secret(Some(Bytes(vec![1]))),
        Reply::Compared(vec![view]),
        Reply::Bearing(vec![event()], [3; 32]),
        Reply::Account(AccountReading { sessions: vec![session], applications: vec![application] }),
    ]
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn every_form_on_the_wire_and_in_kv_is_as_pinned_and_read_back() {
    let mut forms: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for ask in asks() {
        let bytes = ask.to_bytes();
        assert_eq!(Ask::from_bytes(&bytes), Ok(ask.clone()));
        assert_eq!(forms.insert(name_of_ask(&ask), bytes), None, "two samples of one kind");
    }
    for reply in replies() {
        let bytes = reply.to_bytes();
        assert_eq!(Reply::from_bytes(&bytes), Ok(reply.clone()));
        assert_eq!(forms.insert(name_of_reply(&reply), bytes), None, "two samples of one kind");
    }
    assert_eq!(ClientView::from_bytes(&client_view().to_bytes()), Ok(client_view()));
    assert_eq!(UserView::from_bytes(&user_view().to_bytes()), Ok(user_view()));
    forms.insert("kv client", client_view().to_bytes());
    forms.insert("kv user", user_view().to_bytes());
    let text = forms.iter().fold(String::new(), |text, (name, bytes)| format!("{text}{name}: {}\n", hex(bytes)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shard/golden/wire.txt");
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let pinned = fs::read_to_string(path).unwrap_or_default();
    for (pinned, now) in pinned.lines().zip(text.lines()) {
        assert_eq!(pinned, now, "GOLDEN_UPDATE=1 rewrites it");
    }
    assert_eq!(pinned.lines().count(), text.lines().count());
}
