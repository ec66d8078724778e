//! Replay equals live: after everything that can happen here has happened, each log's events alone give
//! the state that its shard has.

use super::{
    agreement::{logs_and_views_agree, replay_equals_live},
    deployment::{JWT_BEARER, Service, claims, jti_of, place_of, token_in},
};
use crate::ports::World;
use ::http::Method;
use grantlog_events::{Event, Place, Stored, Timestamp};
use serde_json::json;
use std::collections::BTreeSet;

/// Everything, over several days of the deployment's clock.
fn a_long_life() -> Service {
    let service = Service::new();
    let (app, backend, keyed) = (service.app(), service.exchanger(), service.keyed());
    let people: Vec<_> = (0..6).map(|_| service.person()).collect();
    for (number, person) in people.iter().enumerate() {
        let token =
            service.login_with(&app, person, &json!({ "acr": "gold", "amr": ["pwd"], "auth_time": 1_700_000_000 }));
        let actor = service.machine(&backend);
        let child = token_in(service.delegate(&backend, &token, &actor));
        let grandchild = token_in(service.exchange(&keyed, &child, &[("audience", "api")]));
        service.exchange(&backend, &token, &[("audience", "elsewhere")]).expect(400);
        match number {
            0 => drop(service.revoke(&backend, &child).expect(200)),
            1 => service.suspend(person),
            2 => drop(
                service
                    .send(Method::DELETE, &format!("/scim/v2/Users/{person}"), &service.operator("scim"), None)
                    .expect(204),
            ),
            3 => drop(service.end(&json!({ "subject": person.as_str(), "reason": "lost" })).expect(200)),
            4 => drop(service.end(&json!({ "grant": jti_of(&token).address.to_string() })).expect(200)),
            _ => drop(service.revoke(&keyed, &grandchild).expect(200)),
        }
        // A dead actor of wherever it was issued: refused at once, or taken back.
        service.revoke(&backend, &actor).expect(200);
        service.delegate(&backend, &token, &actor).expect(400);
        service.wait(3_600_000 * 20);
    }
    let (machine, relayed) = (service.machine(&app), service.machine(&keyed));
    token_in(service.exchange(&backend, &relayed, &[]));
    service.end(&json!({ "client_id": app.id })).expect(200);
    assert!(!service.is_active(&app, &machine));
    let kid = super::deployment::part(&relayed, 0)["kid"].clone();
    service.end(&json!({ "kid": kid, "reason": "leaked" })).expect(200);
    service.forget();
    service.machine(&backend);
    // A change after a revocation: every shard still knows up to where its tokens are dead.
    let renamed = service.app_metadata(&json!({ "client_id": app.id, "client_name": "renamed" }));
    service.send(Method::PUT, &format!("/register/{}", app.id), &app.token, Some(&renamed)).expect(200);
    assert!(!service.is_active(&app, &machine));
    service.send(Method::DELETE, &format!("/register/{}", keyed.id), &keyed.token, None).expect(204);
    let assertion = service.assertion(&people[1], &json!({}));
    let form = [("grant_type", JWT_BEARER), ("assertion", assertion.as_str())];
    service.post("/token", &app, &form).expect(400);
    service.set_active(&people[1], true);
    service.post("/token", &app, &form).expect(200);
    service.post("/token", &app, &form).expect(400);
    // The shard's clock went back: recorded-at does not.
    let now = service.world.now();
    service.world.set_now(Timestamp(now.0 - 20_000));
    service.machine(&backend);
    service.world.set_now(now);
    service
}

#[test]
fn folding_each_log_gives_the_rows_that_its_shard_has() {
    let service = a_long_life();
    let places = service.world.places();
    assert_eq!(places.len(), 9, "the registry and eight shards");
    let mut kinds = BTreeSet::new();
    for place in &places {
        let state = replay_equals_live(&service, *place);
        assert!(state.head.next > 1, "nothing happened at {place:?}");
        for bytes in service.world.shard(*place).store().all_events() {
            let event = Event::from_bytes(&bytes).unwrap();
            assert_eq!(event.to_bytes(), bytes);
            kinds.insert(event.body.name());
        }
    }
    for kind in [
        "log_opened",
        "epoch_opened",
        "log_born",
        "client_registered",
        "client_deleted",
        "client_tokens_revoked",
        "client_change_confirmed",
        "key_published",
        "key_activated",
        "key_compromised",
        "key_compromise_confirmed",
        "client_changed",
        "key_distrusted",
        "name_claimed",
        "name_released",
        "subject_created",
        "subject_updated",
        "subject_erased",
        "token_issued",
        "token_delegated",
        "token_impersonated",
        "exchange_refused",
        "exchange_voided",
        "assertion_spent",
        "token_revoked",
        "grant_revoked",
        "subject_tokens_revoked",
    ] {
        assert!(kinds.contains(kind), "the life had no {kind}");
    }
}

#[test]
fn views_are_what_the_logs_say_after_a_long_life() {
    logs_and_views_agree(&a_long_life());
}

/// Replay that saw one event less, or one twice, is not live: the comparison can fail.
#[test]
fn a_log_that_lacks_its_last_event_of_state_folds_into_something_else() {
    let service = Service::new();
    let app = service.app();
    let token = service.login(&app, &service.person());
    service.revoke(&app, &token).expect(200);
    let shard = service.world.shard(place_of(&token));
    let mut events = shard.store().all_events();
    assert_eq!(claims(&token)["client_id"], app.id);
    events.pop();
    let rows = grantlog_projections::replay::rows(&grantlog_projections::replay::replay(&events).unwrap());
    assert_ne!(rows, shard.store().all_rows().into_iter().collect::<Vec<_>>());
    events.swap(1, 2);
    assert!(grantlog_projections::replay::replay(&events).is_err());
    assert_ne!(place_of(&token), Place::REGISTRY);
}
