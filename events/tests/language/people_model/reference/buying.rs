//! What buys tokens. Lifetimes are in seconds.

use super::{Caller, Family, From, Granted, Outcome, Reference, Refused, Replayed, Scope, Standing, Token};
use crate::visit::GRACE;

/// The longest chain of exchanges.
const DEEPEST: usize = 32;

impl Reference {
    fn expiry(&self, lifetime: u64) -> u64 {
        (self.now / 1000 + lifetime) * 1000
    }

    fn give_token(&mut self, from: From, client: usize, scope: Scope, until: u64) -> usize {
        let (who, _, login, _) = self.root(from);
        let token = Token { who, client, from, login, scope, born: self.tick, until, revoked: false };
        self.tokens.push(token);
        self.tokens.len() - 1
    }

    pub fn assertion(&mut self, who: usize, by: Caller, lifetime: u64) -> Outcome {
        if !self.may_ask(by) || self.people[who].standing != Standing::Well {
            return Refused;
        }
        let until = self.expiry(lifetime);
        let (from, scope) = (From::Assertion, Scope::from(["openid", "profile", "email"]));
        let token = Token { who, client: by.client, from, login: None, scope, born: self.tick, until, revoked: false };
        self.tokens.push(token);
        Granted
    }

    pub fn redeem(&mut self, at: usize, by: Caller, proven: bool, refresh: Option<u64>, lifetime: u64) -> Outcome {
        let code = &self.authorizations[at];
        if !self.may_ask(by) || by.client != code.client || !proven {
            return Refused;
        }
        if code.redeemed {
            self.authorizations[at].revoked = true;
            return Refused;
        }
        let session_until = self.logins[code.login].until;
        let in_time = self.now < code.until && (code.offline || self.now < session_until);
        if !in_time || !self.root_stands(From::Authorization(at)) {
            return Refused;
        }
        let (root, scope, offline) = (From::Authorization(at), code.scope.clone(), code.offline);
        self.authorizations[at].redeemed = true;
        let last = self.give_token(root, by.client, scope, self.expiry(lifetime));
        if let Some(refresh) = refresh {
            let until = self.now + refresh * 1000;
            let until = if offline { until } else { until.min(session_until) };
            self.families.push(Family { root, client: by.client, generation: 1, rotated: None, until, last });
        }
        Granted
    }

    pub fn exchange(&mut self, parent: usize, by: Caller, refresh: Option<u64>, lifetime: u64) -> Outcome {
        let depth = |mut from: From| {
            let mut depth = 0;
            while let From::Token(at) = from {
                (depth, from) = (depth + 1, self.tokens[at].from);
            }
            depth
        };
        let depth = depth(From::Token(parent));
        let too_deep = depth > DEEPEST || (refresh.is_some() && depth >= DEEPEST);
        if !self.may_ask(by) || !self.token_lives(parent) || too_deep {
            return Refused;
        }
        let (parents_until, mut scope) = (self.tokens[parent].until, self.tokens[parent].scope.clone());
        scope.remove("offline_access");
        let until = self.expiry(lifetime).min(parents_until);
        let root = self.give_token(From::Token(parent), by.client, scope, until);
        if let Some(refresh) = refresh {
            let until = self.now + refresh * 1000;
            let until = self.tokens[root].login.map_or(until, |login| until.min(self.logins[login].until));
            let (client, last, root) = (by.client, root, From::Token(root));
            self.families.push(Family { root, client, generation: 1, rotated: None, until, last });
        }
        Granted
    }

    /// `lifetime` is the access token's, `unused` the refresh token's.
    pub fn refresh(
        &mut self,
        at: usize,
        generation: u64,
        by: Caller,
        proven: bool,
        wanted: Option<Scope>,
        (lifetime, unused): (u64, u64),
    ) -> Outcome {
        let family = &self.families[at];
        let known = proven && (1..=family.generation).contains(&generation);
        if !self.may_ask(by) || !known || by.client != family.client {
            return Refused;
        }
        let is_replay = generation != family.generation;
        let in_grace = family.rotated.is_some_and(|rotated| self.now <= rotated + GRACE.0 * 1000);
        if is_replay && !(generation + 1 == family.generation && in_grace) {
            self.revoke_root(self.families[at].root);
            return Refused;
        }
        if !self.root_stands(family.root) || self.now >= family.until {
            return Refused;
        }
        if is_replay && self.now < self.tokens[family.last].until {
            return Replayed(family.last);
        }
        let (granted, session_until) = match family.root {
            From::Authorization(root) => {
                let root = &self.authorizations[root];
                (root.scope.clone(), if root.offline { u64::MAX } else { self.logins[root.login].until })
            }
            From::Token(root) => (self.tokens[root].scope.clone(), 0),
            From::Assertion => unreachable!("an assertion brings no refresh token"),
        };
        if wanted.as_ref().is_some_and(|wanted| !wanted.is_subset(&granted)) {
            return Refused;
        }
        let (root, client, fixed) = (family.root, family.client, family.until);
        let is_exchanged = matches!(root, From::Token(_));
        let until = self.expiry(lifetime);
        let until = if is_exchanged { until.min(fixed / 1000 * 1000) } else { until };
        let last = self.give_token(root, client, wanted.unwrap_or(granted), until);
        let now = self.now;
        let family = &mut self.families[at];
        family.last = last;
        if !is_replay {
            (family.generation, family.rotated) = (family.generation + 1, Some(now));
            if !is_exchanged {
                family.until = (now + unused * 1000).min(session_until);
            }
        }
        Granted
    }
}
