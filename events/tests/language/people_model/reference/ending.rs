//! What ends things.

use super::{Caller, From, Granted, Nothing, Outcome, Reference, Refused, Standing};

impl Reference {
    pub(super) fn revoke_root(&mut self, root: From) {
        match root {
            From::Authorization(at) => self.authorizations[at].revoked = true,
            From::Token(at) => self.tokens[at].revoked = true,
            From::Assertion => {}
        }
    }

    pub fn revoke_token(&mut self, at: usize, by: Option<Caller>) -> Outcome {
        if by.is_some_and(|by| !self.may_ask(by) || by.client != self.tokens[at].client) {
            return Refused;
        }
        self.tokens[at].revoked = true;
        Granted
    }

    pub fn revoke_grant(&mut self, at: usize) -> Outcome {
        self.authorizations[at].revoked = true;
        Granted
    }

    pub fn revoke_refresh(&mut self, at: usize, generation: u64, by: Caller, proven: bool) -> Outcome {
        let family = &self.families[at];
        let known = proven && (1..=family.generation).contains(&generation);
        if !self.may_ask(by) || !known || by.client != family.client {
            return Refused;
        }
        self.revoke_root(self.families[at].root);
        Granted
    }

    /// Whoever asks as a person does so from a login of their own; an operator needs none.
    pub fn log_out(&mut self, login: usize, from: Option<(usize, Option<usize>)>, with_grants: bool) -> Outcome {
        if let Some((who, own)) = from {
            let lives = own.is_some_and(|own| self.logins[own].who == who && self.login_lives(own));
            if !lives || self.logins[login].who != who {
                return Refused;
            }
        }
        if self.logins[login].over {
            return Nothing;
        }
        self.logins[login].over = true;
        if with_grants {
            let of_login = self.authorizations.iter_mut().filter(|given| given.login == login && given.offline);
            of_login.for_each(|given| given.revoked = true);
        }
        Granted
    }

    pub fn withdraw(&mut self, who: usize, own: Option<usize>, client: usize) -> Outcome {
        if !own.is_some_and(|own| self.logins[own].who == who && self.login_lives(own)) {
            return Refused;
        }
        self.people[who].consents.remove(&client);
        let given = self.authorizations.iter_mut().filter(|given| (given.who, given.client) == (who, client));
        given.for_each(|given| given.revoked = true);
        for at in 0..self.families.len() {
            let root = self.families[at].root;
            let (of, by, _, _) = self.root(root);
            if (of, by) == (who, client) {
                self.revoke_root(root);
            }
        }
        Granted
    }

    fn log_out_everywhere(&mut self, who: usize) {
        let now = self.now;
        let open = self.logins.iter_mut().filter(|login| login.who == who && now < login.until);
        open.for_each(|login| login.over = true);
    }

    pub fn revoke_all(&mut self, who: usize) -> Outcome {
        self.people[who].dead_through = self.tick;
        self.log_out_everywhere(who);
        Granted
    }

    pub fn stand(&mut self, who: usize, standing: Standing) -> Outcome {
        match (self.people[who].standing, standing) {
            (Standing::Erased, Standing::Erased) => return Nothing,
            (Standing::Erased, _) => return Refused,
            (_, Standing::Well) => {}
            _ => self.log_out_everywhere(who),
        }
        self.people[who].standing = standing;
        Granted
    }

    pub fn change_client(&mut self, at: usize, deleted: bool, revoke_tokens: bool) -> Outcome {
        let client = &mut self.clients[at];
        client.generation += 1;
        client.deleted = deleted;
        if revoke_tokens {
            client.dead_through = self.tick;
        }
        Granted
    }
}
