//! Repeated refusals: one event a minute for each token and reason, and the rest counted.

use super::{
    deployment::{Service, jti_of, refusal},
    exchange::events_at,
    people::Browser,
};
use crate::{
    memory::{When, finished},
    metrics::{Endpoint, Metric},
    ports::World,
};
use grantlog_events::{Body, Refusal};
use serde_json::json;

/// What the refusals of a token's exchange say of those that were left out, in the order of the log.
fn told(service: &Service, token: &str) -> Vec<Option<u64>> {
    let (events, presented) = (events_at(service, token), jti_of(token).address.seq);
    let of_refusal = events.iter().filter_map(|event| match &event.body {
        Body::ExchangeRefused(refused) if refused.token == presented => Some(refused.unrecorded),
        _ => None,
    });
    of_refusal.collect()
}

/// DESIGN §8, rule 7.
#[test]
fn the_next_refusal_that_is_recorded_tells_how_many_were_not() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    let refuse = |times: u32| {
        for _ in 0..times {
            refusal(service.exchange(&backend, &token, &[("audience", "elsewhere")]), 400, "invalid_target");
        }
    };
    refuse(5);
    assert_eq!(told(&service, &token), [None]);
    service.wait(60_000);
    refuse(3);
    assert_eq!(told(&service, &token), [None, Some(4)]);
    // Another reason has another count.
    refusal(service.exchange(&backend, &token, &[("scope", "groups")]), 400, "invalid_scope");
    service.wait(60_000);
    refuse(1);
    service.wait(60_000);
    refuse(1);
    assert_eq!(told(&service, &token), [None, Some(4), None, Some(2), None]);
    assert_eq!(service.world.counted(Metric::RefusalsUnrecorded), 4 + 2);
    assert_eq!(service.world.counted(Metric::Refused(Refusal::TargetNotAdmitted)), 5 + 3 + 2);
}

/// DESIGN §8, rule 7: a client that goes on asking with a refresh token that ended fills no log.
#[test]
fn a_refresh_that_is_refused_again_and_again_is_recorded_once_a_minute() {
    let service = Service::new();
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let tokens = Browser::new(&service).tokens(&client, &person, &[("scope", "openid offline_access")]);
    let token = tokens["refresh_token"].as_str().unwrap();
    service.revoke(&client, token).expect(200);
    let told = || -> Vec<Option<u64>> {
        let events = events_at(&service, tokens["access_token"].as_str().unwrap());
        let of_refusal = events.iter().filter_map(|event| match &event.body {
            Body::RefreshRefused(refused) => Some(refused.unrecorded),
            _ => None,
        });
        of_refusal.collect()
    };
    for _ in 0..5 {
        refusal(service.refresh(&client, token), 400, "invalid_grant");
    }
    assert_eq!(told(), [None]);
    service.wait(60_000);
    refusal(service.refresh(&client, token), 400, "invalid_grant");
    assert_eq!(told(), [None, Some(4)]);
    assert_eq!(service.world.counted(Metric::RefusalsUnrecorded), 4);
}

/// What nobody proved is counted, and stands in no log.
#[test]
fn unauthenticated_noise_is_only_counted() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    let before = (service.heads(), service.world.counted(Metric::Unauthenticated));
    service.token(&backend.id, "wrong", "grant_type=client_credentials").expect(401);
    service.userinfo("x.y.z").expect(401);
    service.get("/scim/v2/Users").expect(401);
    assert_eq!((service.heads(), service.world.counted(Metric::Unauthenticated)), (before.0, before.1 + 3));

    service.forget();
    service.world.faults().fail(0, When::Before, true);
    service.userinfo(&token).expect(503);
    service.world.faults().mend();
    assert_eq!(service.world.counted(Metric::Unavailable(Endpoint::Userinfo)), 1);
}

/// The log is behind the read model until the alarm has rung; then the projector says when it was done.
#[test]
fn the_projectors_lag_and_its_last_success_are_told() {
    let service = Service::new();
    service.world.faults().fail(0, When::Before, true);
    assert!(finished(service.world.ring_alarms()).is_err());
    service.world.faults().mend();
    finished(service.world.ring_alarms()).unwrap();
    service.wait(1_000);
    let (app, person) = (service.app(), service.person());
    let token = service.login(&app, &person);
    service.revoke(&app, &token).expect(200);
    finished(service.world.ring_alarms()).unwrap();
    assert!(service.world.counted(Metric::ProjectorLag) >= 3);
    assert_eq!(service.world.counted(Metric::ProjectorSucceeded), service.world.now().0);
}

#[test]
fn a_refusal_whose_write_failed_silences_nobody() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let person = service.person();
    let mut failed = 0;
    for nth in 0.. {
        let token = service.login(&app, &person);
        service.world.faults().fail(nth, When::Before, false);
        let answer = service.exchange(&backend, &token, &[("audience", "elsewhere")]);
        if !service.world.faults().mend() {
            break;
        }
        failed += 1;
        assert_eq!((answer.status.as_u16(), told(&service, &token)), (503, Vec::new()));
        refusal(service.exchange(&backend, &token, &[("audience", "elsewhere")]), 400, "invalid_target");
        assert_eq!(told(&service, &token), [None], "after a fault at {nth}");
    }
    assert!(failed >= 3, "the call, the reading and the write");
}
