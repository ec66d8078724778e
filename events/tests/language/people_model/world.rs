//! One world twice: the log that decides, and the reference that predicts. Every step is done to both.

mod buying;
mod ending;

use super::reference::{Ask, Caller, Granted, Nothing, Outcome, Reference, Refused, Replayed};
use crate::{
    dice::Dice,
    sample::client,
    shard::{Result, Shard, presented},
    visit::{password, request, spend},
};
use grantlog_events::{
    Command, Jti, Seconds, Subject,
    command::{self, AuthorizationRequest, Authorize, PresentedRefresh, RefuseLogin},
    decide::Answer,
    token::Presented,
};

pub const PEOPLE: usize = 2;
pub const CLIENTS: usize = 3;
const NAMES: [&str; CLIENTS] = ["app", "web", "svc"];
const DEVICES: usize = 2;
const SCOPES: [&[&str]; 4] =
    [&["openid"], &["openid", "profile"], &["openid", "offline_access"], &["openid", "profile", "offline_access"]];
const DAY: u64 = 86_400;

pub struct World {
    pub shard: Shard,
    pub reference: Reference,
    pub people: Vec<Subject>,
    /// What each thing of the reference is in the log.
    pub sessions: Vec<u64>,
    pub codes: Vec<Jti>,
    pub tokens: Vec<Presented>,
    pub families: Vec<u64>,
    devices: [[Option<usize>; DEVICES]; PEOPLE],
    passwords: u64,
}

impl World {
    pub fn new() -> Self {
        let (mut shard, first) = Shard::home();
        let second = Subject::born(1, [2; 16]);
        shard.create(&second);
        Self {
            reference: Reference { now: shard.now.0, ..Reference::default() },
            shard,
            people: vec![first, second],
            sessions: Vec::new(),
            codes: Vec::new(),
            tokens: Vec::new(),
            families: Vec::new(),
            devices: [[None; DEVICES]; PEOPLE],
            passwords: 0,
        }
    }

    pub fn pass(&mut self, seconds: u64) {
        self.shard.pass(seconds);
        self.reference.now = self.shard.now.0;
    }

    pub fn step(&mut self, dice: &mut Dice) {
        self.reference.tick += 1;
        match dice.below(64) {
            0..=8 => self.pass(dice.pick(&[1, 1, 5, 5, 10, 29, 30, 31, 60, 299, 600])),
            9 => self.pass(dice.pick(&[3_600, DAY - 60, DAY, 3 * DAY, 16 * DAY])),
            10..=14 => self.visit(dice, true),
            15..=20 => self.visit(dice, false),
            21 => self.authorize(dice, true),
            22..=23 => self.authorize(dice, false),
            24 => self.redeem(dice),
            25..=40 => self.refresh(dice),
            41..=48 => self.exchange(dice),
            49 => self.issue(dice),
            50..=51 => self.revoke_token(dice),
            52..=53 => self.revoke_family(dice),
            54..=55 => self.log_out(dice),
            56 => self.withdraw(dice),
            57 => self.wrong_passwords(dice),
            58 => self.change_person(dice),
            59..=60 => self.resume(dice),
            61 => self.change_client(dice),
            _ => self.refresh_twice(dice),
        }
    }

    /// From the login page to tokens, so that there is something to lose.
    fn visit(&mut self, dice: &mut Dice, with_password: bool) {
        let given = self.codes.len();
        self.authorize(dice, with_password);
        self.redeem_at(dice, (self.codes.len() > given).then_some(given));
    }

    /// One and the same token, as a client does that lost an answer.
    fn refresh_twice(&mut self, dice: &mut Dice) {
        let Some(at) = Self::recent(dice, self.families.len()) else { return };
        let token = PresentedRefresh { family: self.families[at], generation: self.reference.families[at].generation };
        self.refresh_with(dice, at, token.clone());
        self.pass(dice.pick(&[0, 1, 6, 30, 31]));
        self.reference.tick += 1;
        self.refresh_with(dice, at, token);
    }

    fn run(&mut self, command: impl Into<Command>, predicted: &Outcome) -> Result {
        let command = command.into();
        let result = self.shard.run(command.clone());
        let came = match result.answer {
            Answer::Granted => Granted,
            Answer::Refused(_) => Refused,
            Answer::NothingToDo => Nothing,
            Answer::Stands(seq) => {
                let token = self.tokens.iter().position(|token| token.jti.address.seq == seq);
                token.filter(|_| matches!(command, Command::Refresh(_))).map_or(Nothing, Replayed)
            }
        };
        // Revoking what is dead already may be either; what lives afterwards is compared all the same.
        let is_revocation = matches!((&came, predicted), (Nothing, Granted));
        assert!(came == *predicted || is_revocation, "{came:?} ({:?}) but {predicted:?} of {command:?}", result.answer);
        for event in &result.events {
            if let Some(token) = event.body.issued() {
                self.tokens.push(presented(event));
                self.families.extend(
                    token
                        .refresh
                        .as_ref()
                        .filter(|it| it.generation == 1 && !self.families.contains(&it.family))
                        .map(|it| it.family),
                );
            }
        }
        result
    }

    fn caller(&self, dice: &mut Dice, at: usize) -> (Caller, command::Caller) {
        let generation = self.reference.clients[at].generation;
        let stale = generation > 0 && dice.below(24) == 0;
        let caller = command::Caller { client: client(NAMES[at]), generation: generation - u64::from(stale) };
        (Caller { client: at, stale }, caller)
    }

    /// Mostly the one that it belongs to.
    fn caller_like(&self, dice: &mut Dice, owner: usize) -> (Caller, command::Caller) {
        let at = if dice.below(16) == 0 { dice.below(CLIENTS) } else { owner };
        self.caller(dice, at)
    }

    fn authorize(&mut self, dice: &mut Dice, with_password: bool) {
        let (who, device) = (dice.below(PEOPLE), dice.below(DEVICES));
        // Now and then a browser shows the session of somebody else.
        let owner = if dice.below(16) == 0 { dice.below(PEOPLE) } else { who };
        let held = self.devices[owner][device].or_else(|| self.devices[owner].into_iter().flatten().next());
        let challenge = with_password.then(|| self.challenge(dice));
        let (by, caller) = {
            let at = dice.below(CLIENTS);
            self.caller(dice, at)
        };
        let wanted = SCOPES[dice.below(4)];
        let ask = (dice.below(8) > 0).then(|| Ask {
            by,
            scope: wanted.iter().copied().collect(),
            consents: dice.below(3) > 0,
            asks_anew: dice.below(6) == 0,
            max_age: (dice.below(4) == 0).then_some(60_000),
            pushed: (dice.below(6) == 0).then(|| 1_000_000 + dice.below(4) as u64),
        });
        let request = ask.as_ref().map(|ask| AuthorizationRequest {
            caller,
            consents: ask.consents,
            ask_consent: ask.asks_anew,
            max_age: ask.max_age.map(|age| Seconds(age / 1000)),
            pushed: ask.pushed.map(spend),
            logout: dice.flag(),
            ..request("app", &wanted.join(" "))
        });
        let (given, begun) = (self.reference.authorizations.len(), self.reference.logins.len());
        let (predicted, login) = self.reference.authorize(who, held, challenge, ask.as_ref());
        let result = self.run(
            Authorize {
                subject: self.people[who].clone(),
                session: held.map(|login| self.sessions[login]),
                authentication: challenge.map(password),
                request,
            },
            &predicted,
        );
        if self.reference.logins.len() > begun {
            self.sessions.push(result.events[0].seq);
        }
        if self.reference.authorizations.len() > given {
            self.codes.push(result.events.last().unwrap().jti());
        }
        if login.is_some() {
            self.devices[who][device] = login;
        }
    }

    fn challenge(&mut self, dice: &mut Dice) -> u64 {
        if dice.below(16) > 0 {
            self.passwords += 1;
        }
        self.passwords
    }

    fn wrong_passwords(&mut self, dice: &mut Dice) {
        let who = dice.below(PEOPLE);
        for _ in 0..dice.pick(&[1, 5, 10]) {
            let predicted = self.reference.wrong_password(who);
            self.run(RefuseLogin { subject: self.people[who].clone() }, &predicted);
        }
    }
}
