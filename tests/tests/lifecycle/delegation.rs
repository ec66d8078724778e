//! Who acts for whom: `act` and `may_act` (RFC 8693 §4).

use grantlog_tests::{
    Client, Registration,
    audit::Auditor,
    jwt,
    party::{Cast, SCOPE},
};
use serde_json::{Value, json};

/// X2: delegation is the default, impersonation an opt-in with an event of its own.
#[test]
fn an_exchange_without_an_actor_needs_the_right_to_impersonate_and_leaves_its_own_event() {
    let cast = Cast::on_shared();
    let policy = json!({ "audiences": [cast.service.issuer], "actors": "any", "subject_clients": "any" });
    let delegating =
        Registration::exchanger("delegating only", &[]).policy(policy).scope(SCOPE).register(&cast.service);
    let first = cast.first_token();
    delegating.exchange(&first).send().must_refuse(400, "unauthorized_client");
    let delegated = delegating.exchange(&first).actor(&cast.actor.own_token("openid")).token();
    assert_eq!(jwt::claims(&delegated)["act"], json!({ "sub": cast.actor.id }));
    let impersonated = cast.impersonated(&first);
    assert!(jwt::claims(&impersonated)["act"].is_null());
    let auditor = Auditor::of(&cast.service);
    assert_eq!(issuing_event(&auditor, &delegated)["type"], "token_delegated");
    assert_eq!(issuing_event(&auditor, &impersonated)["type"], "token_impersonated");
}

/// X3: a token with `may_act` is never exchanged plainly, and only the actor it names may act.
#[test]
fn a_token_that_names_its_actor_is_exchanged_by_that_actor_or_not_at_all() {
    let cast = Cast::on_shared();
    let named = token_with_may_act(&cast, &json!({ "sub": cast.actor.id }));
    let other = Registration::machine("another actor").scope("openid").register(&cast.service);
    cast.backend.exchange(&named).send().must_refuse(400, "invalid_request");
    cast.backend.exchange(&named).actor(&other.own_token("openid")).send().must_refuse(400, "invalid_request");
    let delegated = cast.delegated(&named);
    assert_eq!(jwt::claims(&delegated)["act"], json!({ "sub": cast.actor.id }));
}

/// X3: an actor by its client, and one by both its names.
#[test]
fn an_actor_may_be_named_by_its_client() {
    let cast = Cast::on_shared();
    let by_client = token_with_may_act(&cast, &json!({ "client_id": cast.actor.id }));
    assert_eq!(jwt::claims(&cast.delegated(&by_client))["act"]["sub"].as_str(), Some(cast.actor.id.as_str()));
    let contradicting = token_with_may_act(&cast, &json!({ "sub": cast.user.id, "client_id": cast.actor.id }));
    let actor = cast.actor.own_token("openid");
    cast.backend.exchange(&contradicting).actor(&actor).send().must_refuse(400, "invalid_request");
}

/// X3: what an actor got stays the actor's through every further exchange.
#[test]
fn an_actor_sticks_when_the_token_is_exchanged_without_one() {
    let cast = Cast::on_shared();
    let again = cast.impersonated(&cast.impersonated(&cast.delegated(&cast.first_token())));
    assert_eq!(jwt::claims(&again)["act"], json!({ "sub": cast.actor.id }));
}

/// X4: token, introspection and event carry the same actor.
#[test]
fn the_actor_in_the_token_is_the_one_in_introspection_and_in_the_log() {
    let cast = Cast::on_shared();
    let token = cast.delegated(&cast.first_token());
    let act = jwt::claims(&token)["act"].clone();
    assert_eq!(cast.backend.introspect(&token).json()["act"], act);
    let history = Auditor::of(&cast.service).history(&jwt::jti(&token));
    assert_eq!(history["actors"][0]["client_id"], act["sub"]);
    assert_eq!(history["actors"].as_array().map(Vec::len), Some(1));
}

/// X12: the newest actor is outermost.
#[test]
fn actors_nest_newest_first() {
    let cast = Cast::on_shared();
    let second = Registration::machine("second actor").scope("openid").register(&cast.service);
    let token = delegated_by(&cast, &cast.delegated(&cast.first_token()), &second);
    assert_eq!(jwt::claims(&token)["act"], json!({ "sub": second.id, "act": { "sub": cast.actor.id } }));
}

/// X12: no scope asked for is the subject's ∩ the client's ∩ the policy's, never more.
#[test]
fn an_omitted_scope_is_what_subject_and_client_have_in_common() {
    let cast = Cast::on_shared();
    let narrow = Registration::exchanger("narrow", &[]).scope("openid email address").register(&cast.service);
    let answer = narrow.exchange(&cast.first_token()).send().expect(200).json();
    assert_eq!(words(&answer["scope"]), ["email", "openid"]);
    assert_eq!(words(&jwt::claims(answer["access_token"].as_str().unwrap())["scope"]), ["email", "openid"]);
}

/// X13: five actors are kept whole; a seventeenth is refused, not dropped.
#[test]
fn a_chain_of_sixteen_actors_is_kept_whole_and_a_seventeenth_is_refused() {
    let cast = Cast::on_shared();
    let mut token = cast.first_token();
    for depth in 1..=16 {
        token = cast.delegated(&token);
        assert_eq!(depth_of(&jwt::claims(&token)["act"]), depth);
    }
    let actor = cast.actor.own_token("openid");
    cast.backend.exchange(&token).actor(&actor).send().must_refuse(400, "invalid_request");
}

/// An actor of a client that the policy does not name is refused; so is a dead one, wherever its log.
#[test]
fn an_actor_must_be_admitted_and_alive() {
    let cast = Cast::on_shared();
    let policy = json!({ "audiences": [], "actors": [cast.actor.id], "subject_clients": "any" });
    let strict = Registration::exchanger("strict", &[]).policy(policy).scope(SCOPE).register(&cast.service);
    let stranger = Registration::machine("stranger").scope("openid").register(&cast.service);
    let first = cast.first_token();
    strict.exchange(&first).actor(&stranger.own_token("openid")).send().must_refuse(400, "invalid_request");
    for _ in 0..5 {
        let actor = cast.actor.own_token("openid");
        assert_eq!(cast.actor.revoke(&actor).status, 200);
        strict.exchange(&first).actor(&actor).send().must_refuse(400, "invalid_request");
    }
    assert!(Auditor::of(&cast.service).history(&jwt::jti(&first))["children"].as_array().unwrap().is_empty());
}

fn delegated_by(cast: &Cast, token: &str, actor: &Client) -> String {
    cast.backend.exchange(token).actor(&actor.own_token("openid")).audience(&cast.service.issuer).token()
}

fn token_with_may_act(cast: &Cast, may_act: &Value) -> String {
    let mut claims = cast.login.claims(&cast.service.issuer, &cast.user.id);
    claims["may_act"] = may_act.clone();
    cast.frontend.present(&cast.login.sign(&claims), SCOPE).expect(200).access_token()
}

fn issuing_event(auditor: &Auditor, token: &str) -> Value {
    let history = auditor.history(&jwt::jti(token));
    let events = history["events"].as_array().unwrap();
    events.iter().find(|event| event["jti"] == history["jti"]).cloned().expect("an issued token has its event")
}

fn depth_of(act: &Value) -> usize {
    if act.is_object() { 1 + depth_of(&act["act"]) } else { 0 }
}

fn words(scope: &Value) -> Vec<&str> {
    let mut words: Vec<&str> = scope.as_str().unwrap().split(' ').collect();
    words.sort_unstable();
    words
}
