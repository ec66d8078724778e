//! An isolate that remembers yesterday: what it believes of a client or a key is corrected by the shard
//! that knows better, with one call more, and only then.

use super::deployment::{Client, JWT_BEARER, Service, changed, exchanger_metadata, part, refusal, token_in};
use crate::{http, http::tests::deployment::Answer};
use ::http::Method;
use serde_json::{Value, json};

const ASK: &str = "log.ask";

/// Calls and round trips of one request.
fn counting(service: &Service, request: http::Request) -> (Answer, Vec<&'static str>, u32) {
    service.world.faults().start_counting();
    let answer = service.handle(request);
    let counted = service.world.faults().counted();
    (answer, counted.calls, counted.round_trips)
}

fn replace(service: &Service, client: &Client, metadata: &Value, change: &Value) -> Value {
    let body = changed(&changed(metadata, &json!({ "client_id": client.id })), change);
    let operator = service.operator("client:register");
    service.send(Method::PUT, &format!("/register/{}", client.id), &operator, Some(&body)).expect(200)
}

fn own_token(service: &Service, client: &Client) -> http::Request {
    service.request("/token", client, &[("grant_type", "client_credentials")])
}

/// VE: a rotated secret is refused by an isolate that still holds the old view, at the cost of one call.
#[test]
fn an_old_secret_is_refused_on_the_next_request_by_an_isolate_with_an_old_view() {
    let here = Service::new();
    let there = here.elsewhere();
    let metadata = here.app_metadata(&json!({}));
    let app = here.register(&metadata);
    there.machine(&app);
    replace(&here, &app, &metadata, &json!({ "rotate_client_secret": true }));
    let (answer, calls, round_trips) = counting(&there, own_token(&there, &app));
    refusal(answer, 401, "invalid_client");
    assert_eq!((calls.as_slice(), round_trips), (&[ASK, ASK][..], 2));
}

/// VE: and the new one is good there at once, at the same cost; afterwards nothing costs more.
#[test]
fn a_new_secret_is_good_on_the_next_request_at_an_isolate_with_an_old_view() {
    let here = Service::new();
    let there = here.elsewhere();
    let metadata = here.app_metadata(&json!({}));
    let app = here.register(&metadata);
    there.machine(&app);
    let body = replace(&here, &app, &metadata, &json!({ "rotate_client_secret": true }));
    let fresh = Client { secret: body["client_secret"].as_str().unwrap().to_owned(), ..app };
    let (answer, calls, round_trips) = counting(&there, own_token(&there, &fresh));
    answer.expect(200);
    assert_eq!((calls.as_slice(), round_trips), (&[ASK, ASK][..], 2));
    let (answer, calls, _) = counting(&there, own_token(&there, &fresh));
    answer.expect(200);
    assert_eq!(calls, [ASK]);
}

/// XG: a deleted client gets nothing more, from any isolate, for any grant.
#[test]
fn a_deleted_client_is_refused_on_the_next_request_by_an_isolate_with_an_old_view() {
    let here = Service::new();
    let there = here.elsewhere();
    let (app, backend, subject) = (here.app(), here.exchanger(), here.person());
    let token = there.login(&app, &subject);
    there.exchange(&backend, &token, &[]).expect(200);
    for client in [&app, &backend] {
        here.send(Method::DELETE, &format!("/register/{}", client.id), &client.token, None).expect(204);
    }
    let assertion = there.assertion(&subject, &json!({}));
    let login = there.request("/token", &app, &[("grant_type", JWT_BEARER), ("assertion", &assertion)]);
    for request in [login, there.exchange_request(&backend, &token, &[])] {
        let (answer, calls, round_trips) = counting(&there, request);
        refusal(answer, 401, "invalid_client");
        assert_eq!((calls.as_slice(), round_trips), (&[ASK, ASK][..], 2));
    }
}

/// What a client may not do any more it does not get once more, and what it may now it gets.
#[test]
fn narrowed_and_widened_rights_hold_at_an_isolate_with_an_old_view() {
    let here = Service::new();
    let there = here.elsewhere();
    let metadata = exchanger_metadata(&json!({}));
    let backend = here.register(&metadata);
    let token = there.login(&here.app(), &here.person());
    there.exchange(&backend, &token, &[("audience", "api")]).expect(200);
    let policy = changed(&metadata["token_exchange"], &json!({ "audiences": ["archive"] }));
    replace(&here, &backend, &metadata, &json!({ "token_exchange": policy }));
    let (answer, calls, _) = counting(&there, there.exchange_request(&backend, &token, &[("audience", "api")]));
    refusal(answer, 400, "invalid_target");
    assert_eq!(calls, [ASK, ASK, ASK], "asked, reloaded, asked again");
    there.exchange(&backend, &token, &[("audience", "archive")]).expect(200);

    for (change, form) in [
        (json!({ "grant_types": [super::deployment::EXCHANGE] }), vec![("grant_type", "client_credentials")]),
        (json!({ "grant_types": ["client_credentials"], "token_exchange": null }), vec![]),
    ] {
        let there = here.elsewhere();
        let client = here.register(&metadata);
        there.machine(&client);
        replace(&here, &client, &metadata, &change);
        let request = if form.is_empty() {
            there.exchange_request(&client, &token, &[])
        } else {
            there.request("/token", &client, &form)
        };
        refusal(there.handle(request), 400, "unauthorized_client");
    }
}

/// A revocation of another client's is corrected the same way, and then done.
#[test]
fn revoking_works_at_an_isolate_with_an_old_view() {
    let here = Service::new();
    let there = here.elsewhere();
    let metadata = here.app_metadata(&json!({}));
    let app = here.register(&metadata);
    let token = there.machine(&app);
    replace(&here, &app, &metadata, &json!({ "client_name": "renamed" }));
    let (answer, calls, round_trips) = counting(&there, there.request("/revoke", &app, &[("token", &token)]));
    answer.expect(200);
    assert_eq!((calls.as_slice(), round_trips), (&[ASK, ASK, ASK][..], 3));
    assert!(!there.is_active(&app, &token));
}

/// K: a compromised key signs nothing more, also where the ring is still the old one: the shard refuses it,
/// and the ring is read once more.
#[test]
fn an_isolate_with_an_old_ring_signs_with_the_new_key() {
    let here = Service::new();
    let (app, backend, subject) = (here.app(), here.exchanger(), here.person());
    let edges = [here.elsewhere(), here.elsewhere(), here.elsewhere()];
    // An EdDSA token stays good while the ES256 key is withdrawn.
    let other = here.register(&here.app_metadata(&json!({ "access_token_signed_response_alg": "EdDSA" })));
    let subject_token = here.login(&other, &subject);
    let old: Vec<String> = edges
        .iter()
        .map(|edge| {
            edge.exchange(&backend, &subject_token, &[]).expect(200);
            edge.login(&app, &subject)
        })
        .collect();
    let kid = part(&old[0], 0)["kid"].clone();
    here.end(&json!({ "kid": kid })).expect(200);

    let assertion = here.assertion(&subject, &json!({}));
    let requests = [
        own_token(&here, &backend),
        here.request("/token", &app, &[("grant_type", JWT_BEARER), ("assertion", &assertion)]),
        here.exchange_request(&backend, &subject_token, &[]),
    ];
    for (edge, request) in edges.iter().zip(requests) {
        let (answer, calls, round_trips) = counting(edge, request);
        assert_ne!(part(&token_in(answer), 0)["kid"], kid);
        assert_eq!((calls.as_slice(), round_trips), (&[ASK, ASK, ASK][..], 3), "asked, reloaded, asked again");
    }
}

/// V12: and what it signed is refused there by the log, whatever the ring still says.
#[test]
fn an_isolate_with_an_old_ring_gives_nothing_for_a_token_of_a_compromised_key() {
    let here = Service::new();
    let there = here.elsewhere();
    let (app, backend) = (here.app(), here.exchanger());
    let old = there.login(&app, &here.person());
    there.exchange(&backend, &old, &[]).expect(200);
    here.end(&json!({ "kid": part(&old, 0)["kid"] })).expect(200);
    assert!(!there.is_active(&backend, &old));
    refusal(there.exchange(&backend, &old, &[]), 400, "invalid_request");
    assert_eq!(there.userinfo(&old).status, 401, "the ring was read again by the exchange");
}
