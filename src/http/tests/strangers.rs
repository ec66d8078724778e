//! Clients that are none: however many ask with their ids, hardly anybody is asked about them.

use super::deployment::{Client, Service};
use crate::{metrics::Metric, ports::World};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::ClientId;
use http::{Method, header};

const GRANT: &str = "grant_type=client_credentials";

/// An id of the form of ours that nobody has.
fn nobody(number: u8) -> String {
    format!("c-{}", URL_SAFE_NO_PAD.encode([number; 16]))
}

impl Service {
    /// The status at the token endpoint, and the calls that were made.
    fn proves_itself(&self, client: &str) -> (u16, Vec<&'static str>) {
        self.world.faults().start_counting();
        let answer = self.token(client, "secret", GRANT);
        (answer.status.as_u16(), self.world.faults().counted().calls)
    }
}

/// A service whose isolate is warm.
fn service() -> Service {
    let service = Service::new();
    service.token("operator", "operator-secret", GRANT).expect(200);
    service
}

#[test]
fn an_id_that_is_none_of_ours_never_leaves_the_edge() {
    let service = service();
    for id in
        ["x", "c-", "c-short", "1-AAAAAAAAAAAAAAAAAAAAAA", "c-AAAAAAAAAAAAAAAAAAAAAAAA", "c-AAAAAAAAAAAAAAAAAAAAA!"]
    {
        assert_eq!(service.proves_itself(id), (401, Vec::new()), "{id}");
        service.world.faults().start_counting();
        service.send(Method::GET, &format!("/register/{id}"), "token", None).expect(401);
        assert!(service.world.faults().counted().calls.is_empty(), "{id}");
    }
}

#[test]
fn an_unknown_id_is_looked_up_once_a_second() {
    let service = service();
    let id = nobody(1);
    let looked_up = vec!["views.client", "log.ask"];
    assert_eq!(service.proves_itself(&id), (401, looked_up.clone()));
    for _ in 0..3 {
        service.wait(333);
        assert_eq!(service.proves_itself(&id), (401, Vec::new()));
    }
    service.send(Method::GET, &format!("/register/{id}"), "token", None).expect(401);
    service.wait(1);
    assert_eq!(service.proves_itself(&id), (401, looked_up));
}

#[test]
fn a_client_that_was_registered_elsewhere_is_known_at_once() {
    let service = service();
    let elsewhere = service.elsewhere();
    for number in 0..30 {
        service.proves_itself(&nobody(number % 15));
        let Client { id, secret, .. } = elsewhere.app();
        service.token(&id, &secret, GRANT).expect(200);
    }
}

#[test]
fn beyond_so_many_unknown_ids_a_second_callers_are_told_to_come_back() {
    let service = service();
    let known = service.app();
    let statuses: Vec<u16> = (0..30).map(|number| service.proves_itself(&nobody(number)).0).collect();
    assert_eq!(statuses, [[401; 20].as_slice(), &[429; 10]].concat());
    let answer = service.token(&nobody(99), "secret", GRANT);
    assert_eq!((answer.status.as_u16(), &answer.headers[header::RETRY_AFTER]), (429, &"1".parse().unwrap()));
    assert_eq!(answer.body["error"], "temporarily_unavailable");
    assert_eq!(service.world.counted(Metric::TurnedAway), 11);
    service.send(Method::GET, &format!("/register/{}", nobody(98)), "token", None).expect(429);
    // Whom a view vouches for is not turned away.
    service.world.memory().forget_client(&ClientId::parse(&known.id).unwrap());
    service.token(&known.id, &known.secret, GRANT).expect(200);
    service.wait(1_000);
    assert_eq!(service.proves_itself(&nobody(99)).0, 401);
}

/// The registry proves whoever manages a client, so that each request asks it; who is known is free to.
#[test]
fn a_client_that_exists_is_managed_as_often_as_it_likes() {
    let service = service();
    let client = service.app();
    for _ in 0..30 {
        service.send(Method::GET, &format!("/register/{}", client.id), &client.token, None).expect(200);
    }
}
