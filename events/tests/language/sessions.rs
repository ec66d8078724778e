//! Sessions: begun by a login, kept by use, ended one by one.

use crate::{
    sample::client,
    shard::{Shard, exchange, presented, signing},
    visit::{BOUND, IDLE, LIFETIME, OFFLINE, logout, redeem, refresh, request, silent},
};
use grantlog_events::{
    Body, Refusal, Seconds, Subject,
    body::{RevokedBy, SubjectProfile},
    command::{
        Authorize, Command, EndSession, EraseSubject, Person, Refresh, RevokeSubjectTokens, SettleLogout, UpdateSubject,
    },
    decide::Answer,
    key::LONGEST_TOKEN,
};

fn other(shard: &mut Shard) -> Subject {
    let subject = Subject::born(1, [2; 16]);
    shard.create(&subject);
    subject
}

fn suspend(subject: &Subject, suspended: bool) -> UpdateSubject {
    let profile = SubjectProfile { suspended, auditor: false, password: true };
    UpdateSubject { subject: subject.clone(), profile, continued: 0, seen: None }
}

#[test]
fn a_login_starts_a_session_and_the_next_one_in_it_renews_it() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let begun = shard.now;
    shard.pass(100);
    let renewed = shard.granted(shard.authenticate(&subject, Some(session)));
    assert!(matches!(&renewed.body, Body::SessionRenewed(body) if body.session == session));
    let row = shard.state().session(&subject, session).unwrap();
    assert_eq!((row.auth_time, row.last_used), (shard.now, shard.now));
    assert_eq!(row.until, begun.after(LIFETIME), "renewing prolongs nothing");
}

#[test]
fn an_unused_session_dies_at_its_idle_time_and_not_before() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", BOUND));
    shard.now = shard.now.after(IDLE);
    shard.now.0 -= 1;
    assert!(shard.session_lives(&subject, session));
    shard.now.0 += 1;
    assert!(!shard.session_lives(&subject, session));
    assert_eq!(shard.refused_in_silence(silent(&subject, session, request("app", BOUND))), Refusal::LoginRequired);
    let again = shard.granted(shard.authenticate(&subject, Some(session)));
    assert!(matches!(again.body, Body::SessionStarted(_)), "a dead session is not renewed");
}

#[test]
fn each_use_and_each_renewal_begins_the_idle_time_anew() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    for _ in 0..3 {
        shard.pass(IDLE.0 - 1);
        shard.code(&subject, session, request("app", BOUND));
        shard.pass(IDLE.0 - 1);
        shard.granted(shard.authenticate(&subject, Some(session)));
    }
    assert!(shard.session_lives(&subject, session));
}

#[test]
fn a_session_in_constant_use_dies_at_the_end_of_its_lifetime() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let end = shard.now.after(LIFETIME);
    while shard.now.after(Seconds(IDLE.0 - 1)) < end {
        shard.pass(IDLE.0 - 1);
        shard.code(&subject, session, request("app", BOUND));
    }
    shard.now.0 = end.0 - 1;
    shard.code(&subject, session, request("app", BOUND));
    shard.now = end;
    assert_eq!(shard.refused_in_silence(silent(&subject, session, request("app", BOUND))), Refusal::LoginRequired);
}

/// V12, X5: with the session goes what was given for its duration, and what was exchanged from that.
#[test]
fn logging_out_ends_what_is_bound_to_the_session_and_its_exchanges() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", BOUND);
    let child = shard.exchanged(exchange(&device.held.token));
    let code = shard.code(&subject, device.session, request("app", BOUND));
    let ended = shard.granted(logout(device.session));
    assert!(matches!(&ended.body, Body::SessionEnded(body) if body.by == RevokedBy::Logout));
    assert_eq!(shard.inspect(&device.held.token), Err(Refusal::SessionEnded));
    assert_eq!(shard.inspect(&child), Err(Refusal::SessionEnded));
    assert_eq!(shard.refused_on_record(refresh(&device.held)).0, Refusal::SessionEnded);
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::SessionEnded);
    assert_eq!(
        shard.refused_in_silence(silent(&subject, device.session, request("app", BOUND))),
        Refusal::LoginRequired
    );
    assert!(!shard.refreshes(&device.held));
}

/// OIDC Core §11: `offline_access` is access while the person is not there.
#[test]
fn what_was_given_offline_survives_the_logout() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", OFFLINE);
    let code = shard.code(&subject, device.session, request("app", OFFLINE));
    shard.granted(logout(device.session));
    assert!(shard.lives(&device.held.token) && shard.refreshes(&device.held));
    let successor = shard.refreshed(&device.held);
    shard.granted(redeem("app", &code));
    assert!(shard.lives(&successor.token));
}

/// A lost device: with everything that it got.
#[test]
fn ending_a_session_with_its_grants_ends_the_offline_ones_of_it_and_no_other() {
    let (mut shard, subject) = Shard::home();
    let lost = shard.device(&subject, "app", OFFLINE);
    let unredeemed = shard.code(&subject, lost.session, request("other", OFFLINE));
    shard.code(&subject, lost.session, request("app", BOUND));
    let kept = shard.device(&subject, "app", OFFLINE);
    let end = EndSession { with_grants: true, by: RevokedBy::Person, ..logout(lost.session) };
    let event = shard.granted(end);
    let Body::SessionEnded(body) = &event.body else { panic!("not ended") };
    assert_eq!(body.grants.len(), 2, "what is bound to the session needs no name");
    assert_eq!(shard.inspect(&lost.held.token), Err(Refusal::GrantRevoked));
    assert_eq!(shard.refused_on_record(refresh(&lost.held)).0, Refusal::GrantRevoked);
    assert_eq!(shard.refused_in_silence(redeem("other", &unredeemed)), Refusal::GrantRevoked);
    assert!(shard.lives(&kept.held.token) && shard.refreshes(&kept.held));
}

/// What is over already is not named again: it would only make the event long.
#[test]
fn ending_a_session_names_no_grant_that_is_over() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    shard.code(&subject, session, request("app", OFFLINE));
    let revoked = shard.code(&subject, session, request("app", OFFLINE));
    shard.granted(redeem("app", &revoked));
    shard.refused_on_record(redeem("app", &revoked));
    shard.pass(60);
    let event = shard.granted(EndSession { with_grants: true, ..logout(session) });
    assert!(matches!(&event.body, Body::SessionEnded(body) if body.grants.is_empty()));
}

/// V15.
#[test]
fn logging_out_of_one_session_leaves_the_other() {
    let (mut shard, subject) = Shard::home();
    let (a, b) = (shard.device(&subject, "app", BOUND), shard.device(&subject, "app", BOUND));
    shard.granted(logout(b.session));
    assert!(!shard.lives(&b.held.token) && !shard.session_lives(&subject, b.session));
    assert!(shard.lives(&a.held.token) && shard.session_lives(&subject, a.session));
    shard.refreshed(&a.held);
}

#[test]
fn ending_twice_is_ending_once() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let event = shard.granted(logout(session));
    assert_eq!(shard.writes_nothing(logout(session)), Answer::Stands(event.seq));
    assert_eq!(shard.writes_nothing(EndSession { with_grants: true, ..logout(session) }), Answer::Stands(event.seq));
}

#[test]
fn only_a_session_is_ended_and_only_by_whom_it_belongs_to() {
    let (mut shard, subject) = Shard::home();
    let stranger = other(&mut shard);
    let device = shard.device(&subject, "app", BOUND);
    let theirs = shard.enter(&stranger);
    for target in [0, device.held.token.jti.address.seq, device.code.address.seq, 10_000] {
        assert_eq!(shard.refused_in_silence(logout(target)), Refusal::SessionUnknown);
    }
    let by = |subject: &Subject, session| Some(Person { subject: subject.clone(), session });
    let of_another = EndSession { person: by(&stranger, theirs), ..logout(device.session) };
    assert_eq!(shard.refused_in_silence(of_another), Refusal::SessionUnknown);
    let misnamed = EndSession { subject: Some(stranger.clone()), ..logout(device.session) };
    assert_eq!(shard.refused_in_silence(misnamed), Refusal::SessionUnknown);
    let borrowed = EndSession { person: by(&stranger, device.session), ..logout(device.session) };
    assert_eq!(shard.refused_in_silence(borrowed), Refusal::LoginRequired);
    assert!(shard.session_lives(&subject, device.session));
    let own = EndSession { person: by(&subject, device.session), subject: Some(subject.clone()), ..logout(theirs) };
    assert_eq!(shard.refused_in_silence(own), Refusal::SessionUnknown);
}

#[test]
fn a_person_ends_another_session_of_theirs_only_while_their_own_lives() {
    let (mut shard, subject) = Shard::home();
    let (own, lost) = (shard.enter(&subject), shard.enter(&subject));
    let person = Some(Person { subject: subject.clone(), session: own });
    shard.pass(IDLE.0);
    let late = EndSession { person: person.clone(), ..logout(lost) };
    assert_eq!(shard.refused_in_silence(late.clone()), Refusal::LoginRequired);
    shard.now.0 -= 1;
    shard.granted(late);
    assert!(!shard.session_lives(&subject, lost) && shard.session_lives(&subject, own));
}

/// A session is a person's own: another's position is none.
#[test]
fn nobody_enters_by_the_session_of_another() {
    let (mut shard, subject) = Shard::home();
    let stranger = other(&mut shard);
    let session = shard.enter(&subject);
    let borrowed = silent(&stranger, session, request("app", BOUND));
    assert_eq!(shard.refused_in_silence(borrowed), Refusal::LoginRequired);
    let nobody = Authorize { subject: Subject::born(1, [9; 16]), ..silent(&subject, session, request("app", BOUND)) };
    assert_eq!(shard.refused_in_silence(nobody), Refusal::SubjectUnknown);
    let login = shard.granted(shard.authenticate(&stranger, Some(session)));
    assert!(matches!(login.body, Body::SessionStarted(_)), "another's session is not renewed");
}

/// XG: who is suspended is logged out everywhere and stays so when they return.
#[test]
fn a_suspended_persons_sessions_are_over_for_good() {
    let (mut shard, subject) = Shard::home();
    let bound = shard.device(&subject, "app", BOUND);
    let offline = shard.device(&subject, "app", OFFLINE);
    let result = shard.run(suspend(&subject, true));
    let ended = result.events.iter().filter(|event| matches!(event.body, Body::SessionEnded(_))).count();
    assert_eq!(ended, 2);
    assert_eq!(shard.refused_in_silence(shard.authenticate(&subject, None)), Refusal::SubjectSuspended);
    assert_eq!(shard.refused_on_record(refresh(&offline.held)).0, Refusal::SubjectSuspended);
    assert!(!shard.session_lives(&subject, offline.session));
    shard.granted(suspend(&subject, false));
    assert!(!shard.session_lives(&subject, bound.session) && !shard.lives(&bound.held.token));
    assert!(shard.lives(&offline.held.token), "what outlives sessions returns with the person");
    shard.refreshed(&offline.held);
}

/// However many: each of them would come back to life with the person. Where nobody comes back, not all are named.
#[test]
fn no_session_is_forgotten_when_a_person_ends() {
    let ends: [fn(&Subject) -> Command; 3] = [
        |subject| suspend(subject, true).into(),
        |subject| EraseSubject { subject: subject.clone() }.into(),
        |subject| RevokeSubjectTokens { subject: subject.clone(), reason: String::new() }.into(),
    ];
    for end in ends {
        let (mut shard, subject) = Shard::home();
        let sessions: Vec<u64> = (0..120).map(|_| shard.enter(&subject)).collect();
        shard.run(end(&subject));
        assert!(!sessions.iter().any(|session| shard.session_lives(&subject, *session)));
        shard.run(suspend(&subject, false));
        assert!(!sessions.iter().any(|session| shard.session_lives(&subject, *session)));
    }
}

#[test]
fn more_events_than_fit_into_a_byte_come_of_one_command() {
    let (mut shard, subject) = Shard::home();
    for _ in 0..270 {
        shard.enter(&subject);
    }
    assert_eq!(shard.run(suspend(&subject, true)).events.len(), 271);
}

#[test]
fn only_sessions_that_are_open_are_ended_with_their_person() {
    let (mut shard, subject) = Shard::home();
    shard.enter(&subject);
    shard.pass(LIFETIME.0);
    let (over, open) = (shard.enter(&subject), shard.enter(&subject));
    shard.granted(logout(over));
    let result = shard.run(suspend(&subject, true));
    let ended = result.events.iter().filter_map(|event| match &event.body {
        Body::SessionEnded(body) => Some(body.session),
        _ => None,
    });
    assert_eq!(ended.collect::<Vec<_>>(), [open]);
}

/// VA: a token that was issued in a session's last instant lives on after it; the view must remember as long.
#[test]
fn the_end_of_a_session_is_remembered_as_long_as_the_longest_token_of_it() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", BOUND);
    let until = shard.state().session(&subject, device.session).unwrap().until;
    shard.now.0 = until.0 - 1;
    let last = Refresh { signing: signing(LONGEST_TOKEN.0), ..refresh(&device.held) };
    let last = presented(&shard.granted(last));
    let event = shard.granted(logout(device.session));
    assert!(matches!(&event.body, Body::SessionEnded(body) if body.until >= last.expires_at));
}

/// V12, VC.
#[test]
fn revoking_everything_of_a_person_ends_their_sessions_by_name_and_the_next_login_works() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", OFFLINE);
    let code = shard.code(&subject, device.session, request("app", OFFLINE));
    let result = shard.run(RevokeSubjectTokens { subject: subject.clone(), reason: "stolen".to_owned() });
    assert!(matches!(result.events.last().map(|event| &event.body), Some(Body::SessionEnded(_))));
    assert!(!shard.session_lives(&subject, device.session));
    assert_eq!(shard.refused_in_silence(redeem("app", &code)), Refusal::SubjectTokensRevoked);
    let again = shard.device(&subject, "app", OFFLINE);
    assert!(shard.lives(&again.held.token) && shard.refreshes(&again.held));
}

/// E17.
#[test]
fn an_erased_person_has_no_session_left() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", OFFLINE);
    let result = shard.run(EraseSubject { subject: subject.clone() });
    assert!(matches!(result.events.last().map(|event| &event.body), Some(Body::SessionEnded(_))));
    assert!(!shard.session_lives(&subject, device.session));
    assert_eq!(shard.refused_in_silence(shard.authenticate(&subject, None)), Refusal::SubjectErased);
    assert_eq!(shard.refused_on_record(refresh(&device.held)).0, Refusal::SubjectErased);
}

/// OIDC Back-Channel Logout: each client once, those that want it, until it is settled.
#[test]
fn clients_that_want_to_be_told_are_owed_a_notice_until_it_is_settled() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    for (name, wants) in [("app", true), ("app", true), ("deaf", false), ("web", true)] {
        let asked = grantlog_events::command::AuthorizationRequest { logout: wants, ..request(name, BOUND) };
        shard.code(&subject, session, asked);
    }
    let event = shard.granted(logout(session));
    let Body::SessionEnded(body) = &event.body else { panic!("not ended") };
    assert_eq!(body.notify, [client("app"), client("web")]);
    let settle = |name: &str, abandoned: Option<&str>| SettleLogout {
        subject: subject.clone(),
        session,
        client: client(name),
        attempts: 3,
        abandoned: abandoned.map(str::to_owned),
    };
    assert!(matches!(shard.granted(settle("app", None)).body, Body::LogoutDelivered(_)));
    assert_eq!(shard.writes_nothing(settle("app", None)), Answer::NothingToDo);
    assert!(matches!(shard.granted(settle("web", Some("gone"))).body, Body::LogoutAbandoned(_)));
    assert_eq!(shard.writes_nothing(settle("web", Some("gone"))), Answer::NothingToDo);
    assert_eq!(shard.writes_nothing(settle("deaf", None)), Answer::NothingToDo);
    assert!(shard.state().notice(&subject, session, &client("app")).is_none());
}
