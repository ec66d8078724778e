//! People and their names: claimed, created, suspended, erased.

use crate::shard::{Shard, exchange, issue};
use grantlog_events::{
    Body, Refusal, Subject,
    body::SubjectProfile,
    command::{ClaimName, CreateSubject, EraseSubject, Issue, ReleaseName, RevokeSubjectTokens, UpdateSubject},
    decide::Answer,
    state::Standing,
};

fn profile(suspended: bool) -> SubjectProfile {
    SubjectProfile { suspended, auditor: false, password: true }
}

fn update(subject: &Subject, suspended: bool) -> UpdateSubject {
    UpdateSubject { subject: subject.clone(), profile: profile(suspended), continued: 0, seen: None }
}

fn login(subject: &Subject) -> Issue {
    Issue { subject: Some(subject.clone()), ..issue("app") }
}

#[test]
fn a_subject_is_created_once() {
    let (mut shard, subject) = Shard::home();
    let again = CreateSubject { subject: subject.clone(), profile: profile(false), continued: 0 };
    assert_eq!(shard.refused(again), Refusal::SubjectExists);
    let stranger = Subject::born(1, [9; 16]);
    assert_eq!(shard.refused(update(&stranger, false)), Refusal::SubjectUnknown);
    assert_eq!(shard.refused(EraseSubject { subject: stranger }), Refusal::SubjectUnknown);
}

/// XG: a suspended user's tokens are refused at once; resumed, they live on.
#[test]
fn suspension_refuses_every_live_token_until_it_ends() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let child = shard.exchanged(exchange(&token));
    shard.granted(update(&subject, true));
    for token in [&token, &child] {
        assert_eq!(shard.inspect(token), Err(Refusal::SubjectSuspended));
        assert_eq!(shard.refused(exchange(token)), Refusal::SubjectSuspended);
    }
    assert_eq!(shard.refused(login(&subject)), Refusal::SubjectSuspended);
    shard.granted(update(&subject, false));
    assert!(shard.lives(&token) && shard.lives(&child));
}

/// V12: what was revoked stays revoked through any later change of the person.
#[test]
fn changing_a_person_revives_nothing() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.granted(RevokeSubjectTokens { subject: subject.clone(), reason: String::new() });
    shard.granted(update(&subject, true));
    shard.granted(update(&subject, false));
    assert_eq!(shard.inspect(&token), Err(Refusal::SubjectTokensRevoked));
}

/// E17: erasure is an event without a word about the person, and it is for good.
#[test]
fn an_erased_subject_never_comes_back() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let erasure = shard.granted(EraseSubject { subject: subject.clone() });
    assert!(matches!(erasure.body, Body::SubjectErased(_)));
    assert_eq!(shard.inspect(&token), Err(Refusal::SubjectErased));
    assert_eq!(shard.refused(exchange(&token)), Refusal::SubjectErased);
    assert_eq!(shard.refused(login(&subject)), Refusal::SubjectErased);
    assert_eq!(shard.refused(update(&subject, false)), Refusal::SubjectErased);
    let again = CreateSubject { subject: subject.clone(), profile: profile(false), continued: 0 };
    assert_eq!(shard.refused(again), Refusal::SubjectExists);
    assert_eq!(shard.writes_nothing(EraseSubject { subject: subject.clone() }), Answer::Stands(erasure.seq));
    assert_eq!(shard.state().subject(&subject).unwrap().standing, Standing::Erased);
}

fn claim(claim: u8, subject: &Subject) -> ClaimName {
    ClaimName { claim: [claim; 16], subject: subject.clone() }
}

/// The hash that the name lives under is the shard's secret; the log knows the claim alone.
#[test]
fn a_name_is_held_by_one_claim_until_it_is_released() {
    let (mut shard, subject) = Shard::home();
    let event = shard.granted(claim(1, &subject));
    assert_eq!(event.subject.as_ref(), Some(&subject));
    shard.name_holder = Some([1; 16]);
    assert_eq!(shard.writes_nothing(claim(1, &subject)), Answer::NothingToDo);
    assert_eq!(shard.refused(claim(2, &Subject::born(1, [2; 16]))), Refusal::NameTaken);
    let released = shard.granted(ReleaseName { claim: [1; 16] });
    assert_eq!(released.subject, Some(subject));
    assert_eq!(shard.refused(ReleaseName { claim: [1; 16] }), Refusal::ClaimUnknown);
    shard.name_holder = None;
    shard.granted(claim(2, &Subject::born(1, [2; 16])));
}
