//! One exchange on a log in memory, taken apart: what travels, what is read, what is decided and written.

use crate::Failure;
use grantlog::{
    memory::{Faults, MemoryStore},
    shard::{Ask, Beside, Reply, Run, Shard, Store},
};
use grantlog_events::{
    ClientId, Command, Digest, Draft, Event, EventId, Header, Kid, Place, RequestId, Scope, Seconds, State, Stored,
    Timestamp,
    cbor::Value,
    chain::Stamp,
    client::{Admitted, ExchangePolicy},
    command::{Caller, Exchange, Issue, OpenLog, Signing},
    decide,
    key::Algorithm,
    state::Row,
    token::{Presented, TokenKind},
};
use grantlog_projections::read_model::changes;
use std::{hint::black_box, rc::Rc};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// A part's name and what to repeat.
type Part<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// An exchange about to be asked for, and everything it came to.
pub(super) struct Exchanged {
    shard: Shard<MemoryStore>,
    run: Run,
    policy: ExchangePolicy,
    ask: Vec<u8>,
    state: State,
    drafts: Vec<Draft>,
    event: Event,
    event_bytes: Vec<u8>,
    reply: Vec<u8>,
}

impl Exchanged {
    pub(super) fn prepare() -> Result<Self, Failure> {
        let place = Place { epoch: 1, shard: 3 };
        let shard = Shard::new(place.origin("op.example"), MemoryStore::new(Rc::new(Faults::default())));
        granted(&shard, OpenLog { place, verifier_key: "log+1".to_owned(), birth: [1; 32] }.into())?;
        let parent = granted(&shard, issue()?.into())?;
        let exchange = exchange(presented(&parent)?)?;
        let policy = exchange.policy.clone().ok_or("no policy")?;
        let run = run_of(exchange.into());
        let state = load(&shard, &run.command)?;
        let drafts = decide(&state, &run.command, NOW).events;
        let event = granted(&shard, run.command.clone())?;
        let ask = Ask::Run(Box::new(run.clone())).to_bytes();
        let (event_bytes, reply) = (event.to_bytes(), Reply::Granted(vec![event.clone()]).to_bytes());
        Ok(Self { shard, run, policy, ask, state, drafts, event, event_bytes, reply })
    }

    pub(super) fn ask_length(&self) -> usize {
        self.ask.len()
    }

    pub(super) fn event_length(&self) -> usize {
        self.event_bytes.len()
    }

    pub(super) fn parts(&self) -> Vec<Part<'_>> {
        let ask = Ask::Run(Box::new(self.run.clone()));
        let reply = Reply::Granted(vec![self.event.clone()]);
        vec![
            part("encode the ask", move || black_box(&ask).to_bytes()),
            part("decode the ask", || Value::decode(black_box(&self.ask)).and_then(Ask::load)),
            part("read an event, checking its bytes", || Event::from_bytes(black_box(&self.event_bytes))),
            part("read an event, trusting its bytes", || {
                Value::decode(black_box(&self.event_bytes)).and_then(Event::load)
            }),
            part("digest an event", || Digest::of(black_box(&self.event_bytes))),
            part("load the state", || load(&self.shard, black_box(&self.run.command))),
            part("decide", || decide(&self.state, black_box(&self.run.command), NOW)),
            part("  of it: digest the policy", || Digest::of(&black_box(&self.policy).to_bytes())),
            part("digest the command", || black_box(&self.run.command).digest()),
            part("stamp and encode the event", || self.stamped()),
            part("ask the read model whether it shows it", || changes(black_box(&self.event))),
            part("the whole turn in memory", || self.shard.run(black_box(&self.run), Beside::default(), NOW)),
            part("encode the reply", move || black_box(&reply).to_bytes()),
            part("decode the reply", || Value::decode(black_box(&self.reply)).and_then(Reply::load)),
        ]
    }

    fn stamped(&self) -> Option<Vec<u8>> {
        let stamp = Stamp {
            origin: self.shard.origin(),
            header: &self.run.header,
            command: [0; 16],
            now: NOW,
            version: env!("CARGO_PKG_VERSION"),
        };
        let draft = self.drafts.first()?.clone();
        Some(stamp.on(draft, &self.state.head, 0).to_bytes())
    }
}

/// The compiler must not see that nobody wants the result.
fn part<'a, T>(name: &'static str, mut work: impl FnMut() -> T + 'a) -> Part<'a> {
    (name, Box::new(move || drop(black_box(Some(work())))))
}

/// What a shard loads for a command.
fn load(shard: &Shard<MemoryStore>, command: &Command) -> Result<State, Failure> {
    let mut state = State::default();
    state.head = shard.head()?;
    let needs = command.needs();
    for seq in needs.events {
        state.recall(shard.event(seq)?);
    }
    for (key, bytes) in shard.store().rows(&needs.rows)? {
        let (key, row) = Row::read(&key, &bytes)?;
        state.restore(key, row);
    }
    Ok(state)
}

fn granted(shard: &Shard<MemoryStore>, command: Command) -> Result<Event, Failure> {
    let done = shard.run(&run_of(command), Beside::default(), NOW)?;
    let event = done.events.into_iter().next();
    event.ok_or_else(|| format!("nothing was granted: {:?}", done.refusal).into())
}

fn run_of(command: Command) -> Run {
    let header = Header { request: RequestId::new(NOW, [1; 10]), entropy: [2; 10], attempt: 0 };
    Run { header, command, private: None }
}

fn presented(event: &Event) -> Result<Presented, Failure> {
    let issued = event.body.issued().ok_or("nothing was issued")?;
    Ok(Presented {
        jti: event.jti(),
        kind: TokenKind::Access,
        client: event.client.clone().ok_or("no client")?,
        party: event.party().ok_or("no party")?,
        kid: issued.kid.clone(),
        expires_at: issued.expires_at,
        scope: issued.scope.clone(),
        grant: event.grant.ok_or("no grant")?,
        ancestors: event.ancestors.clone(),
        session: None,
    })
}

fn issue() -> Result<Issue, Failure> {
    Ok(Issue {
        caller: caller("frontend")?,
        signing: signing()?,
        scope: None,
        client_scope: Scope::parse("openid profile email")?,
        audience: vec!["https://op.example".to_owned()],
        subject: None,
        spend: None,
        assertion_issuer: None,
        may_act: None,
        acr: None,
        amr: Vec::new(),
        auth_time: None,
    })
}

fn exchange(subject_token: Presented) -> Result<Exchange, Failure> {
    let named = |count: usize, path: &str| -> Vec<String> {
        (0..count).map(|n| format!("https://service-{n:02}.example{path}")).collect()
    };
    Ok(Exchange {
        caller: caller("exchanger")?,
        signing: signing()?,
        client_scope: Scope::parse("openid profile email")?,
        policy: Some(ExchangePolicy {
            audiences: named(20, ""),
            resources: named(10, "/orders"),
            impersonation: true,
            actors: Admitted::Any,
            subject_clients: Admitted::Any,
            refresh_token: false,
        }),
        scope: Some(Scope::parse("openid profile")?),
        audience: named(1, ""),
        resource: named(1, "/orders"),
        default_audience: "https://op.example".to_owned(),
        subject_token,
        actor_token: None,
        refresh_token: false,
        refresh_lifetime: None,
    })
}

/// As long as the registry's own ids.
fn caller(name: &str) -> Result<Caller, Failure> {
    Ok(Caller { client: ClientId::parse(&format!("{name:-<26}"))?, generation: 1 })
}

fn signing() -> Result<Signing, Failure> {
    let kid = EventId::new(NOW, [3; 10]).to_string();
    Ok(Signing { kid: Kid::parse(&kid)?, algorithm: Algorithm::Es256, lifetime: Seconds(900) })
}
