//! The chain of actors: newest first, whole, and it never comes off.

use crate::{
    sample::client,
    shard::{Shard, delegate, exchange, presented},
};
use grantlog_events::{Event, Place, Refusal, Subject, decide::MAX_ACTORS, token::Party};

fn names(event: &Event) -> Vec<String> {
    event.actors.iter().map(|actor| actor.party.to_string()).collect()
}

/// X12: the newest actor is outermost. X13: a chain of five is kept whole.
#[test]
fn five_actors_are_kept_newest_first() {
    let (mut shard, subject) = Shard::home();
    let mut token = shard.login(&subject);
    let mut last = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        let actor = shard.machine_token(name);
        let event = shard.granted(delegate(&token, &actor));
        (token, last) = (presented(&event), names(&event));
    }
    assert_eq!(last, ["five", "four", "three", "two", "one"]);
}

/// X3: `act` sticks through an exchange without an actor.
#[test]
fn impersonation_with_a_delegated_token_keeps_its_actors() {
    let (mut shard, subject) = Shard::home();
    let (token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    let delegated = shard.exchanged(delegate(&token, &actor));
    let event = shard.granted(exchange(&delegated));
    assert_eq!(names(&event), ["robot"]);
}

/// X13: a chain is refused, never cut.
#[test]
fn the_sixteenth_actor_passes_and_the_seventeenth_is_refused() {
    let (mut shard, subject) = Shard::home();
    let (mut token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    for _ in 0..MAX_ACTORS {
        token = shard.exchanged(delegate(&token, &actor));
    }
    assert_eq!(shard.refused(delegate(&token, &actor)), Refusal::TooManyActors);
    let event = shard.granted(exchange(&token));
    assert_eq!(event.actors.len(), MAX_ACTORS);
}

#[test]
fn a_person_may_act_for_another() {
    let (mut shard, subject) = Shard::home();
    let assistant = Subject::born(1, [2; 16]);
    shard.create(&assistant);
    let (token, actor) = (shard.login(&subject), shard.login(&assistant));
    let event = shard.granted(delegate(&token, &actor));
    assert_eq!(event.actors[0].party, Party::Subject(assistant));
    assert_eq!(event.subject, Some(subject));
}

/// X6: the actor token is judged like any other where it can be.
#[test]
fn an_actor_of_this_shard_must_live() {
    let (mut shard, subject) = Shard::home();
    let (token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    shard.granted(crate::revocation::by_operator(&actor));
    assert_eq!(shard.refused(delegate(&token, &actor)), Refusal::ActorTokenNotLive);
    let mut forged = shard.machine_token("robot");
    forged.client = client("admin");
    assert_eq!(shard.refused(delegate(&token, &forged)), Refusal::ActorTokenNotLive);
}

/// A foreign actor is its own shard's to judge; this one appends meanwhile and takes back if need be.
#[test]
fn an_actor_of_another_shard_is_taken_as_it_comes() {
    let (mut shard, subject) = Shard::home();
    let mut elsewhere = Shard::born(Place { epoch: 1, shard: 9 });
    let (token, actor) = (shard.login(&subject), elsewhere.machine_token("robot"));
    let event = shard.granted(delegate(&token, &actor));
    assert_eq!(event.actors[0].jti.address.place, elsewhere.place());
}
