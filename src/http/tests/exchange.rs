//! Token exchange over HTTP: who is kept, who acts, how far, for whom, how long.

use super::{
    agreement::replay_equals_live,
    deployment::{
        ACCESS_TOKEN, EXCHANGE, Service, changed, claims, exchanger_metadata, jti_of, place_of, refusal, token_in,
    },
};
use crate::{
    http::{handle, tests::deployment::Answer},
    memory::finished,
};
use futures_util::future::join_all;
use grantlog_events::{Body, Event, Stored};
use serde_json::{Value, json};

fn invalid(answer: Answer) -> String {
    refusal(answer, 400, "invalid_request")
}

/// The events of a token's log, decoded.
pub(super) fn events_at(service: &Service, token: &str) -> Vec<Event> {
    let events = service.world.shard(place_of(token)).store().all_events();
    events.iter().map(|bytes| Event::from_bytes(bytes).unwrap()).collect()
}

/// X2: delegation where there is an actor, impersonation only for a client that has the right to it.
#[test]
fn an_exchange_delegates_and_impersonates_only_with_the_right_to() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let policy = changed(&exchanger_metadata(&json!({}))["token_exchange"], &json!({ "impersonation": false }));
    let modest = service.register(&exchanger_metadata(&json!({ "token_exchange": policy })));
    let token = service.login(&app, &service.person());
    let actor = service.machine(&backend);

    let answer = service.delegate(&modest, &token, &actor).expect(200);
    assert_eq!(answer["issued_token_type"], ACCESS_TOKEN);
    assert_eq!(answer["expires_in"], 900);
    let delegated = answer["access_token"].as_str().unwrap();
    assert_eq!(claims(delegated)["act"], json!({ "sub": backend.id }));
    assert_eq!(claims(delegated)["sub"], claims(&token)["sub"]);
    assert_eq!(claims(delegated)["client_id"], modest.id);
    assert!(matches!(events_at(&service, delegated).last().unwrap().body, Body::TokenDelegated(_)));

    let said = refusal(service.exchange(&modest, &token, &[]), 400, "unauthorized_client");
    assert_eq!(said, "Refused: impersonation not allowed.");
    let impersonated = token_in(service.exchange(&backend, &token, &[]));
    assert_eq!(claims(&impersonated).get("act"), None);
    assert!(matches!(events_at(&service, &impersonated).last().unwrap().body, Body::TokenImpersonated(_)));
}

/// X3: a token that names who may act is exchanged by that actor alone, also when it was exchanged before.
#[test]
fn who_may_act_and_who_acts_stick_whatever_the_shape_of_the_request() {
    let service = Service::new();
    let (app, backend, other) = (service.app(), service.exchanger(), service.exchanger());
    let token = service.login_with(&app, &service.person(), &json!({ "may_act": { "client_id": backend.id } }));
    assert_eq!(invalid(service.exchange(&backend, &token, &[])), "Refused: actor required.");
    let wrong = service.machine(&other);
    assert_eq!(invalid(service.delegate(&backend, &token, &wrong)), "Refused: actor not named by may act.");

    let actor = service.machine(&backend);
    let first = token_in(service.delegate(&backend, &token, &actor));
    assert_eq!(claims(&first)["may_act"], json!({ "client_id": backend.id }));
    assert_eq!(invalid(service.exchange(&other, &first, &[])), "Refused: actor required.");
    let second = token_in(service.delegate(&other, &first, &actor));
    assert_eq!(claims(&second)["act"], json!({ "sub": backend.id, "act": { "sub": backend.id } }));
}

/// X4, X12: token, introspection and event carry the same actors, the newest outermost.
#[test]
fn token_introspection_and_event_carry_the_same_chain_of_actors() {
    let service = Service::new();
    let (app, backend, relay) = (service.app(), service.exchanger(), service.exchanger());
    let subject = service.person();
    let first = token_in(service.delegate(&backend, &service.login(&app, &subject), &service.machine(&backend)));
    let second = token_in(service.delegate(&relay, &first, &service.machine(&relay)));
    let third = token_in(service.exchange(&backend, &second, &[]));
    let chain = json!({ "sub": relay.id, "act": { "sub": backend.id } });
    for token in [&second, &third] {
        assert_eq!(claims(token)["act"], chain);
        assert_eq!(service.introspect(&backend, token).expect(200)["act"], chain);
        let events = events_at(&service, token);
        let event = events.iter().find(|event| event.jti() == jti_of(token)).unwrap();
        let parties: Vec<String> = event.actors.iter().map(|actor| actor.party.to_string()).collect();
        assert_eq!(parties, [relay.id.clone(), backend.id.clone()]);
    }
}

/// X4, OIDC Core §8.1: a person who acts is known to a sector by a name of its own, in the token and of the token.
#[test]
fn a_person_who_acts_for_a_machine_is_named_alike_in_token_and_introspection() {
    let service = Service::new();
    let (app, person) = (service.app(), service.person());
    let pairwise = json!({
        "subject_type": "pairwise", "redirect_uris": ["https://app.example/cb"],
        "grant_types": ["authorization_code", "client_credentials", EXCHANGE],
    });
    let backend = service.register(&exchanger_metadata(&pairwise));
    let token = token_in(service.delegate(&backend, &service.machine(&app), &service.login(&app, &person)));
    let act = claims(&token)["act"].clone();
    assert!(act["sub"].as_str().unwrap().starts_with("p-"), "{act}");
    let told = service.introspect(&backend, &token).expect(200);
    assert_eq!((&told["act"], &told["sub"]), (&act, &json!(app.id)));
}

/// X5, X6: a dead ancestor ends what came of it, at any depth, and it alone.
#[test]
fn revoking_a_token_ends_its_descendants_and_no_sibling() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let root = service.login(&app, &service.person());
    let exchanged = |token: &str| token_in(service.exchange(&backend, token, &[]));
    let (child, sibling) = (exchanged(&root), exchanged(&root));
    let (grandchild, niece) = (exchanged(&child), exchanged(&sibling));
    let great_grandchild = exchanged(&grandchild);
    assert_eq!(service.userinfo(&great_grandchild).status, 200);
    service.revoke(&backend, &child).expect(200);
    assert_eq!(invalid(service.exchange(&backend, &child, &[])), "Refused: token revoked.");
    for dead in [&grandchild, &great_grandchild] {
        assert_eq!(invalid(service.exchange(&backend, dead, &[])), "Refused: ancestor revoked.");
        assert!(!service.is_active(&backend, dead));
        assert_eq!(service.userinfo(dead).status, 401);
    }
    for alive in [&root, &sibling, &niece] {
        assert!(service.is_active(&backend, alive));
        assert_eq!(service.userinfo(alive).status, 200);
        exchanged(alive);
    }
}

/// X7: a refused exchange leaves one refusal event and nothing else, however often it is tried.
#[test]
fn a_refused_exchange_leaves_one_event_and_no_state() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    let place = place_of(&token);
    let (before, rows) = (service.heads(), service.world.shard(place).store().all_rows());
    for _ in 0..5 {
        refusal(service.exchange(&backend, &token, &[("audience", "elsewhere")]), 400, "invalid_target");
    }
    let mut expected = before;
    *expected.get_mut(&place).unwrap() += 1;
    assert_eq!(service.heads(), expected);
    assert_eq!(service.world.shard(place).store().all_rows(), rows);
    let events = events_at(&service, &token);
    assert!(
        matches!(&events.last().unwrap().body, Body::ExchangeRefused(refused) if refused.token == jti_of(&token).address.seq)
    );
    // Another reason, and the same a minute later, are recorded again.
    refusal(service.exchange(&backend, &token, &[("scope", "groups")]), 400, "invalid_scope");
    service.wait(60_000);
    refusal(service.exchange(&backend, &token, &[("audience", "elsewhere")]), 400, "invalid_target");
    assert_eq!(events_at(&service, &token).len(), events.len() + 2);
    replay_equals_live(&service, place);
}

/// X12, XB: the scope is what subject, client and request have in common; nothing is put in its place.
#[test]
fn scope_is_narrowed_and_never_substituted() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    assert_eq!(claims(&token)["scope"], "openid profile email groups read");
    for (wanted, granted) in [
        (None, "openid profile email read"),
        (Some("email openid"), "email openid"),
        (Some("openid groups admin"), "openid"),
    ] {
        let form: Vec<(&str, &str)> = wanted.map(|scope| ("scope", scope)).into_iter().collect();
        let answer = service.exchange(&backend, &token, &form).expect(200);
        let same = |text: &Value| {
            let mut scopes: Vec<String> = text.as_str().unwrap().split(' ').map(str::to_owned).collect();
            scopes.sort();
            scopes
        };
        assert_eq!(same(&answer["scope"]), same(&json!(granted)), "{wanted:?}");
        assert_eq!(same(&claims(answer["access_token"].as_str().unwrap())["scope"]), same(&json!(granted)));
    }
    for empty in ["groups", "admin", "client:register"] {
        refusal(service.exchange(&backend, &token, &[("scope", empty)]), 400, "invalid_scope");
    }
}

/// XC: no exchange outlives its subject token, whatever the exchanging client is registered for.
#[test]
fn an_exchanged_token_expires_no_later_than_its_subject_token() {
    let service = Service::new();
    let short = service.register(&service.app_metadata(&json!({ "access_token_lifetime": 100 })));
    let backend = service.register(&exchanger_metadata(&json!({ "access_token_lifetime": 3600 })));
    let token = service.login(&short, &service.person());
    service.wait(40_000);
    let answer = service.exchange(&backend, &token, &[]).expect(200);
    assert_eq!(answer["expires_in"], 60);
    assert_eq!(claims(answer["access_token"].as_str().unwrap())["exp"], claims(&token)["exp"]);
    service.wait(60_000);
    assert_eq!(invalid(service.exchange(&backend, &token, &[])), "Refused: token expired.");
}

/// XD, XI: every audience and resource counts: for the answer, for the policy and for the limit.
#[test]
fn every_repeated_target_is_honoured_checked_and_counted() {
    let service = Service::new();
    let many: Vec<String> = (0..15).map(|number| format!("aud-{number}")).collect();
    let admitted: Vec<&str> = many.iter().map(String::as_str).chain(["api", "billing"]).collect();
    let policy = changed(&exchanger_metadata(&json!({}))["token_exchange"], &json!({ "audiences": admitted }));
    let backend = service.register(&exchanger_metadata(&json!({ "token_exchange": policy })));
    let token = service.login(&service.app(), &service.person());
    let both =
        [("audience", "api"), ("resource", "https://api.example/"), ("audience", "billing"), ("resource", "urn:files")];
    let exchanged = token_in(service.exchange(&backend, &token, &both));
    assert_eq!(claims(&exchanged)["aud"], json!(["api", "billing", "https://api.example/", "urn:files"]));
    for outside in [
        ("audience", "elsewhere"),
        ("resource", "https://other.example/"),
        ("resource", "not a uri"),
        ("resource", "urn:files#x"),
    ] {
        for form in [vec![outside, both[0], both[1]], vec![both[0], both[1], outside]] {
            refusal(service.exchange(&backend, &token, &form), 400, "invalid_target");
        }
    }
    let audiences = |count: usize| many.iter().take(count).map(|name| ("audience", name.as_str())).collect::<Vec<_>>();
    assert_eq!(
        claims(&token_in(service.exchange(&backend, &token, &audiences(10))))["aud"].as_array().unwrap().len(),
        10
    );
    for count in [11, 15] {
        refusal(service.exchange(&backend, &token, &audiences(count)), 400, "invalid_target");
    }
    // Nothing asked for means this issuer.
    let plain = token_in(service.exchange(&backend, &token, &[]));
    assert_eq!(claims(&plain)["aud"], "https://op.example");
}

/// XG: a deleted client and a suspended person take every live token with them, at once.
#[test]
fn tokens_of_a_deleted_client_and_of_a_suspended_person_are_refused_at_once() {
    let service = Service::new();
    let (app, backend, subject) = (service.app(), service.exchanger(), service.person());
    let (token, machine) = (service.login(&app, &subject), service.machine(&app));
    let child = token_in(service.exchange(&backend, &token, &[]));
    service.suspend(&subject);
    for dead in [&token, &child] {
        assert_eq!(invalid(service.exchange(&backend, dead, &[])), "Refused: subject suspended.");
        assert!(!service.is_active(&backend, dead));
        assert_eq!(service.userinfo(dead).status, 401);
    }
    service.set_active(&subject, true);
    assert!(service.is_active(&backend, &child));
    service.send(::http::Method::DELETE, &format!("/register/{}", app.id), &app.token, None).expect(204);
    for dead in [&token, &machine] {
        assert_eq!(invalid(service.exchange(&backend, dead, &[])), "Refused: client deleted.");
        assert!(!service.is_active(&backend, dead));
    }
    service.wait(30_000);
    assert_eq!(service.userinfo(&token).status, 401);
    assert_eq!(service.userinfo(&child).status, 200, "it is another client's");
}

/// E2, R22: exchanges of one token at the same time all succeed, each with an event of its own.
#[test]
fn fifty_parallel_exchanges_of_one_token_all_succeed() {
    let service = Service::new();
    let backend = service.exchanger();
    let token = service.login(&service.app(), &service.person());
    let before = service.heads()[&place_of(&token)];
    let requests = (0..50).map(|_| handle(&service.world, service.exchange_request(&backend, &token, &[])));
    for response in finished(join_all(requests)) {
        assert_eq!(response.status(), 200, "{}", String::from_utf8_lossy(response.body()));
    }
    assert_eq!(service.heads()[&place_of(&token)], before + 50);
    replay_equals_live(&service, place_of(&token));
}
