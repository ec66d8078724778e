//! Wrong passwords: counted from the first, forgotten by a login or with time.

use crate::shard::Shard;
use grantlog_events::{
    Body, Refusal, Subject,
    command::RefuseLogin,
    decide::{ATTEMPTS_WINDOW, MAX_ATTEMPTS},
};

fn wrong(subject: &Subject) -> RefuseLogin {
    RefuseLogin { subject: subject.clone() }
}

fn fail(shard: &mut Shard, subject: &Subject, times: u64) {
    for _ in 0..times {
        let (refusal, event) = shard.refused_on_record(wrong(subject));
        assert_eq!(refusal, Refusal::CredentialsWrong);
        assert!(matches!(event.body, Body::LoginRefused(_)));
    }
}

/// E13: each leaves its event with the reason.
#[test]
fn so_many_wrong_passwords_are_noted_and_no_more_is_tried() {
    let (mut shard, subject) = Shard::home();
    fail(&mut shard, &subject, MAX_ATTEMPTS - 1);
    shard.enter(&subject);
    fail(&mut shard, &subject, MAX_ATTEMPTS);
    assert_eq!(shard.refused_in_silence(wrong(&subject)), Refusal::TooManyAttempts);
    let right = shard.authenticate(&subject, None);
    assert_eq!(shard.refused_in_silence(right), Refusal::TooManyAttempts, "not even the right one");
}

#[test]
fn the_window_begins_with_the_first_wrong_password_and_no_later_one_moves_it() {
    let (mut shard, subject) = Shard::home();
    fail(&mut shard, &subject, 1);
    let first = shard.now;
    shard.pass(ATTEMPTS_WINDOW.0 - 1);
    fail(&mut shard, &subject, MAX_ATTEMPTS - 1);
    shard.now = first.after(ATTEMPTS_WINDOW);
    shard.now.0 -= 1;
    assert_eq!(shard.refused_in_silence(shard.authenticate(&subject, None)), Refusal::TooManyAttempts);
    shard.now.0 += 1;
    shard.enter(&subject);
}

#[test]
fn after_the_window_counting_begins_anew() {
    let (mut shard, subject) = Shard::home();
    fail(&mut shard, &subject, MAX_ATTEMPTS);
    shard.pass(ATTEMPTS_WINDOW.0);
    fail(&mut shard, &subject, MAX_ATTEMPTS);
    assert_eq!(shard.refused_in_silence(wrong(&subject)), Refusal::TooManyAttempts);
}

#[test]
fn a_login_forgets_wrong_passwords_and_so_does_a_renewal() {
    let (mut shard, subject) = Shard::home();
    fail(&mut shard, &subject, MAX_ATTEMPTS - 1);
    let session = shard.enter(&subject);
    assert!(shard.state().attempts(&subject).is_none());
    fail(&mut shard, &subject, MAX_ATTEMPTS - 1);
    shard.granted(shard.authenticate(&subject, Some(session)));
    assert!(shard.state().attempts(&subject).is_none());
}

/// One account under attack is one account at rest.
#[test]
fn wrong_passwords_of_one_person_are_not_anothers() {
    let (mut shard, subject) = Shard::home();
    let other = Subject::born(1, [2; 16]);
    shard.create(&other);
    fail(&mut shard, &subject, MAX_ATTEMPTS);
    fail(&mut shard, &other, 1);
    shard.enter(&other);
    assert_eq!(shard.refused_in_silence(wrong(&Subject::born(1, [9; 16]))), Refusal::SubjectUnknown);
}

/// Who is logged in is not logged out by somebody who guesses.
#[test]
fn an_account_at_rest_keeps_the_sessions_it_has() {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    fail(&mut shard, &subject, MAX_ATTEMPTS);
    assert!(shard.session_lives(&subject, session));
    shard.code(&subject, session, crate::visit::request("app", crate::visit::BOUND));
}
