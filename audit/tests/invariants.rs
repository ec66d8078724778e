//! Other broken invariants (17): first tokens, revocations, beginnings, ids, limits.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{
    World,
    forgery::{actor_of, assert_broken, assert_forgery_is_found, delegation, ended, exchange, first_token, verify},
    log,
};
use grantlog_events::{
    Body, Draft, Event, Outcome, Refusal, Seconds, Subject, Timestamp,
    body::{Ended, ExchangeVoided, LogOpened},
    command::{EraseSubject, HearClient, HearKey},
    decide::{MAX_ACTORS, MAX_ANCESTORS},
    envelope::GrantOf,
    stored::Bytes,
};

#[test]
fn more_than_the_limits_is_found() {
    let mut world = World::new();
    let mut parent = world.chain[1];
    while world.first.event(parent).ancestors.len() < MAX_ANCESTORS {
        parent = world.first.exchange(parent, None);
    }
    assert_eq!(verify(&world).code, 0);
    let draft = exchange(&world, parent, |_| ());
    world.first.forge(draft);
    assert_broken(&world, "it has 33 ancestors");

    let mut world = World::new();
    let mut parent = world.chain[0];
    let actor = world.first.issue(None, "openid");
    while world.first.event(parent).actors.len() < MAX_ACTORS {
        parent = world.first.exchange(parent, Some(actor));
    }
    assert_eq!(verify(&world).code, 0);
    let draft = delegation(exchange(&world, parent, |_| ()), actor_of(&world.first, actor));
    world.first.forge(draft);
    assert_broken(&world, "it has 17 actors");

    let mut world = World::new();
    let last = world.first.events.pop().unwrap().0;
    world.first.append(Event { sealed: Some(Bytes(vec![0; 17 * 1024])), ..last });
    assert_broken(&world, "over the limit of 16384");
}

#[test]
fn a_first_token_for_nobody_who_may_have_one_is_found() {
    assert_forgery_is_found("it issues a first token under a grant that is not its own", |world| Draft {
        grant: GrantOf::Position(world.chain[0]),
        ..first_token(world, Some(&world.person), |_| ())
    });
    assert_forgery_is_found("it issues a first token in which someone acts", |world| Draft {
        actors: vec![actor_of(&world.second, world.actor)],
        ..first_token(world, Some(&world.person), |_| ())
    });
    assert_forgery_is_found("it issues a token to the suspended", |world| {
        world.first.suspend(&world.person.clone(), true);
        first_token(world, Some(&world.person), |_| ())
    });
    assert_forgery_is_found("it issues a token to the erased", |world| {
        world.first.grant(EraseSubject { subject: world.person.clone() });
        first_token(world, Some(&world.person), |_| ())
    });
    assert_forgery_is_found("it issues a token to 1-", |world| {
        first_token(world, Some(&Subject::born(1, [9; 16])), |_| ())
    });
}

#[test]
fn a_token_that_no_key_or_client_could_give_is_found() {
    assert_forgery_is_found("it issues a token under the compromised key k1", |world| {
        world.first.grant(HearKey { kid: log::kid(), registry_seq: 4 });
        first_token(world, None, |_| ())
    });
    assert_forgery_is_found("it issues a token to the deleted client app", |world| {
        let client = log::client("app");
        let heard = HearClient { client, generation: 1, registry_seq: 4, deleted: true, revoke_tokens: false };
        world.first.grant(heard);
        first_token(world, None, |_| ())
    });
    assert_forgery_is_found("it issues a token to no client", |world| Draft {
        client: None,
        ..first_token(world, None, |_| ())
    });
    assert_forgery_is_found("it issues a token that lives longer than any may", |world| {
        first_token(world, None, |token| token.expires_at = token.expires_at.after(Seconds(86_400)))
    });
    assert_forgery_is_found("it issues a token and says that it was refused", |world| Draft {
        outcome: Outcome::Refused(Refusal::ScopeEmpty),
        ..first_token(world, None, |_| ())
    });
}

#[test]
fn an_assertion_spent_twice_is_found() {
    let spent = grantlog_events::body::AssertionSpent { assertion: [5; 16], until: Timestamp(u64::MAX) };
    assert_forgery_is_found("it was bought with an assertion that was already spent", |world| {
        let mut draft = first_token(world, None, |_| ());
        if let Body::TokenIssued(issued) = &mut draft.body {
            issued.spent = Some(spent.clone());
        }
        world.first.forge(draft.clone());
        draft
    });
}

/// VA: a revocation lives as long as the longest token under it.
#[test]
fn a_revocation_that_does_not_hold_is_found() {
    let revoked = |ended: Ended, world: &World| Draft::of(Body::TokenRevoked(ended)).about(Some(world.person.clone()));
    assert_forgery_is_found("its revocation of 1.0.2 is forgotten before that has expired", |world| {
        let ended = Ended { until: Timestamp(log::START), ..ended(world, world.chain[0]) };
        revoked(ended, world)
    });
    assert_forgery_is_found("it ends 1.0.2 under another party's name", |world| Draft {
        subject: None,
        client: Some(log::client("app")),
        ..revoked(ended(world, world.chain[0]), world)
    });
    assert_forgery_is_found("it names 1.0.1, which issued no token before it", |world| revoked(ended(world, 1), world));
    assert_forgery_is_found("it ends 1.0.3, which is not what it ends", |world| Draft {
        body: Body::GrantRevoked(ended(world, world.chain[1])),
        ..revoked(ended(world, world.chain[1]), world)
    });
    assert_forgery_is_found("it ends 1.0.3, which is not what it ends", |world| {
        let Ended { target, until, machine, .. } = ended(world, world.chain[1]);
        let voided = ExchangeVoided { target, reason: Refusal::ActorTokenNotLive, until, machine };
        Draft::of(Body::ExchangeVoided(voided)).about(Some(world.person.clone()))
    });
}

#[test]
fn a_log_that_does_not_begin_with_its_own_opening_is_found() {
    let opened = |place| Draft::of(Body::LogOpened(LogOpened { place, verifier_key: String::new(), birth: [0; 32] }));
    assert_forgery_is_found("the log is opened a second time", |_| opened(bundle::FIRST));
    let mut world = World::new();
    world.first.events.clear();
    world.first.state = grantlog_events::State::default();
    world.first.forge(opened(bundle::SECOND));
    assert_broken(&world, "1.0.0: the log was opened as another one");
    world.first.events.clear();
    world.first.state = grantlog_events::State::default();
    world.first.forge(Draft::of(Body::SubjectErased(grantlog_events::body::SubjectErased {})));
    assert_broken(&world, "1.0.0: the log does not begin with its opening");
}

#[test]
fn two_events_of_one_id_are_found_even_in_two_logs() {
    let mut world = World::new();
    let id = world.first.events.last().unwrap().0.id;
    let (last, _) = world.second.events.pop().unwrap();
    world.second.append(Event { id, ..last });
    assert_broken(&world, "1.1.1: it has the id of the event 1.0.6");
}

#[test]
fn an_event_recorded_before_it_occurred_is_found() {
    let mut world = World::new();
    let (last, _) = world.second.events.pop().unwrap();
    world.second.append(Event { occurred_at: last.recorded_at.after(Seconds(1)), ..last });
    assert_broken(&world, "it was recorded before it occurred");
}
