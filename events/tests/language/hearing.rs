//! What the registry tells a shard holds from its place in the shard's log, and is heard once.

use crate::{
    sample::{client, kid},
    shard::{Shard, issue},
};
use grantlog_events::{
    Body, Refusal,
    command::{HearClient, HearKey, RevokeToken},
    decide::Answer,
};

pub fn changed(name: &str, generation: u64) -> HearClient {
    HearClient { client: client(name), generation, registry_seq: 5, deleted: false, revoke_tokens: false }
}

#[test]
fn a_change_heard_twice_is_appended_once() {
    let (mut shard, _) = Shard::home();
    let event = shard.granted(changed("app", 2));
    assert!(matches!(&event.body, Body::ClientChanged(body) if body.registry_seq == 5));
    assert_eq!(shard.writes_nothing(changed("app", 2)), Answer::Stands(event.seq));
}

/// Told out of order by a retry, the shard keeps to the later one.
#[test]
fn a_change_overtaken_by_a_later_one_is_not_appended() {
    let (mut shard, _) = Shard::home();
    let later = shard.granted(changed("app", 3));
    assert_eq!(shard.writes_nothing(changed("app", 2)), Answer::Stands(later.seq));
    assert_eq!(shard.state().client(&client("app")).unwrap().generation, 3);
}

/// VE: after a secret was replaced, the next request with the old view is sent back.
#[test]
fn a_view_older_than_what_the_shard_heard_is_stale_for_every_kind_of_command() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.granted(changed("app", 2));
    assert_eq!(shard.refused(issue("app")), Refusal::ClientViewStale);
    assert_eq!(shard.refused(crate::revocation::by_client(&token)), Refusal::ClientViewStale);
    for generation in [2, 3] {
        let mut current = issue("app");
        current.caller.generation = generation;
        shard.granted(current);
    }
    let mut revoke: RevokeToken = crate::revocation::by_client(&token);
    revoke.caller.generation = 2;
    shard.granted(revoke);
    shard.granted(issue("someone-else"));
}

/// A new client needs no telling: a shard that has heard nothing of it knows generation 0.
#[test]
fn a_client_the_shard_never_heard_of_is_served() {
    let (mut shard, _) = Shard::home();
    shard.granted(issue("brand-new"));
}

#[test]
fn keys_are_distrusted_one_by_one() {
    let (mut shard, _) = Shard::home();
    shard.granted(HearKey { kid: kid("k2"), registry_seq: 1 });
    shard.granted(issue("app"));
    shard.granted(HearKey { kid: kid("k1"), registry_seq: 2 });
    assert_eq!(shard.refused(issue("app")), Refusal::KeyCompromised);
}
