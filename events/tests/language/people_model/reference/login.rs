//! What a login does, and what comes of it for a client that asks.

use super::{Ask, Authorization, Granted, Login, Nothing, Outcome, Reference, Refused, Standing};
use crate::visit::{CODE, LIFETIME};

/// Wrong passwords that an account takes, and for how long they count, in milliseconds.
const WRONG: u64 = 10;
const WINDOW: u64 = 300_000;

impl Reference {
    fn rests(&self, who: usize) -> bool {
        let person = &self.people[who];
        person.wrong >= WRONG && self.now < person.wrong_since + WINDOW
    }

    pub fn wrong_password(&mut self, who: usize) -> Outcome {
        if !self.rests(who) {
            let now = self.now;
            let person = &mut self.people[who];
            if person.wrong == 0 || now >= person.wrong_since + WINDOW {
                (person.wrong, person.wrong_since) = (0, now);
            }
            person.wrong += 1;
        }
        Refused
    }

    /// The login that a browser holds, if any; a password, if one is given; what a client asks, if one does.
    pub fn authorize(
        &mut self,
        who: usize,
        held: Option<usize>,
        challenge: Option<u64>,
        ask: Option<&Ask>,
    ) -> (Outcome, Option<usize>) {
        let held = held.filter(|login| self.logins[*login].who == who && self.login_lives(*login));
        let no = (Refused, None);
        if ask.is_some_and(|ask| !self.may_ask(ask.by)) || self.people[who].standing != Standing::Well {
            return no;
        }
        if challenge.is_some_and(|challenge| self.rests(who) || self.challenges.contains(&challenge)) {
            return no;
        }
        let Some(_) = held.or(challenge.map(|_| 0)) else { return no };
        let too_old = |login: usize, max_age: u64| self.now > self.logins[login].proved + max_age;
        let max_age = ask.and_then(|ask| ask.max_age);
        if challenge.is_none() && held.zip(max_age).is_some_and(|(login, max_age)| too_old(login, max_age)) {
            return no;
        }
        if ask.is_some_and(|ask| ask.pushed.is_some_and(|pushed| self.pushed.contains(&pushed))) {
            return no;
        }
        let consented = ask.is_none_or(|ask| self.consented(who, ask));
        if challenge.is_none() && !consented {
            return no;
        }
        let login = self.enter(who, held, challenge);
        match ask {
            Some(ask) if consented => self.give_code(who, login, ask),
            None if challenge.is_none() => return (Nothing, Some(login)),
            _ => {}
        }
        (Granted, Some(login))
    }

    fn consented(&self, who: usize, ask: &Ask) -> bool {
        let before = self.people[who].consents.get(&ask.by.client);
        ask.consents || (!ask.asks_anew && before.is_some_and(|before| ask.scope.is_subset(before)))
    }

    fn enter(&mut self, who: usize, held: Option<usize>, challenge: Option<u64>) -> usize {
        let (now, born) = (self.now, self.tick);
        let login = held.unwrap_or_else(|| {
            let until = now + LIFETIME.0 * 1000;
            self.logins.push(Login { who, born, proved: now, used: now, until, over: false });
            self.logins.len() - 1
        });
        if let Some(challenge) = challenge {
            self.challenges.insert(challenge);
            (self.logins[login].proved, self.logins[login].used) = (now, now);
            self.people[who].wrong = 0;
        }
        login
    }

    fn give_code(&mut self, who: usize, login: usize, ask: &Ask) {
        self.people[who].consents.entry(ask.by.client).or_default().extend(ask.scope.iter());
        self.pushed.extend(ask.pushed);
        self.logins[login].used = self.now;
        self.authorizations.push(Authorization {
            who,
            client: ask.by.client,
            login,
            offline: ask.scope.contains("offline_access"),
            scope: ask.scope.clone(),
            born: self.tick,
            until: self.now + CODE.0 * 1000,
            redeemed: false,
            revoked: false,
        });
    }
}
