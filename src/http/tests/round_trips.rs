//! What one request asks of the world, warm and in a cold isolate: the table of DESIGN §6, counted.
//!
//! Calls that do not wait for one another are one round trip. Rows are those that shards wrote.

use super::deployment::{ACCESS_TOKEN, Client, JWT_BEARER, Service, changed, exchanger_metadata, place_of};
use crate::{
    http,
    memory::finished,
    ports::{Views, World},
};
use ::http::{Method, header};
use grantlog_events::Subject;
use serde_json::json;
use std::cell::RefCell;

const ASK: &str = "log.ask";
const USER: &str = "views.user";
const CLIENT: &str = "views.client";

/// Calls in order, round trips, rows written.
pub(super) type Cost<'a> = (&'a [&'a str], u32, u64);

/// Sends a request twice, with the isolate warmed and in a new one, and compares what was counted.
#[track_caller]
pub(super) fn costs(
    service: &Service,
    status: u16,
    request: impl Fn() -> http::Request,
    warm: Cost<'_>,
    cold: Cost<'_>,
) {
    for (isolate, (calls, round_trips, rows)) in [("warm", warm), ("cold", cold)] {
        if isolate == "cold" {
            service.forget();
        } else {
            service.handle(request());
        }
        let request = request();
        service.world.faults().start_counting();
        let answer = service.handle(request);
        let counted = service.world.faults().counted();
        assert_eq!(answer.status, status, "{isolate} {answer:?}");
        assert_eq!(counted.calls, calls, "{isolate}");
        assert_eq!(counted.round_trips, round_trips, "{isolate}");
        assert_eq!(counted.rows_written, rows, "{isolate}");
    }
}

struct Cast {
    service: Service,
    app: Client,
    backend: Client,
    keyed: Client,
    person: Subject,
}

fn cast() -> Cast {
    let service = Service::new();
    let (app, backend, keyed, person) = (service.app(), service.exchanger(), service.keyed(), service.person());
    Cast { service, app, backend, keyed, person }
}

/// V4, V6: what a cold isolate costs is counted too.
#[test]
fn userinfo_is_one_read_of_the_users_view() {
    let Cast { service, app, person, .. } = cast();
    let token = service.login(&app, &person);
    for method in [Method::GET, Method::POST] {
        let request = || bearer(&method, "/userinfo", &token);
        costs(&service, 200, request, (&[USER], 1, 0), (&[ASK, CLIENT, USER], 2, 0));
    }
}

/// A client's view that is over 30 s old is read beside the user's, not before it.
#[test]
fn userinfo_reads_a_missing_client_view_in_parallel() {
    let Cast { service, app, person, .. } = cast();
    let token = service.login(&app, &person);
    service.userinfo(&token).expect(200);
    let client = grantlog_events::ClientId::parse(&app.id).unwrap();
    service.world.memory().forget_client(&client);
    service.world.faults().start_counting();
    service.userinfo(&token).expect(200);
    let counted = service.world.faults().counted();
    assert_eq!((counted.calls.as_slice(), counted.round_trips), (&[CLIENT, USER][..], 1));
}

#[test]
fn userinfo_of_a_missing_view_adds_one_call_to_the_home() {
    let Cast { service, app, person, .. } = cast();
    let token = service.login(&app, &person);
    finished(service.world.views().put_user(&person, None)).unwrap();
    let request = || bearer(&Method::GET, "/userinfo", &token);
    costs(&service, 200, request, (&[USER, ASK], 2, 0), (&[ASK, CLIENT, USER, ASK], 3, 0));
}

#[test]
fn userinfo_from_the_log_is_one_call_and_reads_no_view_of_the_user() {
    let by_deployment = Service::with(&[("USERINFO_CONSISTENCY", "log")]);
    let token = by_deployment.login(&by_deployment.app(), &by_deployment.person());
    let request = || bearer(&Method::GET, "/userinfo", &token);
    costs(&by_deployment, 200, request, (&[ASK], 1, 0), (&[ASK, CLIENT, ASK], 2, 0));

    let by_client = Service::new();
    let app = by_client.register(&by_client.app_metadata(&json!({ "userinfo_consistency": "log" })));
    let token = by_client.login(&app, &by_client.person());
    let request = || bearer(&Method::GET, "/userinfo", &token);
    // In a cold isolate only the client's view says that the user's is not to be trusted.
    costs(&by_client, 200, request, (&[ASK], 1, 0), (&[ASK, CLIENT, USER, ASK], 3, 0));
}

#[test]
fn an_exchange_is_one_call_and_one_row() {
    let Cast { service, app, backend, person, .. } = cast();
    let token = service.login(&app, &person);
    let local = service.machine_at(&backend, |place| place == place_of(&token));
    let foreign = service.machine_at(&backend, |place| place != place_of(&token));
    let plain = || service.exchange_request(&backend, &token, &[]);
    costs(&service, 200, plain, (&[ASK], 1, 1), (&[CLIENT, ASK, ASK], 2, 1));
    let with = |actor: &str| {
        service.exchange_request(&backend, &token, &[("actor_token", actor), ("actor_token_type", ACCESS_TOKEN)])
    };
    costs(&service, 200, || with(&local), (&[ASK], 1, 1), (&[CLIENT, ASK, ASK], 2, 1));
    // A foreign actor's shard is asked beside the subject's.
    costs(&service, 200, || with(&foreign), (&[ASK, ASK], 1, 1), (&[CLIENT, ASK, ASK, ASK], 2, 1));
}

#[test]
fn a_voided_exchange_is_one_call_more() {
    let Cast { service, app, backend, person, .. } = cast();
    let token = service.login(&app, &person);
    let foreign = service.machine_at(&backend, |place| place != place_of(&token));
    service.revoke(&backend, &foreign).expect(200);
    let request =
        || service.exchange_request(&backend, &token, &[("actor_token", &foreign), ("actor_token_type", ACCESS_TOKEN)]);
    // The exchange, its end, and the row that says so.
    costs(&service, 400, request, (&[ASK, ASK, ASK], 2, 3), (&[CLIENT, ASK, ASK, ASK, ASK], 3, 3));
}

#[test]
fn client_credentials_are_one_call_and_one_row() {
    let Cast { service, app, keyed, .. } = cast();
    let form = [("grant_type", "client_credentials")];
    costs(&service, 200, || service.request("/token", &app, &form), (&[ASK], 1, 1), (&[CLIENT, ASK, ASK], 2, 1));
    // The shard that remembers the assertion takes the grant: one call, one more row.
    costs(&service, 200, || service.request("/token", &keyed, &form), (&[ASK], 1, 2), (&[CLIENT, ASK, ASK], 2, 2));
}

#[test]
fn an_assertion_as_grant_is_one_call_and_two_rows() {
    let Cast { service, app, keyed, person, .. } = cast();
    let request = |client: &Client| {
        let assertion = service.assertion(&person, &json!({}));
        service.request("/token", client, &[("grant_type", JWT_BEARER), ("assertion", &assertion)])
    };
    costs(&service, 200, || request(&app), (&[ASK], 1, 2), (&[CLIENT, ASK, ASK], 2, 2));
    costs(&service, 200, || request(&keyed), (&[ASK, ASK], 2, 4), (&[CLIENT, ASK, ASK, ASK], 3, 4));
}

/// The assertion is spent first, so that a replay can burn nothing.
#[test]
fn a_client_that_proves_itself_by_key_costs_one_call_and_two_rows_more_where_its_assertion_is_spent() {
    let Cast { service, app, keyed, person, .. } = cast();
    let token = service.login(&app, &person);
    let exchange = || service.exchange_request(&keyed, &token, &[]);
    costs(&service, 200, exchange, (&[ASK, ASK], 2, 3), (&[CLIENT, ASK, ASK, ASK], 3, 3));
    let tokens = RefCell::new((0..3).map(|_| service.machine(&keyed)).collect::<Vec<_>>());
    let revoke = || service.request("/revoke", &keyed, &[("token", &tokens.borrow_mut().pop().unwrap())]);
    costs(&service, 200, revoke, (&[ASK, ASK], 2, 4), (&[CLIENT, ASK, ASK, ASK], 3, 4));
    // Verified, not spent.
    let introspect = || service.request("/introspect", &keyed, &[("token", &token)]);
    costs(&service, 200, introspect, (&[ASK], 1, 0), (&[CLIENT, ASK, ASK], 2, 0));
}

/// V4: no projection catches up in a read.
#[test]
fn introspection_is_one_call_and_writes_nothing() {
    let Cast { service, app, backend, person, .. } = cast();
    let (token, dead) = (service.login(&app, &person), service.login(&app, &person));
    service.revoke(&app, &dead).expect(200);
    for token in [&token, &dead] {
        let request = || service.request("/introspect", &backend, &[("token", token)]);
        costs(&service, 200, request, (&[ASK], 1, 0), (&[CLIENT, ASK, ASK], 2, 0));
    }
    // What is no token of ours, or not this client's to know, needs nobody's word.
    let request = || service.request("/introspect", &backend, &[("token", "x.y.z")]);
    costs(&service, 200, request, (&[], 0, 0), (&[CLIENT, ASK], 1, 0));
    let stranger = service.app();
    let request = || service.request("/introspect", &stranger, &[("token", &token)]);
    costs(&service, 200, request, (&[], 0, 0), (&[CLIENT, ASK], 1, 0));
}

/// VB: each revocation is a row of its own.
#[test]
fn a_revocation_is_one_call_with_an_event_and_a_row() {
    let Cast { service, app, person, .. } = cast();
    let tokens = RefCell::new((0..3).map(|_| service.login(&app, &person)).collect::<Vec<_>>());
    let request = || service.request("/revoke", &app, &[("token", &tokens.borrow_mut().pop().unwrap())]);
    costs(&service, 200, request, (&[ASK], 1, 2), (&[CLIENT, ASK, ASK], 2, 2));
    // Again is nothing more.
    let dead = service.login(&app, &person);
    let again = || service.request("/revoke", &app, &[("token", &dead)]);
    costs(&service, 200, again, (&[ASK], 1, 0), (&[CLIENT, ASK, ASK], 2, 0));
}

/// An unknown client is looked for where it would be, and a wrong secret once where a newer one would be.
#[test]
fn a_client_that_does_not_prove_itself_reaches_no_shard() {
    let Cast { service, app, .. } = cast();
    let wrong = Client { secret: "wrong".to_owned(), ..app };
    let form = [("grant_type", "client_credentials")];
    service.handle(service.request("/token", &wrong, &form));
    // The registry said a moment ago that there is no other secret.
    service.world.faults().start_counting();
    assert_eq!(service.handle(service.request("/token", &wrong, &form)).status, 401);
    assert_eq!(service.world.faults().counted().calls, [] as [&str; 0]);
    service.wait(1_000);
    service.world.faults().start_counting();
    assert_eq!(service.handle(service.request("/token", &wrong, &form)).status, 401);
    assert_eq!(service.world.faults().counted().calls, [ASK]);
}

/// K2: the key set is from memory, as discovery is.
#[test]
fn discovery_asks_nobody_and_the_key_set_only_in_a_cold_isolate() {
    let service = Service::new();
    for (path, cold) in [
        ("/.well-known/openid-configuration", &[][..]),
        ("/.well-known/oauth-authorization-server", &[]),
        ("/.well-known/jwks.json", &[ASK]),
        ("/healthz", &[ASK]),
    ] {
        let request = || ::http::Request::get(path).body(Vec::new()).unwrap();
        costs(&service, 200, request, (&[], 0, 0), (cold, u32::try_from(cold.len()).unwrap(), 0));
    }
}

/// E1, DESIGN §3: what is refused for good reason writes its one event, and noise writes nothing.
#[test]
fn a_refused_exchange_is_one_call_and_one_row_at_most() {
    let Cast { service, app, person, .. } = cast();
    let modest = service.register(&changed(
        &exchanger_metadata(&json!({})),
        &json!({ "token_exchange": { "subject_clients": "any" } }),
    ));
    let token = service.login(&app, &person);
    service.exchange(&modest, &token, &[]).expect(400);
    service.wait(60_000);
    service.exchange(&modest, "x.y.z", &[]).expect(400);
    for rows in [1, 0] {
        service.world.faults().start_counting();
        service.handle(service.exchange_request(&modest, &token, &[]));
        let counted = service.world.faults().counted();
        assert_eq!((counted.calls.len(), counted.rows_written), (1, rows));
    }
}

pub(super) fn bearer(method: &Method, path: &str, token: &str) -> http::Request {
    let request = ::http::Request::builder().method(method.clone()).uri(path);
    request.header(header::AUTHORIZATION, format!("Bearer {token}")).body(Vec::new()).unwrap()
}
