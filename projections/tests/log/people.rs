//! What people do: log in, let clients in, log out.

use super::{Log, caller, client, scope, signing};
use grantlog_events::{
    Command, Seconds, Subject,
    body::RevokedBy,
    command::{
        Authentication, AuthorizationRequest, Authorize, EndSession, Exchange, Person, PresentedRefresh, RedeemCode,
        Refresh, Signing, Spend, WithdrawConsent,
    },
    decide::Answer,
    key::Algorithm,
};

pub const OFFLINE: &str = "openid profile offline_access";

const REDIRECT: [u8; 16] = [3; 16];
const CHALLENGE: [u8; 32] = [4; 32];
/// How long a refresh token lives unused.
pub const LASTS: Seconds = Seconds(30 * 86_400);

impl Log {
    /// A person logs in; the position of the session.
    pub fn log_in(&mut self, person: &Subject) -> u64 {
        let authentication = self.authentication();
        self.grant(Authorize {
            subject: person.clone(),
            session: None,
            authentication: Some(authentication),
            request: None,
        })
    }

    /// A person who is logged in proves it again.
    pub fn renew(&mut self, person: &Subject, session: u64) -> u64 {
        let authentication = Some(self.authentication());
        self.grant(Authorize { subject: person.clone(), session: Some(session), authentication, request: None })
    }

    fn authentication(&self) -> Authentication {
        let mut challenge = [9; 16];
        challenge[..8].copy_from_slice(&self.state.head.next.to_be_bytes());
        Authentication {
            acr: "urn:grantlog:acr:password".to_owned(),
            amr: vec!["pwd".to_owned()],
            challenge: Spend { assertion: challenge, until: self.now.after(Seconds(600)) },
            idle: Seconds(7 * 86_400),
            lifetime: Seconds(14 * 86_400),
        }
    }

    /// The person lets `app` in; the position of the code, which is the grant.
    pub fn code(&mut self, person: &Subject, session: u64, wanted: &str) -> u64 {
        let subject = person.clone();
        let request = Some(request_of("app", wanted));
        self.grant(Authorize { subject, session: Some(session), authentication: None, request })
    }

    pub fn redeem(&mut self, code: u64) -> u64 {
        let command = self.redemption(code);
        self.grant(command)
    }

    pub fn redemption(&self, code: u64) -> RedeemCode {
        RedeemCode {
            caller: caller("app"),
            signing: signing(),
            id_token: Some(Signing { algorithm: Algorithm::Rs256, ..signing() }),
            code: self.jti(code),
            redirect: REDIRECT,
            challenge: Some(CHALLENGE),
            refresh: Some(LASTS),
        }
    }

    pub fn refresh(&mut self, family: u64, generation: u64) -> u64 {
        let command = self.refreshing(family, generation);
        self.grant(command)
    }

    pub fn try_to_refresh(&mut self, family: u64, generation: u64) -> Answer {
        let command = Command::from(self.refreshing(family, generation));
        self.run(&command)
    }

    pub fn refreshing(&self, family: u64, generation: u64) -> Refresh {
        let client = self.event(family).client.clone().unwrap();
        Refresh {
            caller: caller(client.as_str()),
            signing: signing(),
            id_token: None,
            token: PresentedRefresh { family, generation },
            scope: None,
            client_scope: scope("openid profile email offline_access"),
            lifetime: LASTS,
            grace: Seconds(30),
        }
    }

    /// An exchange by the gateway that brings a refresh token.
    pub fn exchange_with_refresh(&mut self, parent: u64) -> u64 {
        let command = self.exchange_of(parent, None);
        let mut policy = command.policy.clone().unwrap();
        policy.refresh_token = true;
        let refresh_lifetime = Some(LASTS);
        self.grant(Exchange { policy: Some(policy), refresh_token: true, refresh_lifetime, ..command })
    }

    pub fn end_session(&mut self, session: u64, with_grants: bool) -> u64 {
        self.grant(EndSession {
            session,
            by: RevokedBy::Logout,
            reason: String::new(),
            with_grants,
            person: None,
            subject: None,
        })
    }

    pub fn withdraw(&mut self, person: &Subject, session: u64) -> u64 {
        let person = Person { subject: person.clone(), session };
        self.grant(WithdrawConsent { client: client("app"), person })
    }
}

pub fn request_of(name: &str, wanted: &str) -> AuthorizationRequest {
    AuthorizationRequest {
        caller: caller(name),
        scope: scope(wanted),
        client_scope: scope("openid profile email offline_access"),
        redirect: REDIRECT,
        challenge: Some(CHALLENGE),
        audience: vec!["https://op.example".to_owned()],
        claims: Vec::new(),
        max_age: None,
        ask_consent: false,
        consents: true,
        pushed: None,
        may_refresh: true,
        logout: true,
        lifetime: Seconds(60),
        implied: scope(""),
    }
}
