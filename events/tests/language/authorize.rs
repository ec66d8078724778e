//! The authorization endpoint's decision: who is logged in, how freshly, and which code comes of it.

use crate::{
    sample::{client, scope},
    shard::{Shard, caller, issue},
    visit::{BOUND, OFFLINE, redeem, request, silent, spend},
};
use grantlog_events::{
    Body, Refusal, Seconds, Subject,
    body::SubjectProfile,
    command::{AuthorizationRequest, Authorize, CreateSubject, HearClient},
    decide::Answer,
};

/// A fresh login with what a client asks.
fn login(shard: &Shard, subject: &Subject, request: AuthorizationRequest) -> Authorize {
    Authorize { request: Some(request), ..shard.authenticate(subject, None) }
}

#[test]
fn a_login_with_a_request_is_session_consent_and_code_in_one_turn() {
    let (mut shard, subject) = Shard::home();
    let result = shard.run(login(&shard, &subject, request("app", BOUND)));
    assert_eq!(result.answer, Answer::Granted);
    let [session, consent, code] = &result.events[..] else { panic!("{:?}", result.events) };
    assert!(matches!(session.body, Body::SessionStarted(_)) && matches!(consent.body, Body::ConsentGranted(_)));
    let Body::CodeIssued(body) = &code.body else { panic!("no code") };
    assert_eq!((body.session, body.auth_time, code.grant), (session.seq, shard.now, Some(code.seq)));
    assert_eq!((code.subject.as_ref(), code.client.as_ref()), (Some(&subject), Some(&client("app"))));
    assert_eq!(body.scope, scope(BOUND));
    assert!(!body.offline);
}

/// R22: what is asked of the person is decided where the code is given.
#[test]
fn without_a_session_or_with_none_that_lives_nothing_comes_of_it() {
    let (mut shard, subject) = Shard::home();
    let asked = silent(&subject, 0, request("app", BOUND));
    assert_eq!(shard.refused_in_silence(asked.clone()), Refusal::LoginRequired);
    assert_eq!(shard.refused_in_silence(Authorize { session: None, ..asked }), Refusal::LoginRequired);
}

#[test]
fn asking_only_whether_somebody_is_logged_in_writes_nothing() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let asked = Authorize { request: None, ..silent(&subject, session, request("app", BOUND)) };
    assert_eq!(shard.writes_nothing(asked), Answer::NothingToDo);
}

/// OIDC Core §3.1.2.1, `max_age`.
#[test]
fn a_login_is_fresh_until_max_age_has_passed_and_not_a_millisecond_longer() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", BOUND));
    let asked = silent(&subject, session, AuthorizationRequest { max_age: Some(Seconds(60)), ..request("app", BOUND) });
    shard.pass(60);
    shard.granted(asked.clone());
    shard.now.0 += 1;
    assert_eq!(shard.refused_in_silence(asked.clone()), Refusal::LoginRequired);
    shard.granted(shard.authenticate(&subject, Some(session)));
    shard.granted(asked);
}

/// What the code says of the login is what the session knows, not when the code was given.
#[test]
fn a_code_carries_the_time_and_the_strength_of_the_login_before() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let proved = shard.now;
    shard.pass(500);
    let code = shard.code(&subject, session, request("app", BOUND));
    let Body::CodeIssued(body) = &shard.state().event(code.address.seq).unwrap().body else { panic!("no code") };
    assert_eq!(
        (body.auth_time, body.acr.as_str(), &body.amr[..]),
        (proved, "urn:example:password", &["pwd".to_owned()][..])
    );
    assert_eq!(body.until, shard.now.after(Seconds(60)));
}

/// OIDC Core §2, `acr`, `amr`: of the last proof, in the code of that login and in those after it.
#[test]
fn a_stronger_renewal_is_what_later_codes_speak_of() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let mut renewal = shard.authenticate(&subject, Some(session));
    let stronger = renewal.authentication.as_mut().unwrap();
    (stronger.acr, stronger.amr) = ("urn:example:passkey".to_owned(), vec!["hwk".to_owned()]);
    let result = shard.run(Authorize { request: Some(request("app", BOUND)), ..renewal });
    let later = shard.code(&subject, session, request("app", BOUND)).address.seq;
    for seq in [result.events.last().unwrap().seq, later] {
        let Body::CodeIssued(body) = &shard.state().event(seq).unwrap().body else { panic!("no code") };
        assert_eq!((body.acr.as_str(), &body.amr[..]), ("urn:example:passkey", &["hwk".to_owned()][..]));
    }
}

#[test]
fn a_sign_in_challenge_is_spent_once_whoever_shows_it() {
    let (mut shard, subject) = Shard::home();
    let other = Subject::born(1, [2; 16]);
    shard.create(&other);
    let login = shard.authenticate(&subject, None);
    let started = shard.granted(login.clone());
    assert_eq!(shard.refused_in_silence(login.clone()), Refusal::ChallengeSpent);
    assert_eq!(shard.refused_in_silence(Authorize { subject: other, ..login.clone() }), Refusal::ChallengeSpent);
    let renewal = shard.authenticate(&subject, Some(started.seq));
    shard.granted(renewal.clone());
    assert_eq!(shard.refused_in_silence(renewal), Refusal::ChallengeSpent);
}

/// RFC 9126 §4: a pushed request is good for one authorization.
#[test]
fn a_pushed_request_is_spent_once_and_by_a_code_only() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let asked = AuthorizationRequest { pushed: Some(spend(u64::MAX)), ..request("app", BOUND) };
    let unconsented = silent(&subject, session, asked.clone());
    assert_eq!(shard.refused_in_silence(unconsented), Refusal::ConsentRequired);
    shard.code(&subject, session, asked.clone());
    assert_eq!(shard.refused_in_silence(silent(&subject, session, asked.clone())), Refusal::RequestSpent);
    assert_eq!(shard.refused_in_silence(login(&shard, &subject, asked)), Refusal::RequestSpent);
}

#[test]
fn scope_that_the_client_does_not_have_is_left_out_and_nothing_is_put_in_its_place() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let narrow = AuthorizationRequest { client_scope: scope("profile"), ..request("app", "openid profile email") };
    let code = shard.code(&subject, session, narrow.clone());
    let Body::CodeIssued(body) = &shard.state().event(code.address.seq).unwrap().body else { panic!("no code") };
    assert_eq!(body.scope, scope("profile"));
    let nothing = AuthorizationRequest { scope: scope("email"), ..narrow };
    assert_eq!(shard.refused_in_silence(silent(&subject, session, nothing)), Refusal::ScopeEmpty);
}

/// The audit log is opened by the person's entitlement, whatever client and request say.
#[test]
fn only_an_auditor_is_given_the_scope_audit() {
    let (mut shard, subject) = Shard::home();
    let auditor = Subject::born(1, [2; 16]);
    let profile = SubjectProfile { suspended: false, auditor: true, password: true };
    shard.granted(CreateSubject { subject: auditor.clone(), profile, continued: 0 });
    let asked = AuthorizationRequest { client_scope: scope("openid audit"), ..request("app", "openid audit") };
    for (subject, granted) in [(&subject, "openid"), (&auditor, "openid audit")] {
        let session = shard.enter(subject);
        let code = shard.code(subject, session, asked.clone());
        let given = shard.state().event(code.address.seq).unwrap();
        assert!(matches!(&given.body, Body::CodeIssued(body) if body.scope == scope(granted)));
        let token = shard.granted(redeem("app", &code));
        assert_eq!(token.body.issued().unwrap().scope, scope(granted));
    }
}

#[test]
fn a_client_that_may_not_refresh_gets_no_offline_access() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let asked = AuthorizationRequest { may_refresh: false, ..request("app", OFFLINE) };
    let code = shard.code(&subject, session, asked);
    let Body::CodeIssued(body) = &shard.state().event(code.address.seq).unwrap().body else { panic!("no code") };
    assert_eq!((&body.scope, body.offline), (&scope(BOUND), false));
    let code = shard.code(&subject, session, request("app", OFFLINE));
    assert!(matches!(&shard.state().event(code.address.seq).unwrap().body, Body::CodeIssued(body) if body.offline));
}

/// VE, XG: decided by what this log was told of the client, not by an old view.
#[test]
fn a_deleted_client_and_an_old_view_of_one_get_no_code() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let hear = |generation, deleted| HearClient {
        client: client("app"),
        generation,
        registry_seq: generation,
        deleted,
        revoke_tokens: false,
    };
    shard.granted(hear(1, false));
    let stale = Authorize { session: Some(session), ..login(&shard, &subject, request("app", BOUND)) };
    assert_eq!(shard.refused_in_silence(stale), Refusal::ClientViewStale);
    shard.granted(hear(2, true));
    let current = grantlog_events::command::Caller { generation: 2, ..caller("app") };
    let asked = AuthorizationRequest { caller: current, ..request("app", BOUND) };
    assert_eq!(shard.refused_in_silence(silent(&subject, session, asked)), Refusal::ClientDeleted);
}

/// A token bought with an assertion is no login.
#[test]
fn only_a_session_lets_in() {
    let (mut shard, subject) = Shard::home();
    let token = shard.granted(grantlog_events::command::Issue { subject: Some(subject.clone()), ..issue("app") });
    assert_eq!(shard.refused_in_silence(silent(&subject, token.seq, request("app", BOUND))), Refusal::LoginRequired);
}
