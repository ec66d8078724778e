//! A log in memory that runs commands as a shard does: load the little that a command needs, decide, stamp, append,
//! fold. On every command it checks that the whole state would have decided the same, that each event takes its place
//! in the chain and survives its own encoding, and that replaying the log gives the rows that the live run has.

use crate::sample::{client, kid, scope};
use grantlog_events::{
    Command, Decision, Event, Header, Origin, Place, Refusal, RequestId, Seconds, State, Stored, Subject, Timestamp,
    body::SubjectProfile,
    chain::Stamp,
    client::{Admitted, ExchangePolicy},
    command::{Caller, CreateSubject, Exchange, Inspect, Issue, OpenLog, Signing},
    decide,
    decide::Answer,
    key::Algorithm,
    token::{Presented, TokenKind},
};

/// What a command came to.
#[derive(Debug)]
pub struct Result {
    pub answer: Answer,
    pub events: Vec<Event>,
}

pub struct Shard {
    pub now: Timestamp,
    /// The claim that holds the name which the next command is about: the shard's own secret, outside the fold.
    pub name_holder: Option<[u8; 16]>,
    /// Whether the next command's refresh token has the right secret part.
    pub refresh_is_proven: bool,
    place: Place,
    origin: Origin,
    whole: State,
    log: Vec<Vec<u8>>,
    requests: u64,
}

impl Shard {
    /// A log with its genesis.
    pub fn born(place: Place) -> Self {
        let mut shard = Self::unborn(place);
        let genesis = shard.run(OpenLog { place, verifier_key: "log+1".to_owned(), birth: [1; 32] });
        assert_eq!(genesis.answer, Answer::Granted);
        shard
    }

    pub fn unborn(place: Place) -> Self {
        Self {
            now: Timestamp(1_800_000_000_500),
            name_holder: None,
            refresh_is_proven: true,
            place,
            origin: place.origin("op.example"),
            whole: State::default(),
            log: Vec::new(),
            requests: 0,
        }
    }

    /// A subject's home with that subject in it.
    pub fn home() -> (Self, Subject) {
        let (mut shard, subject) = (Self::born(Place { epoch: 1, shard: 3 }), Subject::born(1, [1; 16]));
        shard.create(&subject);
        (shard, subject)
    }

    pub fn create(&mut self, subject: &Subject) {
        let profile = SubjectProfile { suspended: false, auditor: false, password: false };
        self.granted(CreateSubject { subject: subject.clone(), profile, continued: 0 });
    }

    pub fn run(&mut self, command: impl Into<Command>) -> Result {
        let command = command.into();
        self.whole.name_holder = self.name_holder;
        self.whole.refresh_is_proven = self.refresh_is_proven;
        let mut part = load(&self.whole, &command);
        let decision = decide(&part, &command, self.now);
        assert_eq!(decision, decide(&self.whole, &command, self.now), "the loaded part decides otherwise");
        let events = self.append(&command, &decision, &mut part);
        assert_eq!(part.take_changes(), self.whole.take_changes(), "the fold of the loaded part differs");
        self.replay_equals_live();
        // Whoever asks the state itself has the right secret part.
        self.whole.refresh_is_proven = true;
        Result { answer: decision.answer, events }
    }

    fn append(&mut self, command: &Command, decision: &Decision, part: &mut State) -> Vec<Event> {
        self.requests += 1;
        let number = self.requests.to_be_bytes();
        let header = Header {
            request: RequestId::new(self.now, [0; 10]),
            entropy: [0, 0, number[0], number[1], number[2], number[3], number[4], number[5], number[6], number[7]],
            attempt: 0,
        };
        let stamp =
            Stamp { origin: &self.origin, header: &header, command: command.digest(), now: self.now, version: "0.1.0" };
        let drafts = decision.events.iter().cloned();
        let events = (0..).zip(drafts).map(|(ordinal, draft)| {
            let event = stamp.on(draft, &self.whole.head, ordinal);
            let bytes = event.to_bytes();
            assert!(self.whole.head.admits(&event), "the event does not continue the chain");
            assert_eq!(Event::from_bytes(&bytes).as_ref(), Ok(&event), "the event does not survive its encoding");
            part.apply(&event, &bytes);
            self.whole.apply(&event, &bytes);
            self.whole.recall(event.clone());
            self.log.push(bytes);
            event
        });
        events.collect()
    }

    fn replay_equals_live(&self) {
        let mut replayed = State::default();
        for bytes in &self.log {
            let event = Event::from_bytes(bytes).unwrap();
            assert!(replayed.head.admits(&event));
            replayed.apply(&event, bytes);
        }
        assert_eq!(replayed.head, self.whole.head);
        assert!(replayed.rows().eq(self.whole.rows()), "replay gives other rows than the live run");
    }

    /// Runs a command that must be granted with exactly one event.
    pub fn granted(&mut self, command: impl Into<Command>) -> Event {
        let mut result = self.run(command);
        assert_eq!((&result.answer, result.events.len()), (&Answer::Granted, 1));
        result.events.remove(0)
    }

    /// Runs a command that must be refused, and says why.
    pub fn refused(&mut self, command: impl Into<Command>) -> Refusal {
        match self.run(command).answer {
            Answer::Refused(refusal) => refusal,
            other => panic!("not refused but {other:?}"),
        }
    }

    /// Runs a command that must write nothing.
    pub fn writes_nothing(&mut self, command: impl Into<Command>) -> Answer {
        let result = self.run(command);
        assert_eq!(result.events, []);
        result.answer
    }

    /// What became of a token: its own position if it lives.
    pub fn inspect(&mut self, token: &Presented) -> std::result::Result<u64, Refusal> {
        match self.writes_nothing(Inspect { token: token.clone() }) {
            Answer::Stands(seq) => Ok(seq),
            Answer::Refused(refusal) => Err(refusal),
            other => panic!("an inspection answered {other:?}"),
        }
    }

    pub fn lives(&mut self, token: &Presented) -> bool {
        self.inspect(token) == Ok(token.jti.address.seq)
    }

    /// A person's token, as an assertion buys it.
    pub fn login(&mut self, subject: &Subject) -> Presented {
        let event = self.granted(Issue { subject: Some(subject.clone()), ..issue("app") });
        presented(&event)
    }

    /// A client's own token.
    pub fn machine_token(&mut self, client: &str) -> Presented {
        presented(&self.granted(issue(client)))
    }

    /// What `exchange` buys; panics when it buys nothing.
    pub fn exchanged(&mut self, exchange: Exchange) -> Presented {
        presented(&self.granted(exchange))
    }

    pub fn state(&self) -> &State {
        &self.whole
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn log(&self) -> impl Iterator<Item = &Event> {
        (0..self.whole.head.next).filter_map(|seq| self.whole.event(seq))
    }

    pub fn pass(&mut self, seconds: u64) {
        self.now = self.now.after(Seconds(seconds));
    }
}

/// The part of a state that a command needs, as a shard loads it.
pub fn load(whole: &State, command: &Command) -> State {
    let mut needs = command.needs();
    let mut part = State::default();
    part.head = whole.head;
    part.name_holder = whole.name_holder;
    part.refresh_is_proven = whole.refresh_is_proven;
    for event in needs.events.iter().filter_map(|seq| whole.event(*seq)) {
        let more = command.needs_about(event);
        needs.rows.extend(more.rows);
        needs.prefixes.extend(more.prefixes);
        part.recall(event.clone());
    }
    for (key, row) in whole.rows() {
        if needs.rows.contains(key) || needs.prefixes.iter().any(|prefix| key.as_str().starts_with(prefix)) {
            part.restore(key.clone(), row.clone());
        }
    }
    part
}

/// What the edge reads in the token that this event issued.
pub fn presented(event: &Event) -> Presented {
    let issued = event.body.issued().expect("the event issued a token");
    Presented {
        jti: event.jti(),
        kind: TokenKind::Access,
        client: event.client.clone().unwrap(),
        party: event.party().unwrap(),
        kid: issued.kid.clone(),
        expires_at: issued.expires_at,
        scope: issued.scope.clone(),
        grant: event.grant.unwrap(),
        ancestors: event.ancestors.clone(),
        session: issued.session,
    }
}

pub fn caller(name: &str) -> Caller {
    Caller { client: client(name), generation: 0 }
}

pub fn signing(lifetime: u64) -> Signing {
    Signing { kid: kid("k1"), algorithm: Algorithm::Es256, lifetime: Seconds(lifetime) }
}

/// Client credentials of `name`, all scope, 600 seconds.
pub fn issue(name: &str) -> Issue {
    Issue {
        caller: caller(name),
        signing: signing(600),
        scope: None,
        client_scope: scope("openid profile email"),
        audience: vec!["https://op.example".to_owned()],
        subject: None,
        spend: None,
        assertion_issuer: None,
        may_act: None,
        acr: None,
        amr: Vec::new(),
        auth_time: None,
    }
}

/// A policy that admits what the tests ask for.
pub fn open_policy() -> ExchangePolicy {
    ExchangePolicy {
        audiences: (0..20).map(|n| format!("aud-{n}")).collect(),
        resources: (0..20).map(|n| format!("https://rs.example/{n}")).collect(),
        impersonation: true,
        actors: Admitted::Any,
        subject_clients: Admitted::Any,
        refresh_token: false,
    }
}

/// The exchange of `token` by the client `svc`, without an actor.
pub fn exchange(token: &Presented) -> Exchange {
    Exchange {
        caller: caller("svc"),
        signing: signing(600),
        client_scope: scope("openid profile email"),
        policy: Some(open_policy()),
        scope: None,
        audience: vec!["aud-0".to_owned()],
        resource: Vec::new(),
        default_audience: "https://op.example".to_owned(),
        subject_token: token.clone(),
        actor_token: None,
        refresh_token: false,
        refresh_lifetime: None,
    }
}

/// The same, with an actor.
pub fn delegate(token: &Presented, actor: &Presented) -> Exchange {
    Exchange { actor_token: Some(actor.clone()), ..exchange(token) }
}
