//! What people, their clients and their devices may expect, in plain words and plain structs: a second opinion that
//! shares no rule with the code it judges. A thing is live if it has not expired and nothing that it came from ended.

mod buying;
mod ending;
mod login;

use super::world::{CLIENTS, PEOPLE};
use crate::visit::IDLE;
use std::collections::{BTreeMap, BTreeSet};

pub type Scope = BTreeSet<&'static str>;

#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Granted,
    Refused,
    /// The answer that this token was.
    Replayed(usize),
    Nothing,
}
pub use Outcome::{Granted, Nothing, Refused, Replayed};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    #[default]
    Well,
    Suspended,
    Erased,
}

#[derive(Debug, Default)]
pub struct Person {
    pub standing: Standing,
    /// What was born until then is dead.
    pub dead_through: u64,
    pub consents: BTreeMap<usize, Scope>,
    wrong: u64,
    wrong_since: u64,
}

#[derive(Debug, Default)]
pub struct Client {
    pub generation: u64,
    pub deleted: bool,
    pub dead_through: u64,
}

#[derive(Debug)]
pub struct Login {
    pub who: usize,
    pub born: u64,
    pub proved: u64,
    pub used: u64,
    pub until: u64,
    pub over: bool,
}

/// What a person authorized; its code.
#[derive(Debug)]
pub struct Authorization {
    pub who: usize,
    pub client: usize,
    pub login: usize,
    pub offline: bool,
    pub scope: Scope,
    pub born: u64,
    pub until: u64,
    pub redeemed: bool,
    pub revoked: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum From {
    Assertion,
    Authorization(usize),
    /// Exchanged from a token, or refreshed in a family that begins with it.
    Token(usize),
}

#[derive(Debug)]
pub struct Token {
    pub who: usize,
    pub client: usize,
    pub from: From,
    pub login: Option<usize>,
    pub scope: Scope,
    pub born: u64,
    pub until: u64,
    pub revoked: bool,
}

#[derive(Debug)]
pub struct Family {
    pub root: From,
    pub client: usize,
    pub generation: u64,
    pub rotated: Option<u64>,
    pub until: u64,
    pub last: usize,
}

/// The client that asks, and whether it was authenticated by an old view.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    pub client: usize,
    pub stale: bool,
}

#[derive(Debug)]
pub struct Ask {
    pub by: Caller,
    pub scope: Scope,
    pub consents: bool,
    pub asks_anew: bool,
    /// In milliseconds.
    pub max_age: Option<u64>,
    pub pushed: Option<u64>,
}

#[derive(Debug, Default)]
pub struct Reference {
    /// In milliseconds.
    pub now: u64,
    /// Counts the commands: what came before what.
    pub tick: u64,
    pub people: [Person; PEOPLE],
    pub clients: [Client; CLIENTS],
    pub logins: Vec<Login>,
    pub authorizations: Vec<Authorization>,
    pub tokens: Vec<Token>,
    pub families: Vec<Family>,
    pub challenges: BTreeSet<u64>,
    pub pushed: BTreeSet<u64>,
}

/// What is alive.
impl Reference {
    fn person_is_well(&self, who: usize, born: u64) -> bool {
        self.people[who].standing == Standing::Well && born > self.people[who].dead_through
    }

    pub fn client_is_well(&self, client: usize, born: u64) -> bool {
        !self.clients[client].deleted && born > self.clients[client].dead_through
    }

    fn may_ask(&self, by: Caller) -> bool {
        !by.stale && !self.clients[by.client].deleted
    }

    pub fn login_lives(&self, login: usize) -> bool {
        let login = &self.logins[login];
        let in_time = self.now < login.until && self.now < login.used + IDLE.0 * 1000;
        !login.over && in_time && self.person_is_well(login.who, login.born)
    }

    /// Whether nothing that something came from was revoked.
    fn came_from_nothing_revoked(&self, from: From) -> bool {
        match from {
            From::Assertion => true,
            From::Authorization(at) => !self.authorizations[at].revoked,
            From::Token(at) => !self.tokens[at].revoked && self.came_from_nothing_revoked(self.tokens[at].from),
        }
    }

    pub fn token_lives(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        self.now < token.until
            && self.came_from_nothing_revoked(From::Token(at))
            && token.login.is_none_or(|login| !self.logins[login].over)
            && self.person_is_well(token.who, token.born)
            && self.client_is_well(token.client, token.born)
    }

    /// Who, which client, in which login and since when.
    pub fn root(&self, from: From) -> (usize, usize, Option<usize>, u64) {
        match from {
            From::Authorization(at) => {
                let root = &self.authorizations[at];
                (root.who, root.client, (!root.offline).then_some(root.login), root.born)
            }
            From::Token(at) => {
                let root = &self.tokens[at];
                (root.who, root.client, root.login, root.born)
            }
            From::Assertion => unreachable!("an assertion brings no refresh token"),
        }
    }

    fn root_stands(&self, from: From) -> bool {
        let (who, client, login, born) = self.root(from);
        self.came_from_nothing_revoked(from)
            && login.is_none_or(|login| !self.logins[login].over)
            && self.person_is_well(who, born)
            && self.client_is_well(client, born)
    }

    pub fn refresh_lives(&self, family: usize, generation: u64) -> bool {
        let family = &self.families[family];
        generation == family.generation && self.now < family.until && self.root_stands(family.root)
    }
}
