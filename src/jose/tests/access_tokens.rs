//! Access tokens that are what they say: signed from an event, read back.

use super::stage::{ISSUER, NOW, Stage, run};
use crate::{
    jose::{VerifyError, access_token, ring},
    pairwise,
    ports::World,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    Body, ClientId, Digest, Event, EventId, Jti, Kid, Outcome, Place, Scope, Subject, Timestamp,
    body::TokenIssued,
    key::Algorithm,
    token::{Actor, Cause, IssuedToken, MayAct, Party, Presented, TokenKind},
};
use serde_json::{Value, json};

const SUBJECT: &str = "1-AAAAAAAAAAAAAAAAAAAAAA";

pub(super) fn client(id: &str) -> ClientId {
    ClientId::parse(id).unwrap()
}

/// An event that issued a person's token, exchanged twice, to the client `app`.
pub(super) fn event(kid: &Kid, algorithm: Algorithm) -> Event {
    let token = IssuedToken {
        kind: TokenKind::Access,
        kid: kid.clone(),
        algorithm,
        expires_at: Timestamp::at_seconds(NOW + 900),
        scope: Scope::parse("openid profile").unwrap(),
        audience: vec![ISSUER.to_owned()],
        cause: Cause::Exchange,
        may_act: Some(MayAct { sub: None, client: Some(client("helper")) }),
        acr: Some("urn:example:gold".to_owned()),
        amr: vec!["pwd".to_owned()],
        auth_time: Some(Timestamp::at_seconds(NOW - 60)),
        assertion_issuer: None,
        machine: None,
        session: Some(2),
        claims: vec!["nickname".to_owned()],
        refresh: None,
        id_token: None,
    };
    let actor = |name: &str, seq| {
        let place = Place { epoch: 1, shard: 5 };
        Actor { party: Party::Client(client(name)), jti: Jti::of(place.at(seq), &EventId([1; 16])) }
    };
    Event {
        id: EventId([9; 16]),
        occurred_at: Timestamp(NOW * 1000 + 250),
        recorded_at: Timestamp(NOW * 1000 + 250),
        origin: Place { epoch: 1, shard: 3 }.origin("id.example"),
        seq: 70,
        prev: Digest::default(),
        subject: Some(Subject::parse(SUBJECT).unwrap()),
        client: Some(client("app")),
        grant: Some(40),
        ancestors: vec![40, 60],
        actors: vec![actor("newest", 8), actor("oldest", 2)],
        outcome: Outcome::Granted,
        request: None,
        command: None,
        body: Body::TokenDelegated(token),
        sealed: None,
        source: None,
    }
}

/// The token of [`event`], signed with the active key.
pub(super) fn token(stage: &Stage, algorithm: Algorithm) -> String {
    let ring = run(ring::ring(stage)).unwrap();
    let event = event(ring.signing(algorithm).unwrap(), algorithm);
    run(access_token::sign(stage, &ring, &event, None)).unwrap()
}

pub(super) fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

#[test]
fn a_token_says_what_its_event_says() {
    let stage = Stage::new();
    assert_eq!(
        claims(&token(&stage, Algorithm::Es256)),
        json!({
            "iss": ISSUER, "sub": SUBJECT, "aud": ISSUER, "exp": NOW + 900, "iat": NOW,
            "jti": "1-3-70-144gj289", "client_id": "app", "scope": "openid profile",
            "auth_time": NOW - 60, "acr": "urn:example:gold", "amr": ["pwd"],
            "act": { "sub": "newest", "act": { "sub": "oldest" } }, "may_act": { "client_id": "helper" },
            "lin": [40, 40, 60], "sid": "1-3-2", "clm": ["nickname"],
        })
    );
}

#[test]
fn what_is_signed_verifies_with_every_algorithm() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        let verified = run(access_token::verify(&stage, &token(&stage, *algorithm))).unwrap();
        let kid = stage.active(*algorithm).kid;
        let event = event(&kid, *algorithm);
        assert_eq!(
            verified.presented,
            Presented {
                jti: event.jti(),
                kind: TokenKind::Access,
                client: client("app"),
                party: Party::Subject(Subject::parse(SUBJECT).unwrap()),
                kid,
                expires_at: Timestamp::at_seconds(NOW + 900),
                scope: Scope::parse("openid profile").unwrap(),
                grant: 40,
                ancestors: vec![40, 60],
                session: Some(2),
            }
        );
        assert_eq!(verified.audience, [ISSUER]);
        assert_eq!(verified.issued_at, NOW);
        assert_eq!(verified.act.unwrap()["act"]["sub"], "oldest");
    }
    assert_eq!(stage.reads.get(), 1);
}

#[test]
fn a_machine_token_names_its_client_and_several_audiences() {
    let stage = Stage::new();
    let ring = run(ring::ring(&stage)).unwrap();
    let mut event = event(ring.signing(Algorithm::EdDsa).unwrap(), Algorithm::EdDsa);
    let mut issued = event.body.issued().unwrap().clone();
    issued.audience = vec!["a".to_owned(), "b".to_owned()];
    (issued.may_act, issued.acr, issued.amr, issued.auth_time) = (None, None, Vec::new(), None);
    (issued.session, issued.claims) = (None, Vec::new());
    event.body = Body::TokenIssued(TokenIssued { token: issued, spent: None });
    (event.subject, event.ancestors, event.actors, event.grant) = (None, Vec::new(), Vec::new(), Some(70));
    let token = run(access_token::sign(&stage, &ring, &event, None)).unwrap();
    assert_eq!(
        claims(&token),
        json!({
            "iss": ISSUER, "sub": "app", "aud": ["a", "b"], "exp": NOW + 900, "iat": NOW, "jti": "1-3-70-144gj289",
            "client_id": "app", "scope": "openid profile", "lin": [70],
        })
    );
    let verified = run(access_token::verify(&stage, &token)).unwrap();
    assert_eq!(verified.presented.party, Party::Client(client("app")));
    assert_eq!(verified.audience, ["a", "b"]);
}

#[test]
fn expiry_is_told_and_not_judged() {
    let stage = Stage::new();
    let token = token(&stage, Algorithm::Es256);
    stage.pass(5000);
    let verified = run(access_token::verify(&stage, &token)).unwrap();
    assert!(!verified.is_expired(Timestamp((NOW + 900) * 1000 - 1)));
    assert!(verified.is_expired(Timestamp::at_seconds(NOW + 900)));
}

#[test]
fn a_key_that_does_not_sign_any_more_signs_nothing() {
    let stage = Stage::new();
    let ring = run(ring::ring(&stage)).unwrap();
    let unknown = Kid::parse("another").unwrap();
    assert!(run(access_token::sign(&stage, &ring, &event(&unknown, Algorithm::Es256), None)).is_err());
}

#[test]
fn an_unreadable_registry_is_no_verdict() {
    let stage = Stage::new();
    let token = token(&stage, Algorithm::Es256);
    stage.pass(31);
    stage.down.set(true);
    assert!(matches!(run(access_token::verify(&stage, &token)), Err(VerifyError::Failure(_))));
}

/// OIDC Core §8.1: whoever the token names, the receiving client's sector knows by a name of its own; we still know.
#[test]
fn a_sectors_token_names_no_person_as_others_know_them() {
    let stage = Stage::new();
    let ring = run(ring::ring(&stage)).unwrap();
    let mut event = event(ring.signing(Algorithm::Es256).unwrap(), Algorithm::Es256);
    let person = |byte| Subject::born(1, [byte; 16]);
    let (actor, deputy) = (person(3), person(5));
    event.actors[1].party = Party::Subject(actor.clone());
    let Body::TokenDelegated(issued) = &mut event.body else { panic!("the event is another") };
    issued.may_act = Some(MayAct { sub: Some(Party::Subject(deputy.clone())), client: None });
    let token = run(access_token::sign(&stage, &ring, &event, Some("a.example"))).unwrap();
    let said = claims(&token);
    for (sub, subject) in [
        (&said["sub"], Subject::parse(SUBJECT).unwrap()),
        (&said["act"]["act"]["sub"], actor),
        (&said["may_act"]["sub"], deputy),
    ] {
        assert!(!said.to_string().contains(subject.as_str()));
        assert_eq!(pairwise::decode(stage.config(), sub.as_str().unwrap()), Some(subject));
    }
    assert_eq!(said["act"]["sub"], "newest", "a client is no person");
    let verified = run(access_token::verify(&stage, &token)).unwrap();
    assert_eq!(verified.presented.party, Party::Subject(Subject::parse(SUBJECT).unwrap()));
    assert!(verified.names_pairwise());
}

#[test]
fn one_pairwise_name_anywhere_in_a_token_is_noticed() {
    let stage = Stage::new();
    let ring = run(ring::ring(&stage)).unwrap();
    let kid = ring.signing(Algorithm::Es256).unwrap();
    let names_pairwise = |change: &dyn Fn(&mut Event)| {
        let mut event = event(kid, Algorithm::Es256);
        let Body::TokenDelegated(issued) = &mut event.body else { panic!("the event is another") };
        (event.subject, issued.machine) = (None, Some(client("machine")));
        change(&mut event);
        let token = run(access_token::sign(&stage, &ring, &event, Some("a.example"))).unwrap();
        run(access_token::verify(&stage, &token)).unwrap().names_pairwise()
    };
    let person = || Party::Subject(Subject::parse(SUBJECT).unwrap());
    assert!(!names_pairwise(&|_| ()));
    assert!(names_pairwise(&|event| event.actors[0].party = person()));
    assert!(names_pairwise(&|event| event.actors[1].party = person()));
    assert!(names_pairwise(&|event| {
        let Body::TokenDelegated(issued) = &mut event.body else { panic!("the event is another") };
        issued.may_act = Some(MayAct { sub: Some(person()), client: None });
    }));
}
