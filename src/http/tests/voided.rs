//! Exchanges that are taken back: the subject's shard has appended, and the actor's shard says no or nothing.

use super::{
    agreement::logs_and_views_agree,
    deployment::{Client, Service, place_of, refusal},
    exchange::events_at,
};
use crate::memory::When;
use grantlog_events::{Body, Outcome, Refusal, state::Key};

/// A person's token, and an actor's from another shard.
fn stage() -> (Service, Client, String, String) {
    let service = Service::new();
    let backend = service.exchanger();
    let token = service.login(&service.app(), &service.person());
    let actor = service.machine_at(&backend, |place| place != place_of(&token));
    (service, backend, token, actor)
}

/// The exchange that was appended last is void: its state is revoked.
fn last_exchange_is_void(service: &Service, token: &str) {
    let events = events_at(service, token);
    let [.., exchange, voided] = events.as_slice() else { panic!("{events:?}") };
    assert!(matches!(exchange.body, Body::TokenDelegated(_)), "{exchange:?}");
    let Body::ExchangeVoided(body) = &voided.body else { panic!("{voided:?}") };
    assert_eq!((body.target, voided.outcome), (exchange.seq, Outcome::Refused(Refusal::ActorTokenNotLive)));
    let rows = service.world.shard(place_of(token)).store().all_rows();
    let name = format!("{}{}", Key::revocations_of(exchange.subject.as_ref().unwrap()), exchange.seq);
    assert!(rows.contains_key(&name), "{name}");
    // Nobody's child: only the grant's own first token is alive, and no event names the exchange as ancestor.
    assert!(events.iter().all(|event| !event.ancestors.contains(&exchange.seq)));
}

#[test]
fn a_live_actor_of_another_shard_is_admitted() {
    let (service, backend, token, actor) = stage();
    service.delegate(&backend, &token, &actor).expect(200);
    assert!(matches!(events_at(&service, &token).last().unwrap().body, Body::TokenDelegated(_)));
}

#[test]
fn a_dead_actor_of_another_shard_voids_the_exchange_before_the_answer() {
    let (service, backend, token, actor) = stage();
    service.revoke(&backend, &actor).expect(200);
    let before = service.heads();
    let said = refusal(service.delegate(&backend, &token, &actor), 400, "invalid_request");
    assert_eq!(said, "Refused: actor token not live.");
    let mut expected = before;
    *expected.get_mut(&place_of(&token)).unwrap() += 2;
    assert_eq!(service.heads(), expected);
    last_exchange_is_void(&service, &token);
    assert!(service.is_active(&backend, &token), "the subject token itself is untouched");
    logs_and_views_agree(&service);
}

/// A dead actor of the subject's own shard is refused in the one turn, and nothing has to be taken back.
#[test]
fn a_dead_actor_of_the_same_shard_is_refused_without_an_exchange() {
    let service = Service::new();
    let backend = service.exchanger();
    let token = service.login(&service.app(), &service.person());
    let actor = service.machine_at(&backend, |place| place == place_of(&token));
    service.revoke(&backend, &actor).expect(200);
    refusal(service.delegate(&backend, &token, &actor), 400, "invalid_request");
    assert!(matches!(events_at(&service, &token).last().unwrap().body, Body::ExchangeRefused(_)));
}

/// V1: while the actor's shard cannot be asked there is no verdict, and no token that one might be needed for.
#[test]
fn an_actor_that_cannot_be_asked_about_voids_the_exchange_and_is_a_503() {
    let (service, backend, token, actor) = stage();
    let (mut voided, mut failed) = (0, 0);
    for when in [When::Before, When::After] {
        for nth in 0.. {
            service.world.faults().fail(nth, when, false);
            let before = events_at(&service, &token).len();
            let answer = service.delegate(&backend, &token, &actor);
            if !service.world.faults().mend() {
                answer.expect(200);
                break;
            }
            let events = events_at(&service, &token);
            let taken_back = events.last().is_some_and(|event| matches!(event.body, Body::ExchangeVoided(_)));
            match answer.status.as_u16() {
                200 => assert_eq!(events.len(), before + 1),
                503 if events.len() == before + 2 => {
                    assert!(taken_back);
                    last_exchange_is_void(&service, &token);
                    voided += 1;
                }
                503 => failed += 1,
                _ => panic!("{nth} {when:?} {answer:?}"),
            }
            logs_and_views_agree(&service);
        }
    }
    assert!(voided >= 2 && failed >= 2, "{voided} voided, {failed} failed otherwise");
}
