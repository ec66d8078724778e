//! Every call of every request failing in turn, before and after it was done, once and for good.
//!
//! The answer is 503 or the right one, never a verdict and never a token; once all is well again the same
//! request succeeds, and logs, state and views agree (V1, V2, E2, E16).

use super::{
    agreement::logs_and_views_agree,
    deployment::{ACCESS_TOKEN, Client, JWT_BEARER, Service, jti_of, place_of},
};
use crate::{http, http::tests::deployment::Answer, memory::When};
use ::http::{Method, header};
use grantlog_events::Subject;
use serde_json::{Value, json};

/// More steps than any request takes.
const MOST_STEPS: u64 = 400;

/// Who is there in every scenario.
struct Cast {
    service: Service,
    app: Client,
    backend: Client,
    keyed: Client,
    person: Subject,
    token: String,
    local: String,
    foreign: String,
}

fn cast(values: &[(&str, &str)]) -> Cast {
    // Few shards, so that what every one of them must hear is soon said.
    let service = Service::with(&[&[("LOG_SHARDS", "2")], values].concat());
    let (app, backend, keyed, person) = (service.app(), service.exchanger(), service.keyed(), service.person());
    let token = service.login(&app, &person);
    let local = service.machine_at(&backend, |place| place == place_of(&token));
    let foreign = service.machine_at(&backend, |place| place != place_of(&token));
    Cast { service, app, backend, keyed, person, token, local, foreign }
}

/// A request made anew for each step, so that nothing is spent twice; made again it must succeed.
type Make<'a> = &'a dyn Fn(&Cast) -> Box<dyn Fn(&Cast) -> http::Request>;

/// A request about a token.
type ForToken = fn(&Service, &Client, &str) -> http::Request;

/// Runs one request with each of its steps failing, in each of four ways, in a warm and in a cold isolate.
fn survives(values: &[(&str, &str)], make: Make<'_>, is_right: &dyn Fn(&Answer) -> bool) {
    let mut struck = 0;
    for (when, lasting, cold) in ways() {
        let cast = cast(values);
        for nth in 0.. {
            assert!(nth < MOST_STEPS, "the fault never misses");
            let request = make(&cast);
            let first = request(&cast);
            if cold {
                cast.service.forget();
            }
            cast.service.world.faults().fail(nth, when, lasting);
            let answer = cast.service.handle(first);
            let missed = !cast.service.world.faults().mend();
            let step = format!("step {nth} {when:?} lasting {lasting} cold {cold}");
            is_no_verdict(&answer, is_right, &step);
            // Either the alarms come first and need no help, or the caller does.
            if lasting {
                logs_and_views_agree(&cast.service);
            }
            let again = cast.service.handle(request(&cast));
            assert!(is_right(&again), "{step}, again: {again:?}");
            logs_and_views_agree(&cast.service);
            if missed {
                assert!(is_right(&answer), "{step}: {answer:?}");
                break;
            }
            struck += 1;
        }
    }
    assert!(struck >= 4, "nothing ever failed");
}

fn ways() -> impl Iterator<Item = (When, bool, bool)> {
    let each = [false, true];
    [When::Before, When::After]
        .into_iter()
        .flat_map(move |when| each.into_iter().flat_map(move |lasting| each.map(|cold| (when, lasting, cold))))
}

#[track_caller]
fn is_no_verdict(answer: &Answer, is_right: &dyn Fn(&Answer) -> bool, step: &str) {
    if answer.status == 503 {
        assert_eq!(answer.headers[header::RETRY_AFTER], "1", "{step}");
        assert!(!answer.headers.contains_key(header::WWW_AUTHENTICATE), "{step}");
        assert_eq!(answer.body["error"], "temporarily_unavailable", "{step}");
        assert!(answer.body.get("access_token").is_none() && answer.body.get("active").is_none(), "{step}");
    } else {
        // The fault struck what only follows from the answer.
        assert!(is_right(answer), "{step}: {answer:?}");
    }
}

fn has_token(answer: &Answer) -> bool {
    answer.status == 200 && answer.body["access_token"].is_string()
}

fn is_active(answer: &Answer) -> bool {
    answer.status == 200 && answer.body["active"] == true
}

fn is_inactive(answer: &Answer) -> bool {
    answer.status == 200 && answer.body == json!({ "active": false })
}

fn is_ok(answer: &Answer) -> bool {
    answer.status == 200
}

/// The same request for every step, as often as it is made.
fn always(
    request: impl Fn(&Cast) -> http::Request + Clone + 'static,
) -> impl Fn(&Cast) -> Box<dyn Fn(&Cast) -> http::Request> {
    move |_| Box::new(request.clone())
}

fn bearer(method: &Method, path: &str, token: &str) -> http::Request {
    super::round_trips::bearer(method, path, token)
}

fn json_request(method: &Method, path: &str, token: &str, body: &Value) -> http::Request {
    let mut request = bearer(method, path, token);
    request.headers_mut().insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
    *request.body_mut() = body.to_string().into_bytes();
    request
}

#[test]
fn client_credentials_survive_any_failure() {
    let form = [("grant_type", "client_credentials")];
    survives(&[], &always(move |cast: &Cast| cast.service.request("/token", &cast.app, &form)), &has_token);
    survives(&[], &always(move |cast: &Cast| cast.service.request("/token", &cast.keyed, &form)), &has_token);
}

#[test]
fn an_assertion_as_grant_survives_any_failure() {
    let login = |cast: &Cast| {
        let assertion = cast.service.assertion(&cast.person, &json!({}));
        cast.service.request("/token", &cast.app, &[("grant_type", JWT_BEARER), ("assertion", &assertion)])
    };
    survives(&[], &always(login), &has_token);
}

#[test]
fn an_exchange_survives_any_failure() {
    survives(&[], &always(|cast: &Cast| cast.service.exchange_request(&cast.backend, &cast.token, &[])), &has_token);
    survives(&[], &always(|cast: &Cast| cast.service.exchange_request(&cast.keyed, &cast.token, &[])), &has_token);
}

#[test]
fn an_exchange_with_an_actor_survives_any_failure() {
    let with = |actor: fn(&Cast) -> String| {
        move |cast: &Cast| {
            let actor = actor(cast);
            cast.service.exchange_request(
                &cast.backend,
                &cast.token,
                &[("actor_token", &actor), ("actor_token_type", ACCESS_TOKEN)],
            )
        }
    };
    survives(&[], &always(with(|cast| cast.local.clone())), &has_token);
    survives(&[], &always(with(|cast| cast.foreign.clone())), &has_token);
}

/// A refusal is a verdict too: it may be given only when it was reached.
#[test]
fn a_refused_exchange_survives_any_failure() {
    let refused = |code: &'static str| move |answer: &Answer| answer.status == 400 && answer.body["error"] == code;
    let outside = |cast: &Cast| cast.service.exchange_request(&cast.backend, &cast.token, &[("audience", "elsewhere")]);
    survives(&[], &always(outside), &refused("invalid_target"));
    let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
        let dead = cast.service.machine_at(&cast.backend, |place| place != place_of(&cast.token));
        cast.service.revoke(&cast.backend, &dead).expect(200);
        Box::new(move |cast| {
            cast.service.exchange_request(
                &cast.backend,
                &cast.token,
                &[("actor_token", &dead), ("actor_token_type", ACCESS_TOKEN)],
            )
        })
    };
    survives(&[], &make, &refused("invalid_request"));
}

/// V1, V2: storage down says neither `active: false` nor that a dead token lives.
#[test]
fn introspection_survives_any_failure() {
    survives(
        &[],
        &always(|cast: &Cast| cast.service.request("/introspect", &cast.backend, &[("token", &cast.token)])),
        &is_active,
    );
    let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
        let dead = cast.service.login(&cast.app, &cast.person);
        cast.service.revoke(&cast.app, &dead).expect(200);
        Box::new(move |cast| cast.service.request("/introspect", &cast.backend, &[("token", &dead)]))
    };
    survives(&[], &make, &is_inactive);
}

/// V1, XE: whether a key that the ring lacks is ours cannot be said while the registry is down.
#[test]
fn a_token_of_an_unknown_key_is_no_verdict_while_the_registry_cannot_be_asked() {
    let Cast { service, app, backend, token, .. } = cast(&[]);
    let claims = super::deployment::claims(&token);
    let header = json!({ "alg": "ES256", "kid": "not-yet-known", "typ": "at+jwt" });
    let unknown = service.outside.sign(&service.world, &header, &claims);
    let requests: [ForToken; 5] = [
        |service, client, token| service.request("/introspect", client, &[("token", token)]),
        |service, client, token| service.request("/revoke", client, &[("token", token)]),
        |service, client, token| service.exchange_request(client, token, &[]),
        |_, _, token| bearer(&Method::GET, "/userinfo", token),
        |_, _, token| bearer(&Method::GET, "/audit/events", token),
    ];
    for request in requests {
        service.machine(&app);
        service.machine(&backend);
        service.wait(6_000);
        let request = request(&service, &backend, &unknown);
        service.world.faults().fail(0, When::Before, true);
        let path = request.uri().path().to_owned();
        let answer = service.handle(request);
        assert!(service.world.faults().mend(), "{path} asked nobody");
        assert_eq!(answer.status, 503, "{path} {answer:?}");
    }
}

/// V1, V2.
#[test]
fn userinfo_survives_any_failure() {
    for consistency in ["kv", "log"] {
        let values = [("USERINFO_CONSISTENCY", consistency)];
        survives(&values, &always(|cast: &Cast| bearer(&Method::GET, "/userinfo", &cast.token)), &|answer| {
            answer.status == 200 && answer.body["given_name"] == "Ada"
        });
        let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
            let dead = cast.service.login(&cast.app, &cast.person);
            cast.service.revoke(&cast.app, &dead).expect(200);
            Box::new(move |_| bearer(&Method::GET, "/userinfo", &dead))
        };
        survives(&values, &make, &|answer| answer.status == 401);
    }
}

/// VD: a revocation is answered when it is durable and shown; asked again after a 503 it is done.
#[test]
fn a_revocation_survives_any_failure() {
    let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
        let token = cast.service.login(&cast.app, &cast.person);
        Box::new(move |cast| cast.service.request("/revoke", &cast.app, &[("token", &token)]))
    };
    survives(&[], &make, &is_ok);
}

/// What was answered holds: after each 200 the token is dead wherever it is asked about.
#[test]
fn a_revocation_that_was_answered_is_seen_at_once_whatever_failed_after_it() {
    let Cast { service, app, person, .. } = cast(&[]);
    for when in [When::Before, When::After] {
        for nth in 0..MOST_STEPS {
            let token = service.login(&app, &person);
            service.world.faults().fail(nth, when, true);
            let answer = service.revoke(&app, &token);
            let missed = !service.world.faults().mend();
            if answer.status == 200 {
                assert_eq!(service.userinfo(&token).status, 401, "{nth} {when:?}");
                assert!(!service.is_active(&app, &token), "{nth} {when:?}");
            }
            if missed {
                break;
            }
        }
    }
}

#[test]
fn a_revocation_by_an_operator_survives_any_failure() {
    type Target = fn(&Cast, &str) -> Value;
    let targets: [Target; 4] = [
        |_, token| json!({ "jti": jti_of(token).to_string() }),
        |_, token| json!({ "grant": jti_of(token).address.to_string() }),
        |cast, _| json!({ "subject": cast.person.as_str() }),
        |cast, _| json!({ "client_id": cast.keyed.id }),
    ];
    for target in targets {
        let make = move |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
            let operator = cast.service.operator("admin");
            let target = target(cast, &cast.service.login(&cast.app, &cast.person));
            Box::new(move |_| json_request(&Method::POST, "/admin/revocations", &operator, &target))
        };
        survives(&[], &make, &is_ok);
    }
}

/// A change that was not confirmed everywhere is in force where it was told, and is told on.
#[test]
fn a_change_of_a_client_survives_any_failure() {
    let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
        let metadata = cast.service.app_metadata(&json!({ "client_name": "before" }));
        let client = cast.service.register(&metadata);
        let path = format!("/register/{}", client.id);
        let body = super::deployment::changed(&metadata, &json!({ "client_id": client.id, "client_name": "after" }));
        Box::new(move |_| json_request(&Method::PUT, &path, &client.token, &body))
    };
    survives(&[], &make, &|answer| answer.status == 200 && answer.body["client_name"] == "after");
}

#[test]
fn the_key_set_and_registration_survive_any_failure() {
    survives(
        &[],
        &always(|_: &Cast| ::http::Request::get("/.well-known/jwks.json").body(Vec::new()).unwrap()),
        &|answer| answer.status == 200 && answer.body["keys"].as_array().is_some_and(|keys| keys.len() >= 6),
    );
    let make = |cast: &Cast| -> Box<dyn Fn(&Cast) -> http::Request> {
        let (operator, metadata) = (cast.service.operator("client:register"), cast.service.app_metadata(&json!({})));
        Box::new(move |_| json_request(&Method::POST, "/register", &operator, &metadata))
    };
    survives(&[], &make, &|answer| answer.status == 201);
}

/// A deployment whose first request failed anywhere is opened by the next one, once.
#[test]
fn opening_a_deployment_survives_any_failure() {
    for (when, lasting, _) in ways().filter(|(_, _, cold)| !cold) {
        for nth in 0.. {
            assert!(nth < MOST_STEPS, "the fault never misses");
            let service = Service::unopened(&[("LOG_SHARDS", "2")]);
            service.world.faults().fail(nth, when, lasting);
            let answer = service.get("/healthz");
            let missed = !service.world.faults().mend();
            is_no_verdict(&answer, &is_ok, &format!("step {nth} {when:?} lasting {lasting}"));
            service.get("/healthz").expect(200);
            logs_and_views_agree(&service);
            if missed {
                break;
            }
        }
    }
}
