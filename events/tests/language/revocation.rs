//! Revocation: by token, grant, subject, client and key, each of which the revoker need not hold.

use crate::{
    sample::{client, kid, scope},
    shard::{Shard, caller, exchange, signing},
};
use grantlog_events::{
    Body, Event, Place, Refusal, Stored, Subject,
    body::RevokedBy,
    command::{
        Exchange, HearClient, HearKey, Inspect, RevokeGrant, RevokeIssued, RevokeSubjectTokens, RevokeToken, Signing,
    },
    decide::Answer,
    token::Presented,
};

pub fn by_client(token: &Presented) -> RevokeToken {
    RevokeToken { caller: caller(token.client.as_str()), token: token.clone() }
}

pub fn by_operator(token: &Presented) -> RevokeIssued {
    RevokeIssued { target: token.jti.address.seq, by: RevokedBy::Operator, reason: "lost".to_owned() }
}

fn grant_of(token: &Presented) -> RevokeGrant {
    RevokeGrant { target: token.grant, by: RevokedBy::Operator, reason: "lost".to_owned() }
}

/// V12.
#[test]
fn a_client_revokes_its_own_token_once_and_again_without_effect() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let event = shard.granted(by_client(&token));
    assert!(matches!(&event.body, Body::TokenRevoked(ended) if ended.by == RevokedBy::Client));
    assert_eq!(shard.inspect(&token), Err(Refusal::TokenRevoked));
    assert_eq!(shard.writes_nothing(by_client(&token)), Answer::Stands(event.seq));
    assert_eq!(shard.writes_nothing(by_operator(&token)), Answer::Stands(event.seq));
}

/// RFC 7009 §2.1: a token is revoked by the client it was issued to.
#[test]
fn a_client_cannot_revoke_the_token_of_another() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let stranger = RevokeToken { caller: caller("other"), ..by_client(&token) };
    assert_eq!(shard.refused(stranger), Refusal::TokenOfAnotherClient);
    assert!(shard.lives(&token));
}

#[test]
fn revoking_an_expired_token_has_nothing_to_do() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.now = token.expires_at;
    assert_eq!(shard.writes_nothing(by_client(&token)), Answer::NothingToDo);
}

#[test]
fn a_forged_token_revokes_nothing() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let forged = Presented { scope: scope("admin"), ..token.clone() };
    assert_eq!(shard.refused(by_client(&forged)), Refusal::TokenUnknown);
    assert!(shard.lives(&token));
}

/// V12: without having the token.
#[test]
fn an_operator_revokes_by_position_and_only_what_was_issued_there() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    for target in [0, 1, 99, u64::MAX] {
        assert_eq!(shard.refused(RevokeIssued { target, ..by_operator(&token) }), Refusal::TokenUnknown);
        assert_eq!(shard.refused(RevokeGrant { target, ..grant_of(&token) }), Refusal::GrantUnknown);
    }
    shard.granted(by_operator(&token));
    assert!(!shard.lives(&token));
}

/// V12, V15: a grant ends with all under it; the person's other grants live.
#[test]
fn revoking_a_grant_ends_exactly_that_grant() {
    let (mut shard, subject) = Shard::home();
    let (token, other) = (shard.login(&subject), shard.login(&subject));
    let child = shard.exchanged(exchange(&token));
    assert_eq!(shard.refused(RevokeGrant { target: child.jti.address.seq, ..grant_of(&token) }), Refusal::GrantUnknown);
    let event = shard.granted(grant_of(&token));
    assert!(!shard.lives(&token) && !shard.lives(&child));
    assert!(shard.lives(&other));
    assert_eq!(shard.writes_nothing(grant_of(&token)), Answer::Stands(event.seq));
}

/// A token need not descend from the grant's first token to die with the grant: a refreshed one has no ancestor.
#[test]
fn a_token_that_descends_from_its_grant_alone_dies_with_it() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let first = shard.state().event(root.grant).unwrap().clone();
    let mut state = shard.state().clone();
    let mut take = |event: &Event| state.apply(event, &event.to_bytes());
    let refreshed = Event { seq: first.seq + 10, ..first };
    take(&refreshed);
    take(&shard.granted(grant_of(&root)));
    state.recall(refreshed.clone());
    let inspection = Inspect { token: crate::shard::presented(&refreshed) }.into();
    let answer = grantlog_events::decide(&state, &inspection, shard.now).answer;
    assert_eq!(answer, Answer::Refused(Refusal::GrantRevoked));
}

/// V12, VC: everything of a person ends; what is issued afterwards lives, and nobody else's is touched.
#[test]
fn revoking_a_subject_ends_every_family_issued_until_now() {
    let (mut shard, subject) = Shard::home();
    let other = Subject::born(1, [2; 16]);
    shard.create(&other);
    let dead: Vec<_> = (0..3)
        .flat_map(|_| {
            let token = shard.login(&subject);
            [shard.exchanged(exchange(&token)), token]
        })
        .collect();
    let (of_other, of_machine) = (shard.login(&other), shard.machine_token("app"));
    shard.granted(RevokeSubjectTokens { subject: subject.clone(), reason: String::new() });
    for token in &dead {
        assert_eq!(shard.inspect(token), Err(Refusal::SubjectTokensRevoked));
        assert_eq!(shard.refused(exchange(token)), Refusal::SubjectTokensRevoked);
    }
    let after = shard.login(&subject);
    assert!(shard.lives(&after) && shard.lives(&of_other) && shard.lives(&of_machine));
    let stranger = Subject::born(1, [3; 16]);
    let unknown = RevokeSubjectTokens { subject: stranger, reason: String::new() };
    assert_eq!(shard.refused(unknown), Refusal::SubjectUnknown);
}

fn told(generation: u64, deleted: bool, revoke_tokens: bool) -> HearClient {
    HearClient { client: client("app"), generation, registry_seq: 9, deleted, revoke_tokens }
}

/// XG: every live token of a deleted client is refused at once.
#[test]
fn a_deleted_clients_tokens_die_and_it_is_given_no_more() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let of_other = shard.exchanged(exchange(&token));
    shard.granted(told(1, true, false));
    assert_eq!(shard.inspect(&token), Err(Refusal::ClientDeleted));
    assert_eq!(shard.refused(exchange(&token)), Refusal::ClientDeleted);
    assert!(shard.lives(&of_other), "what another client obtained is that client's");
    let stale = crate::shard::issue("app");
    assert_eq!(shard.refused(stale.clone()), Refusal::ClientViewStale);
    let current = grantlog_events::command::Issue {
        caller: grantlog_events::command::Caller { generation: 1, ..stale.caller.clone() },
        ..stale
    };
    assert_eq!(shard.refused(current), Refusal::ClientDeleted);
}

/// XG: a machine token names its client as `sub`, whoever exchanged it.
#[test]
fn a_machine_token_dies_with_the_client_that_its_sub_names() {
    let (mut shard, _) = Shard::home();
    let token = shard.machine_token("app");
    let exchanged = shard.exchanged(exchange(&token));
    shard.granted(told(1, true, false));
    assert_eq!(shard.inspect(&exchanged), Err(Refusal::ClientDeleted));
}

/// V12: by client.
#[test]
fn revoking_a_clients_tokens_kills_those_issued_until_it_was_heard() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.granted(told(1, false, true));
    assert_eq!(shard.inspect(&token), Err(Refusal::ClientTokensRevoked));
    let mut issue = crate::shard::issue("app");
    issue.caller.generation = 1;
    let after = crate::shard::presented(&shard.granted(issue));
    assert!(shard.lives(&after));
    shard.granted(told(2, false, false));
    assert_eq!(shard.inspect(&token), Err(Refusal::ClientTokensRevoked), "a later change revives nothing");
    assert!(shard.lives(&after));
}

/// V12: by signing key.
#[test]
fn a_distrusted_key_refuses_all_it_signed_and_signs_no_more() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let resigned = Signing { kid: kid("k2"), ..signing(600) };
    let other = shard.exchanged(Exchange { signing: resigned.clone(), ..exchange(&token) });
    let heard = shard.granted(HearKey { kid: kid("k1"), registry_seq: 4 });
    let again = shard.writes_nothing(HearKey { kid: kid("k1"), registry_seq: 4 });
    assert_eq!(again, Answer::Stands(heard.seq));
    assert_eq!(shard.inspect(&token), Err(Refusal::KeyCompromised));
    assert!(shard.lives(&other));
    assert_eq!(shard.refused(crate::shard::issue("app")), Refusal::KeyCompromised);
    let before = shard.state().head.next;
    assert_eq!(shard.refused(exchange(&other)), Refusal::KeyCompromised);
    assert_eq!(shard.state().head.next, before, "our own key's fault is no event of the token");
    shard.exchanged(Exchange { signing: resigned, ..exchange(&other) });
}

/// The same seq in another log is another token.
#[test]
fn a_token_of_another_shard_is_unknown_here() {
    let (mut shard, subject) = Shard::home();
    let mut elsewhere = Shard::born(Place { epoch: 1, shard: 4 });
    elsewhere.create(&subject);
    let (token, foreign) = (shard.login(&subject), elsewhere.login(&subject));
    assert_eq!(token.jti.address.seq, foreign.jti.address.seq);
    assert_eq!(shard.inspect(&foreign), Err(Refusal::TokenUnknown));
    assert_eq!(shard.refused(exchange(&foreign)), Refusal::TokenUnknown);
}
