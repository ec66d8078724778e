//! A refused exchange of a genuine token leaves one event and no other state.

use crate::{
    sample::scope,
    shard::{Shard, exchange},
};
use grantlog_events::{
    Body, Outcome, Refusal,
    command::Exchange,
    decide::Answer,
    state::{Key, Row},
};

fn rows(shard: &Shard) -> Vec<(Key, Row)> {
    shard.state().rows().map(|(key, row)| (key.clone(), row.clone())).collect()
}

/// X7: one refusal event, no session, no row.
#[test]
fn a_refused_exchange_appends_one_refusal_and_changes_no_row() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    let before = rows(&shard);
    for (refused, why) in [
        (Exchange { client_scope: scope("address"), ..exchange(&token) }, Refusal::ScopeEmpty),
        (Exchange { policy: None, ..exchange(&token) }, Refusal::ClientMayNotExchange),
        (Exchange { audience: vec!["evil".to_owned()], ..exchange(&token) }, Refusal::TargetNotAdmitted),
        (Exchange { refresh_token: true, ..exchange(&token) }, Refusal::RefreshTokenNotAllowed),
    ] {
        let result = shard.run(refused);
        assert_eq!(result.answer, Answer::Refused(why));
        let [event] = result.events.as_slice() else { panic!("{} events", result.events.len()) };
        assert_eq!(event.outcome, Outcome::Refused(why));
        assert!(matches!(&event.body, Body::ExchangeRefused(body) if body.token == token.jti.address.seq));
        assert_eq!((&event.subject, event.grant), (&Some(subject.clone()), Some(token.grant)));
        assert_eq!(event.client.as_ref().map(ToString::to_string).as_deref(), Some("svc"), "who asked");
    }
    assert_eq!(rows(&shard), before);
    assert!(shard.lives(&token));
}

/// X7: a genuine token that is dead is still genuine.
#[test]
fn a_refusal_for_a_dead_token_is_recorded_too() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.granted(crate::revocation::by_operator(&token));
    let result = shard.run(exchange(&token));
    assert_eq!(result.answer, Answer::Refused(Refusal::TokenRevoked));
    assert_eq!(result.events.len(), 1);
}

/// A command decided with an old view of the client is asked again, so it is no refusal of the token.
#[test]
fn a_stale_view_is_answered_before_anything_is_recorded() {
    let (mut shard, subject) = Shard::home();
    let token = shard.login(&subject);
    shard.granted(crate::hearing::changed("svc", 3));
    assert_eq!(shard.writes_nothing(exchange(&token)), Answer::Refused(Refusal::ClientViewStale));
    let mut current = exchange(&token);
    current.caller.generation = 3;
    shard.granted(current);
}
