//! Taking back: an exchange whose actor's shard said no was never granted.

use crate::shard::{Shard, delegate, exchange};
use grantlog_events::{Body, Outcome, Place, Refusal, command::VoidExchange, decide::Answer};

fn void(target: u64) -> VoidExchange {
    VoidExchange { target, reason: Refusal::ActorTokenNotLive }
}

/// The pair of events counts as the refusal; its token is dead for good; voiding twice is voiding once.
#[test]
fn a_voided_exchange_counts_as_refused_and_its_token_is_dead() {
    let (mut shard, subject) = Shard::home();
    let mut elsewhere = Shard::born(Place { epoch: 1, shard: 9 });
    let (token, actor) = (shard.login(&subject), elsewhere.machine_token("robot"));
    let child = shard.exchanged(delegate(&token, &actor));
    let event = shard.granted(void(child.jti.address.seq));
    assert_eq!(event.outcome, Outcome::Refused(Refusal::ActorTokenNotLive));
    assert!(matches!(event.body, Body::ExchangeVoided(_)));
    assert_eq!((event.subject.clone(), event.grant), (Some(subject), Some(token.grant)));
    assert_eq!(shard.inspect(&child), Err(Refusal::TokenRevoked));
    assert_eq!(shard.refused(exchange(&child)), Refusal::TokenRevoked);
    assert!(shard.lives(&token));
    assert_eq!(shard.writes_nothing(void(child.jti.address.seq)), Answer::Stands(event.seq));
}

/// A machine token too, which has no subject but the client that it names.
#[test]
fn a_voided_exchange_of_a_machine_token_is_dead() {
    let (mut shard, _) = Shard::home();
    let mut elsewhere = Shard::born(Place { epoch: 1, shard: 9 });
    let (token, actor) = (shard.machine_token("batch"), elsewhere.machine_token("robot"));
    let child = shard.exchanged(delegate(&token, &actor));
    shard.granted(void(child.jti.address.seq));
    assert_eq!(shard.inspect(&child), Err(Refusal::TokenRevoked));
    assert!(shard.lives(&token));
}

#[test]
fn only_a_delegation_can_be_taken_back() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let impersonated = shard.exchanged(exchange(&token));
    for target in [0, token.jti.address.seq, impersonated.jti.address.seq, 1_000] {
        assert_eq!(shard.refused(void(target)), Refusal::ExchangeUnknown);
    }
    assert!(shard.lives(&impersonated));
}

/// A client that revoked first has already ended it: there is nothing to take back.
#[test]
fn voiding_what_was_revoked_meanwhile_points_at_the_revocation() {
    let (mut shard, subject) = Shard::home();
    let (token, actor) = (shard.login(&subject), shard.machine_token("robot"));
    let child = shard.exchanged(delegate(&token, &actor));
    let revocation = shard.granted(crate::revocation::by_client(&child));
    assert_eq!(shard.writes_nothing(void(child.jti.address.seq)), Answer::Stands(revocation.seq));
}
