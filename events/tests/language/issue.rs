//! Issuing: a grant and its first token in one event.

use crate::{
    sample::{client, scope},
    shard::{Shard, issue, presented, signing},
};
use grantlog_events::{
    Body, Refusal, Subject, Timestamp,
    body::SubjectProfile,
    command::{Issue, Spend, SpendAssertion, UpdateSubject},
    decide::Answer,
    key::LONGEST_TOKEN,
    token::{Cause, Party},
};

#[test]
fn client_credentials_begin_a_grant_of_the_client_itself() {
    let (mut shard, _) = Shard::home();
    let event = shard.granted(issue("batch"));
    let issued = event.body.issued().unwrap();
    assert_eq!(issued.cause, Cause::ClientCredentials);
    assert_eq!((event.grant, event.subject.clone()), (Some(event.seq), None));
    assert_eq!(event.party(), Some(Party::Client(client("batch"))));
    let token = presented(&event);
    assert!(shard.lives(&token));
}

#[test]
fn a_client_is_given_what_it_asks_for_and_no_more_than_it_may_have() {
    let (mut shard, _) = Shard::home();
    let ask = |text: &str| Issue { scope: Some(scope(text)), ..issue("batch") };
    assert_eq!(presented(&shard.granted(ask("email openid"))).scope, scope("email openid"));
    assert_eq!(presented(&shard.granted(issue("batch"))).scope, scope("openid profile email"));
    assert_eq!(shard.refused(ask("openid admin")), Refusal::ScopeExceedsClient);
}

#[test]
fn exp_is_in_whole_seconds_and_never_beyond_the_longest_token() {
    let (mut shard, _) = Shard::home();
    let event = shard.granted(Issue { signing: signing(60), ..issue("batch") });
    assert_eq!(event.body.issued().unwrap().expires_at, Timestamp(1_800_000_060_000));
    for lifetime in [LONGEST_TOKEN.0 + 1, u64::MAX] {
        let event = shard.granted(Issue { signing: signing(lifetime), ..issue("batch") });
        assert_eq!(event.body.issued().unwrap().expires_at.seconds(), shard.now.seconds() + LONGEST_TOKEN.0);
    }
}

fn with_assertion(subject: &Subject, assertion: [u8; 16]) -> Issue {
    let spend = Spend { assertion, until: Timestamp(1_800_000_300_000) };
    Issue { subject: Some(subject.clone()), spend: Some(spend), ..issue("app") }
}

/// RFC 7523 §3: an assertion buys one grant; it is spent by the event that it bought.
#[test]
fn an_assertion_buys_once() {
    let (mut shard, subject) = Shard::home();
    let event = shard.granted(with_assertion(&subject, [4; 16]));
    assert!(matches!(&event.body, Body::TokenIssued(issued) if issued.spent.is_some()));
    assert_eq!(event.body.issued().unwrap().cause, Cause::Assertion);
    assert_eq!(shard.writes_nothing(with_assertion(&subject, [4; 16])), Answer::Refused(Refusal::AssertionSpent));
    shard.granted(with_assertion(&subject, [5; 16]));
}

/// What a refusal did not use is not spent.
#[test]
fn a_refused_issue_spends_no_assertion() {
    let (mut shard, subject) = Shard::home();
    let greedy = Issue { scope: Some(scope("admin")), ..with_assertion(&subject, [4; 16]) };
    assert_eq!(shard.writes_nothing(greedy), Answer::Refused(Refusal::ScopeExceedsClient));
    shard.granted(with_assertion(&subject, [4; 16]));
}

#[test]
fn a_client_assertion_is_spent_once() {
    let (mut shard, subject) = Shard::home();
    let spend = Spend { assertion: [4; 16], until: shard.now };
    let command = SpendAssertion { client: client("app"), spend };
    shard.granted(command.clone());
    assert_eq!(shard.writes_nothing(command), Answer::Refused(Refusal::AssertionSpent));
    assert_eq!(shard.refused(with_assertion(&subject, [4; 16])), Refusal::AssertionSpent);
}

#[test]
fn a_subject_unknown_here_is_given_nothing() {
    let (mut shard, _) = Shard::home();
    let stranger = Subject::born(1, [9; 16]);
    assert_eq!(shard.refused(with_assertion(&stranger, [4; 16])), Refusal::SubjectUnknown);
}

fn entitle(subject: &Subject, auditor: bool) -> UpdateSubject {
    let profile = SubjectProfile { suspended: false, auditor, password: false };
    UpdateSubject { subject: subject.clone(), profile, continued: 0, seen: None }
}

/// A person reads the audit log only with the entitlement, whatever the client may ask for.
#[test]
fn a_person_holds_the_scope_audit_only_while_entitled() {
    let (mut shard, subject) = Shard::home();
    let console = Issue { client_scope: scope("openid audit"), ..with_assertion(&subject, [1; 16]) };
    let anew = |n: u8| Issue { spend: with_assertion(&subject, [n; 16]).spend, ..console.clone() };
    let only_audit = |n: u8| Issue { scope: Some(scope("audit")), ..anew(n) };
    assert_eq!(presented(&shard.granted(anew(1))).scope, scope("openid"));
    assert_eq!(shard.refused(only_audit(2)), Refusal::ScopeEmpty);
    shard.granted(entitle(&subject, true));
    let token = presented(&shard.granted(anew(2)));
    assert_eq!(token.scope, scope("openid audit"));
    let onward =
        grantlog_events::command::Exchange { client_scope: scope("openid audit"), ..crate::shard::exchange(&token) };
    assert_eq!(shard.exchanged(onward.clone()).scope, scope("openid audit"));
    shard.granted(entitle(&subject, false));
    assert_eq!(shard.exchanged(onward).scope, scope("openid"));
    let machine = Issue { client_scope: scope("audit"), ..issue("operator") };
    assert_eq!(presented(&shard.granted(machine)).scope, scope("audit"));
}
