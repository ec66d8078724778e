//! What a person and the clients they let in ask of a log. Each test changes what it is about.

use crate::{
    sample::scope,
    shard::{Result, Shard, caller, presented, signing},
};
use grantlog_events::{
    Body, Event, Jti, Seconds, Subject,
    body::RevokedBy,
    command::{
        Authentication, AuthorizationRequest, Authorize, Command, EndSession, InspectRefresh, Person, PresentedRefresh,
        RedeemCode, Refresh, RevokeRefresh, Spend, WithdrawConsent,
    },
    decide::{Answer, session_is_live},
    token::Presented,
};

/// How long a session lives unused, and at most.
pub const IDLE: Seconds = Seconds(24 * 3600);
pub const LIFETIME: Seconds = Seconds(14 * 24 * 3600);
/// How long a code lives, and a refresh token unused.
pub const CODE: Seconds = Seconds(60);
pub const UNUSED: Seconds = Seconds(30 * 24 * 3600);
/// How long a rotated refresh token gets the same answer again.
pub const GRACE: Seconds = Seconds(30);

pub const BOUND: &str = "openid profile";
pub const OFFLINE: &str = "openid profile offline_access";

/// What a client holds after a login: an access token and the refresh token that came with it.
#[derive(Clone, Debug)]
pub struct Held {
    pub token: Presented,
    pub refresh: PresentedRefresh,
}

/// A person's login for one client on one device.
#[derive(Clone, Debug)]
pub struct Device {
    pub session: u64,
    pub code: Jti,
    pub held: Held,
}

pub fn spend(number: u64) -> Spend {
    let mut assertion = [0; 16];
    assertion[..8].copy_from_slice(&number.to_be_bytes());
    Spend { assertion, until: grantlog_events::Timestamp(u64::MAX / 2) }
}

/// A password, checked at the edge; `challenge` is spent by it.
pub fn password(challenge: u64) -> Authentication {
    Authentication {
        acr: "urn:example:password".to_owned(),
        amr: vec!["pwd".to_owned()],
        challenge: spend(challenge),
        idle: IDLE,
        lifetime: LIFETIME,
    }
}

/// What `name` asks, consented to on the page.
pub fn request(name: &str, wanted: &str) -> AuthorizationRequest {
    AuthorizationRequest {
        caller: caller(name),
        scope: scope(wanted),
        client_scope: scope("openid profile email offline_access"),
        redirect: [7; 16],
        challenge: Some([8; 32]),
        audience: vec!["https://op.example".to_owned()],
        claims: Vec::new(),
        max_age: None,
        ask_consent: false,
        consents: true,
        pushed: None,
        may_refresh: true,
        logout: false,
        lifetime: CODE,
        implied: scope(""),
    }
}

/// By the session that the browser holds, without a page.
pub fn silent(subject: &Subject, session: u64, request: AuthorizationRequest) -> Authorize {
    let request = AuthorizationRequest { consents: false, ..request };
    Authorize { subject: subject.clone(), session: Some(session), authentication: None, request: Some(request) }
}

/// By the client `name`, which proves that the code is its own.
pub fn redeem(name: &str, code: &Jti) -> RedeemCode {
    RedeemCode {
        caller: caller(name),
        signing: signing(600),
        id_token: None,
        code: code.clone(),
        redirect: [7; 16],
        challenge: Some([8; 32]),
        refresh: Some(UNUSED),
    }
}

/// By the token's own client.
pub fn refresh(held: &Held) -> Refresh {
    Refresh {
        caller: caller(held.token.client.as_str()),
        signing: signing(600),
        id_token: None,
        token: held.refresh.clone(),
        scope: None,
        client_scope: scope("openid profile email offline_access"),
        lifetime: UNUSED,
        grace: GRACE,
    }
}

pub fn revoke_refresh(held: &Held) -> RevokeRefresh {
    RevokeRefresh { caller: caller(held.token.client.as_str()), token: held.refresh.clone() }
}

/// The person logs out of this session.
pub fn logout(session: u64) -> EndSession {
    EndSession {
        session,
        by: RevokedBy::Logout,
        reason: String::new(),
        with_grants: false,
        person: None,
        subject: None,
    }
}

pub fn withdraw(subject: &Subject, session: u64, client: &str) -> WithdrawConsent {
    let person = Person { subject: subject.clone(), session };
    WithdrawConsent { client: crate::sample::client(client), person }
}

/// What the client reads in the answer to a code, a refresh or an exchange.
pub fn held(event: &Event) -> Held {
    let granted = event.body.issued().and_then(|token| token.refresh.clone()).expect("a refresh token came with it");
    let refresh = PresentedRefresh { family: granted.family, generation: granted.generation };
    Held { token: presented(event), refresh }
}

impl Shard {
    /// A number that no challenge had before.
    pub fn fresh(&self) -> u64 {
        self.state().head.next
    }

    pub fn authenticate(&self, subject: &Subject, session: Option<u64>) -> Authorize {
        let authentication = Some(password(self.fresh()));
        Authorize { subject: subject.clone(), session, authentication, request: None }
    }

    /// A new session; its position.
    pub fn enter(&mut self, subject: &Subject) -> u64 {
        let event = self.granted(self.authenticate(subject, None));
        assert!(matches!(event.body, Body::SessionStarted(_)));
        event.seq
    }

    /// A code in a session, with whatever consent is new.
    pub fn code(&mut self, subject: &Subject, session: u64, request: AuthorizationRequest) -> Jti {
        let authorize = Authorize {
            subject: subject.clone(),
            session: Some(session),
            authentication: None,
            request: Some(request),
        };
        let mut result = self.run(authorize);
        assert_eq!(result.answer, Answer::Granted);
        let event = result.events.pop().unwrap();
        assert!(matches!(event.body, Body::CodeIssued(_)));
        event.jti()
    }

    /// What a login on a device of its own brings the client.
    pub fn device(&mut self, subject: &Subject, client: &str, wanted: &str) -> Device {
        let session = self.enter(subject);
        let code = self.code(subject, session, request(client, wanted));
        let held = held(&self.granted(redeem(client, &code)));
        Device { session, code, held }
    }

    /// The successor.
    pub fn refreshed(&mut self, before: &Held) -> Held {
        held(&self.granted(refresh(before)))
    }

    /// Which event's answer a replay is given, and what was appended.
    pub fn replayed(&mut self, before: &Held) -> (u64, Vec<Event>) {
        let Result { answer, events } = self.run(refresh(before));
        match answer {
            Answer::Stands(seq) => (seq, events),
            other => panic!("not replayed but {other:?}"),
        }
    }

    /// Why a command was refused, and the one event that says so.
    pub fn refused_on_record(&mut self, command: impl Into<Command>) -> (grantlog_events::Refusal, Event) {
        let mut result = self.run(command);
        let Answer::Refused(refusal) = result.answer else { panic!("not refused but {:?}", result.answer) };
        assert_eq!(result.events.len(), 1, "a refusal on record is one event");
        let event = result.events.remove(0);
        assert_eq!(event.outcome, grantlog_events::Outcome::Refused(refusal));
        (refusal, event)
    }

    /// A refusal that leaves nothing at all behind.
    pub fn refused_in_silence(&mut self, command: impl Into<Command>) -> grantlog_events::Refusal {
        match self.writes_nothing(command) {
            Answer::Refused(refusal) => refusal,
            other => panic!("not refused but {other:?}"),
        }
    }

    /// Whether the refresh token is the good one of a family that stands.
    pub fn refreshes(&mut self, held: &Held) -> bool {
        let answer = self.writes_nothing(InspectRefresh { token: held.refresh.clone() });
        matches!(answer, Answer::Stands(_))
    }

    pub fn session_lives(&self, subject: &Subject, session: u64) -> bool {
        session_is_live(self.state(), subject, session, self.now)
    }
}
