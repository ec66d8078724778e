//! What operator endpoints ask of the world: the caller's token first, at its shard, then the work.

use super::{
    deployment::{Service, jti_of},
    round_trips::{bearer, costs},
};
use crate::http;
use ::http::{Method, header};
use serde_json::{Value, json};

const ASK: &str = "log.ask";

fn json_request(method: &Method, path: &str, token: &str, body: &Value) -> http::Request {
    let mut request = bearer(method, path, token);
    request.headers_mut().insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
    *request.body_mut() = body.to_string().into_bytes();
    request
}

#[test]
fn registration_is_the_callers_token_and_the_registry() {
    let service = Service::new();
    let operator = service.operator("client:register");
    let metadata = service.app_metadata(&json!({}));
    let create = || json_request(&Method::POST, "/register", &operator, &metadata);
    // The event, the client's row, the hashes of its secret and of its registration access token.
    costs(&service, 201, create, (&[ASK; 2], 2, 4), (&[ASK; 3], 3, 4));

    let client = service.register(&metadata);
    let path = format!("/register/{}", client.id);
    let read = || bearer(&Method::GET, &path, &client.token);
    costs(&service, 200, read, (&[ASK], 1, 0), (&[ASK], 1, 0));
    let read = || bearer(&Method::GET, &path, &operator);
    costs(&service, 200, read, (&[ASK; 2], 2, 0), (&[ASK; 3], 3, 0));

    let mut replacement = metadata.clone();
    replacement["client_id"] = client.id.clone().into();
    let replace = || json_request(&Method::PUT, &path, &client.token, &replacement);
    // The change and its confirmation with their rows, and the same at each of eight shards.
    costs(&service, 200, replace, (&[ASK; 2], 2, 20), (&[ASK; 2], 2, 20));

    let doomed = service.register(&metadata);
    let path = format!("/register/{}", doomed.id);
    service.world.faults().start_counting();
    service.handle(bearer(&Method::DELETE, &path, &doomed.token));
    let counted = service.world.faults().counted();
    // One more row: the secret's hash goes.
    assert_eq!((counted.calls.as_slice(), counted.round_trips, counted.rows_written), (&[ASK; 2][..], 2, 21));
}

#[test]
fn people_are_claimed_name_by_name_and_then_brought_home() {
    let service = Service::new();
    let operator = service.operator("scim");
    let user = || json!({ "userName": format!("u-{}", service.draw()) });
    let create = || json_request(&Method::POST, "/scim/v2/Users", &operator, &user());
    // The claim with its row and the name's hash; the person with their row and half of their key.
    costs(&service, 201, create, (&[ASK; 3], 3, 6), (&[ASK; 4], 4, 6));

    let subject = service.person();
    let path = format!("/scim/v2/Users/{subject}");
    let read = || bearer(&Method::GET, &path, &operator);
    costs(&service, 200, read, (&[ASK; 2], 2, 0), (&[ASK; 3], 3, 0));
    let search = || bearer(&Method::GET, "/scim/v2/Users?filter=userName%20eq%20%22nobody%22", &operator);
    costs(&service, 200, search, (&[ASK; 2], 2, 0), (&[ASK; 3], 3, 0));
}

/// V12: each target is the caller's token and one log; a `jti` is first compared with its event.
#[test]
fn a_revocation_by_an_operator_is_the_callers_token_and_one_log() {
    let service = Service::new();
    let (app, subject) = (service.app(), service.person());
    let operator = service.operator("admin");
    let request = |target: Value| json_request(&Method::POST, "/admin/revocations", &operator, &target);
    let by_subject = || request(json!({ "subject": subject.as_str() }));
    costs(&service, 200, by_subject, (&[ASK; 2], 2, 2), (&[ASK; 3], 3, 2));
    let by_token = || request(json!({ "jti": jti_of(&service.login(&app, &subject)).to_string() }));
    let (warm, cold) = costs_of(&service, &by_token);
    assert_eq!((warm, cold), ((3, 3, 2), (4, 4, 2)));
    let by_grant = || request(json!({ "grant": jti_of(&service.login(&app, &subject)).address.to_string() }));
    let (warm, cold) = costs_of(&service, &by_grant);
    assert_eq!((warm, cold), ((2, 2, 2), (3, 3, 2)));
    let by_client = || request(json!({ "client_id": app.id }));
    costs(&service, 200, by_client, (&[ASK; 2], 2, 20), (&[ASK; 3], 3, 20));
}

/// Calls, round trips and rows, warm and cold, of a request that is made anew each time.
fn costs_of(service: &Service, request: &dyn Fn() -> http::Request) -> ((usize, u32, u64), (usize, u32, u64)) {
    let [warm, cold] = [false, true].map(|cold| {
        let request = request();
        if cold {
            service.forget();
        }
        service.world.faults().start_counting();
        service.handle(request).expect(200);
        let counted = service.world.faults().counted();
        (counted.calls.len(), counted.round_trips, counted.rows_written)
    });
    (warm, cold)
}

#[test]
fn reading_the_audit_log_is_recorded_before_it_is_answered() {
    let service = Service::new();
    let token = service.login(&service.app(), &service.person());
    let operator = service.operator("audit");
    let path = format!("/audit/tokens/{}", jti_of(&token));
    // The caller's token, the record, the token's event, its log.
    let read = || bearer(&Method::GET, &path, &operator);
    costs(&service, 200, read, (&[ASK; 4], 4, 1), (&[ASK; 5], 5, 1));
}
