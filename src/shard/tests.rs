//! Retries, which only the platform makes: the same request id gets the same answer and no second event.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::{Beside, Done, Run, SecretWrite, Shard, Store, ask::Private};
use crate::memory::{Faults, MemoryStore, When};
use grantlog_events::{
    ClientId, Command, Header, Kid, Origin, Place, Refusal, RequestId, Scope, Seconds, Timestamp,
    command::{Caller, Issue, OpenLog, Signing, Spend, SpendAssertion},
    key::Algorithm,
    stored::Bytes,
};
use std::rc::Rc;

const NOW: Timestamp = Timestamp(1_770_000_000_000);

fn run(request: u8, attempt: u64, command: impl Into<Command>) -> Run {
    let header = Header { request: RequestId([request; 16]), entropy: [request; 10], attempt };
    Run { header, command: command.into(), private: None }
}

fn issue(scope: &str) -> Issue {
    Issue {
        caller: Caller { client: ClientId::parse("printer").unwrap(), generation: 0 },
        signing: Signing { kid: Kid::parse("k1").unwrap(), algorithm: Algorithm::Es256, lifetime: Seconds(300) },
        scope: None,
        client_scope: Scope::parse(scope).unwrap(),
        audience: vec!["https://id.example".to_owned()],
        subject: None,
        spend: None,
        assertion_issuer: None,
        may_act: None,
        acr: None,
        amr: Vec::new(),
        auth_time: None,
    }
}

fn spend() -> SpendAssertion {
    let spend = Spend { assertion: [9; 16], until: Timestamp(NOW.0 + 60_000) };
    SpendAssertion { client: ClientId::parse("printer").unwrap(), spend }
}

/// An open log of its own.
fn shard() -> (Shard<MemoryStore>, Rc<Faults>) {
    let place = Place { epoch: 1, shard: 0 };
    let faults = Rc::new(Faults::default());
    let origin: Origin = place.origin("id.example");
    let shard = Shard::new(origin, MemoryStore::new(Rc::clone(&faults)));
    let open = OpenLog { place, verifier_key: "key".to_owned(), birth: [0; 32] };
    shard.run(&run(0, 0, open), Beside::default(), NOW).unwrap();
    (shard, faults)
}

fn head(shard: &Shard<MemoryStore>) -> u64 {
    shard.head().unwrap().next
}

fn done(shard: &Shard<MemoryStore>, run: &Run, later: u64) -> Done {
    shard.run(run, Beside::default(), Timestamp(NOW.0 + later)).unwrap()
}

#[test]
fn a_retried_command_gets_the_same_answer_and_no_second_event() {
    let (shard, _) = shard();
    let first = done(&shard, &run(1, 0, issue("read")), 0);
    let length = head(&shard);
    done(&shard, &run(2, 0, issue("read")), 5);
    let again = done(&shard, &run(1, 1, issue("read")), 10_000);
    assert_eq!((again.events, again.refusal, again.rows_written), (first.events, None, 0));
    assert_eq!(head(&shard), length + 1);
}

/// The first try was appended and its answer lost: the retry is not refused by what the first one did.
#[test]
fn a_retried_spending_is_not_a_replay_and_a_replay_is() {
    let (shard, _) = shard();
    assert_eq!(done(&shard, &run(1, 0, spend()), 0).refusal, None);
    assert_eq!(done(&shard, &run(1, 1, spend()), 1).refusal, None);
    assert_eq!(done(&shard, &run(2, 0, spend()), 2).refusal, Some(Refusal::AssertionSpent));
}

#[test]
fn a_retry_whose_first_try_left_nothing_is_a_first_try() {
    let (shard, faults) = shard();
    // After the rows are read comes the write: nothing was done.
    faults.fail(1, When::Before, false);
    let failed = shard.run(&run(1, 0, issue("read")), Beside::default(), NOW);
    assert!(faults.mend() && failed.is_err());
    let length = head(&shard);
    assert_eq!(done(&shard, &run(1, 1, issue("read")), 1).events.len(), 1);
    assert_eq!(head(&shard), length + 1);
}

#[test]
fn a_request_id_of_another_command_is_refused() {
    let (shard, _) = shard();
    done(&shard, &run(1, 0, issue("read")), 0);
    let length = head(&shard);
    let reused = done(&shard, &run(1, 1, issue("read write")), 1);
    assert_eq!((reused.refusal, head(&shard)), (Some(Refusal::RequestIdReused), length));
}

/// A retry never writes a secret again.
#[test]
fn a_retry_leaves_secrets_as_they_are() {
    let (shard, _) = shard();
    let with_secret = |attempt, value: &[u8]| {
        let secret = SecretWrite { name: "one".to_owned(), value: Some(Bytes(value.to_vec())) };
        let private = Private { secrets: vec![secret], ..Private::default() };
        Run { private: Some(private), ..run(1, attempt, spend()) }
    };
    done(&shard, &with_secret(0, b"first"), 0);
    done(&shard, &with_secret(1, b"second"), 1);
    assert_eq!(shard.store().secret("one").unwrap().unwrap(), b"first");
}
