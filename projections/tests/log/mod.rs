//! A log in memory that commands are played against, as a shard does it: decide, stamp, fold.
#![allow(dead_code, missing_docs, reason = "each test file uses a part of it")]

pub mod people;

use grantlog_events::{
    ClientId, Command, Digest, Draft, Event, Header, Jti, Kid, Origin, Place, RequestId, Scope, Seconds, State, Stored,
    Subject, Timestamp,
    body::{RevokedBy, SubjectProfile},
    chain::Stamp,
    client::{Admitted, ExchangePolicy},
    command::{
        Caller, CreateSubject, Exchange, Issue, OpenLog, RevokeGrant, RevokeIssued, RevokeSubjectTokens, Signing,
        UpdateSubject, VoidExchange,
    },
    decide::{Answer, decide},
    key::Algorithm,
    token::Presented,
};
use grantlog_projections::token_history::presented;

pub const HOST: &str = "op.example";
/// 2024-05-01T10:00:00Z.
pub const START: u64 = 1_714_557_600_000;

#[derive(Clone)]
pub struct Log {
    pub origin: Origin,
    pub state: State,
    pub events: Vec<(Event, Vec<u8>)>,
    pub now: Timestamp,
    requests: u64,
}

impl Log {
    /// A log with its genesis.
    pub fn open(place: Place) -> Self {
        let origin = place.origin(HOST);
        let mut log = Self { origin, state: State::default(), events: Vec::new(), now: Timestamp(START), requests: 0 };
        // The secret part of a refresh token is none of the log's business.
        log.state.refresh_is_proven = true;
        log.grant(OpenLog { place, verifier_key: format!("{HOST}+00000000+key"), birth: [7; 32] });
        log
    }

    pub fn later(&mut self, seconds: u64) -> &mut Self {
        self.now = self.now.after(Seconds(seconds));
        self
    }

    /// Runs a command that must be granted; the position of its event.
    pub fn grant(&mut self, command: impl Into<Command>) -> u64 {
        let command = command.into();
        match self.run(&command) {
            Answer::Granted => self.state.head.next - 1,
            Answer::Stands(seq) => seq,
            other => panic!("{command:?}: {other:?}"),
        }
    }

    pub fn run(&mut self, command: &Command) -> Answer {
        for (event, _) in &self.events {
            if command.needs().events.contains(&event.seq) {
                self.state.recall(event.clone());
            }
        }
        let decision = decide(&self.state, command, self.now);
        self.requests += 1;
        for (ordinal, draft) in decision.events.into_iter().enumerate() {
            self.append_as(draft, command.digest(), u8::try_from(ordinal).unwrap());
        }
        decision.answer
    }

    /// Appends what no decision led to.
    pub fn forge(&mut self, draft: Draft) -> u64 {
        self.requests += 1;
        self.append_as(draft, [0; 16], 0)
    }

    fn append_as(&mut self, draft: Draft, command: [u8; 16], ordinal: u8) -> u64 {
        let place = self.origin.place();
        let seed = Digest::of(&(place, self.requests).to_bytes()).half();
        let mut entropy = [0; 10];
        entropy.copy_from_slice(&seed[..10]);
        let header = Header { request: RequestId::new(self.now, entropy), entropy, attempt: 0 };
        let stamp = Stamp { origin: &self.origin, header: &header, command, now: self.now, version: "test" };
        let event = stamp.on(draft, &self.state.head, ordinal.into());
        self.append(event)
    }

    /// Puts an event at the end as it stands.
    pub fn append(&mut self, event: Event) -> u64 {
        let (seq, bytes) = (event.seq, event.to_bytes());
        self.state.apply(&event, &bytes);
        self.events.push((event, bytes));
        seq
    }

    pub fn event(&self, seq: u64) -> &Event {
        &self.events[usize::try_from(seq).unwrap()].0
    }

    pub fn jti(&self, seq: u64) -> Jti {
        self.event(seq).jti()
    }

    pub fn token(&self, seq: u64) -> Presented {
        presented(self.event(seq)).unwrap()
    }

    pub fn person(&mut self, name: u8) -> Subject {
        let subject = Subject::born(self.origin.place().epoch, [name; 16]);
        self.grant(CreateSubject { subject: subject.clone(), profile: profile(false), continued: 0 });
        subject
    }

    pub fn suspend(&mut self, subject: &Subject, suspended: bool) -> u64 {
        self.grant(UpdateSubject { subject: subject.clone(), profile: profile(suspended), continued: 0, seen: None })
    }

    pub fn issue(&mut self, subject: Option<&Subject>, scope: &str) -> u64 {
        self.grant(issue(subject, scope))
    }

    pub fn exchange(&mut self, parent: u64, actor: Option<u64>) -> u64 {
        let command = self.exchange_of(parent, actor);
        self.grant(command)
    }

    pub fn exchange_of(&self, parent: u64, actor: Option<u64>) -> Exchange {
        Exchange {
            caller: caller(if actor.is_some() { "delegate" } else { "gateway" }),
            signing: signing(),
            client_scope: scope("openid profile email"),
            policy: Some(policy()),
            scope: None,
            audience: vec!["https://api.example".to_owned()],
            resource: Vec::new(),
            default_audience: "https://op.example".to_owned(),
            subject_token: self.token(parent),
            actor_token: actor.map(|seq| self.token(seq)),
            refresh_token: false,
            refresh_lifetime: None,
        }
    }

    pub fn revoke(&mut self, target: u64, reason: &str) -> u64 {
        self.grant(RevokeIssued { target, by: RevokedBy::Operator, reason: reason.to_owned() })
    }

    pub fn revoke_grant(&mut self, target: u64) -> u64 {
        self.grant(RevokeGrant { target, by: RevokedBy::Operator, reason: String::new() })
    }

    pub fn revoke_subject(&mut self, subject: &Subject) -> u64 {
        self.grant(RevokeSubjectTokens { subject: subject.clone(), reason: "left".to_owned() })
    }

    pub fn void(&mut self, target: u64) -> u64 {
        let reason = grantlog_events::Refusal::ActorTokenNotLive;
        self.grant(VoidExchange { target, reason })
    }
}

pub fn issue(subject: Option<&Subject>, text: &str) -> Issue {
    Issue {
        caller: caller("app"),
        signing: signing(),
        scope: None,
        client_scope: scope(text),
        audience: vec!["https://op.example".to_owned()],
        subject: subject.cloned(),
        spend: None,
        assertion_issuer: None,
        may_act: None,
        acr: None,
        amr: Vec::new(),
        auth_time: None,
    }
}

pub fn client(name: &str) -> ClientId {
    ClientId::parse(name).unwrap()
}

pub fn scope(text: &str) -> Scope {
    Scope::parse(text).unwrap()
}

pub fn kid() -> Kid {
    Kid::parse("k1").unwrap()
}

fn caller(name: &str) -> Caller {
    Caller { client: client(name), generation: 0 }
}

fn signing() -> Signing {
    Signing { kid: kid(), algorithm: Algorithm::Es256, lifetime: Seconds(900) }
}

fn profile(suspended: bool) -> SubjectProfile {
    SubjectProfile { suspended, auditor: false, password: false }
}

fn policy() -> ExchangePolicy {
    ExchangePolicy {
        audiences: vec!["https://api.example".to_owned()],
        resources: Vec::new(),
        impersonation: true,
        actors: Admitted::Any,
        subject_clients: Admitted::Any,
        refresh_token: false,
    }
}
