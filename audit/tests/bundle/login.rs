//! A person's login in the first log: session, code, first token; and what nobody decided about them.

use super::{World, forgery::assert_broken, log};
use grantlog_events::{
    Body, Draft, Subject,
    body::{CodeIssued, RefreshReplayed, SessionEnded},
    envelope::GrantOf,
    token::{Cause, IssuedToken, RefreshGranted},
};

pub struct Login {
    pub world: World,
    pub person: Subject,
    pub session: u64,
    pub code: u64,
    pub first: u64,
}

impl Login {
    pub fn new(scope: &str) -> Self {
        let mut login = Self::unredeemed(scope);
        let code = login.code;
        login.first = login.log().later(1).redeem(code);
        login
    }

    /// With a code that nobody has redeemed.
    pub fn unredeemed(scope: &str) -> Self {
        let mut world = World::new();
        let person = world.person.clone();
        let session = world.first.later(1).log_in(&person);
        let code = world.first.later(1).code(&person, session, scope);
        Self { world, person, session, code, first: 0 }
    }

    pub fn log(&mut self) -> &mut log::Log {
        &mut self.world.first
    }

    pub fn code_body(&self) -> CodeIssued {
        let Body::CodeIssued(code) = self.world.first.event(self.code).body.clone() else { panic!("no code") };
        code
    }

    /// What an honest answer to the code would be.
    pub fn redemption(&self, change: impl FnOnce(&mut IssuedToken)) -> Draft {
        let mut log = self.world.first.clone();
        let honest = match self.first {
            0 => log.redeem(self.code),
            first => first,
        };
        self.of_grant(Body::CodeRedeemed(changed(&log, honest, change)), "app")
    }

    /// What an honest use of the family's newest refresh token would be.
    pub fn refresh(&self, family: u64, generation: u64, change: impl FnOnce(&mut IssuedToken)) -> Draft {
        let mut log = self.world.first.clone();
        let seq = log.refresh(family, generation);
        let event = log.event(seq).clone();
        Draft {
            ancestors: event.ancestors.clone(),
            actors: event.actors.clone(),
            ..self.of_grant(Body::TokenRefreshed(changed(&log, seq, change)), event.client.as_ref().unwrap().as_str())
        }
    }

    /// The newest token of a family once more, as if the refresh token of this generation had bought it.
    pub fn again(&self, newest: u64, change: impl FnOnce(&mut IssuedToken, &mut RefreshGranted)) -> Draft {
        let event = self.world.first.event(newest).clone();
        let token = changed(&self.world.first, newest, |token| {
            let mut refresh = token.refresh.clone().unwrap();
            token.cause = Cause::Refresh;
            token.id_token = None;
            change(token, &mut refresh);
            token.refresh = Some(refresh);
        });
        Draft {
            ancestors: event.ancestors.clone(),
            ..self.of_grant(Body::TokenRefreshed(token), event.client.as_ref().unwrap().as_str())
        }
    }

    pub fn of_grant(&self, body: Body, client: &str) -> Draft {
        Draft::of(body)
            .about(Some(self.person.clone()))
            .of_client(log::client(client))
            .under(GrantOf::Position(self.code))
    }

    pub fn about_person(&self, body: Body) -> Draft {
        Draft::of(body).about(Some(self.person.clone()))
    }

    /// What an honest end of the session would be.
    pub fn end(&self, with_grants: bool, change: impl FnOnce(&mut SessionEnded)) -> Draft {
        let mut log = self.world.first.clone();
        let seq = log.end_session(self.session, with_grants);
        let Body::SessionEnded(mut ended) = log.event(seq).body.clone() else { panic!("no end") };
        change(&mut ended);
        self.about_person(Body::SessionEnded(ended))
    }

    /// What an honest second code would be.
    pub fn another_code(&self, change: impl FnOnce(&mut CodeIssued)) -> Draft {
        let mut code = self.code_body();
        change(&mut code);
        Draft { grant: GrantOf::Itself, ..self.of_grant(Body::CodeIssued(code), "app") }
    }

    pub fn replay(&self, generation: u64, issued: u64) -> Draft {
        let replayed = RefreshReplayed { family: self.code, generation, issued };
        self.of_grant(Body::RefreshReplayed(replayed), "app")
    }
}

fn changed(log: &log::Log, seq: u64, change: impl FnOnce(&mut IssuedToken)) -> IssuedToken {
    let mut token = log.event(seq).body.issued().unwrap().clone();
    change(&mut token);
    token
}

/// After a login of this scope, the forgery is found.
pub fn assert_found(scope: &str, words: &str, forge: impl FnOnce(&mut Login) -> Draft) {
    found_in(Login::new(scope), words, forge);
}

/// Before the code was redeemed, the forgery is found.
pub fn assert_redemption_is_found(words: &str, forge: impl FnOnce(&mut Login) -> Draft) {
    found_in(Login::unredeemed("openid profile"), words, forge);
}

/// The forgery is found.
pub fn found_in(mut login: Login, words: &str, forge: impl FnOnce(&mut Login) -> Draft) {
    let draft = forge(&mut login);
    let seq = login.log().forge(draft);
    assert_broken(&login.world, &format!("1.0.{seq}: {words}"));
}

/// Nothing is wrong with what was decided, nor with what could have been.
#[track_caller]
pub fn assert_sound(login: &Login) {
    let ended = super::forgery::verify(&login.world);
    assert_eq!(ended.code, 0, "{}", ended.out);
}
