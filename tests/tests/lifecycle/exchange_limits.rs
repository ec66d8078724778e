//! What an exchange cannot enlarge: scope, lifetime, audience, and the kind of token that it takes.

use grantlog_tests::{
    AssertionIssuer, Registration, User,
    audit::Auditor,
    exchange::ACCESS_TOKEN,
    jwt,
    party::{Cast, ORDERS, SCOPE, STOCK},
};
use serde_json::{Value, json};

/// XB: an empty intersection is an error, and nothing is put in its place.
#[test]
fn an_empty_scope_is_refused() {
    let cast = Cast::on_shared();
    cast.backend.exchange(&cast.first_token()).scope("phone").send().must_refuse(400, "invalid_scope");
    let other = Registration::exchanger("with nothing in common", &[]).scope("phone").register(&cast.service);
    other.exchange(&cast.first_token()).send().must_refuse(400, "invalid_scope");
}

/// Scope never grows back: what a parent lost, no child has.
#[test]
fn scope_that_was_given_up_does_not_come_back() {
    let cast = Cast::on_shared();
    let narrow = cast.backend.exchange(&cast.first_token()).scope("openid").token();
    let again = cast.backend.exchange(&narrow).scope("openid profile email").token();
    assert_eq!(jwt::claims(&again)["scope"], "openid");
    cast.backend.exchange(&narrow).scope("profile").send().must_refuse(400, "invalid_scope");
}

/// XC: a child ends no later than its parent, whatever the exchanger's own lifetime is.
#[test]
fn a_child_ends_no_later_than_its_parent() {
    let cast = Cast::on_shared();
    let brief = Registration::frontend("brief", &cast.login).scope(SCOPE).lifetime(60).register(&cast.service);
    let long = Registration::exchanger("long", &[]).scope(SCOPE).lifetime(86_400).register(&cast.service);
    let parent = brief.token_for(&cast.login, &cast.user.id, SCOPE);
    let answer = long.exchange(&parent).send().expect(200);
    let claims = jwt::claims(&answer.access_token());
    assert_eq!(claims["exp"], jwt::claims(&parent)["exp"]);
    assert!(answer.json()["expires_in"].as_u64().is_some_and(|seconds| seconds <= 60), "{answer:?}");
}

/// XD: every audience and resource is honoured, and every one is judged.
#[test]
fn repeated_audiences_and_resources_are_all_honoured_and_all_judged() {
    let cast = Cast::on_shared();
    let policy = json!({
        "audiences": [ORDERS, STOCK], "resources": ["https://a.example/x", "https://b.example/y"],
        "impersonation": true, "actors": "any", "subject_clients": "any",
    });
    let backend = Registration::exchanger("many targets", &[]).policy(policy).scope(SCOPE).register(&cast.service);
    let first = cast.first_token();
    let all = backend
        .exchange(&first)
        .audience(ORDERS)
        .audience(STOCK)
        .resource("https://a.example/x")
        .resource("https://b.example/y");
    let audience = jwt::claims(&all.token())["aud"].clone();
    assert_eq!(sorted(&audience), ["https://a.example/x", "https://b.example/y", ORDERS, STOCK]);
    for outside in [
        backend.exchange(&first).audience("https://evil.example").audience(ORDERS),
        backend.exchange(&first).audience(ORDERS).audience("https://evil.example"),
        backend.exchange(&first).resource("https://evil.example/").resource("https://a.example/x"),
        backend.exchange(&first).resource("https://a.example/x").resource("https://evil.example/"),
        backend.exchange(&first).resource("not a uri"),
        backend.exchange(&first).resource("https://a.example/x#fragment"),
        backend.exchange(&first).audience("https://ORDERS.example"),
    ] {
        outside.send().must_refuse(400, "invalid_target");
    }
}

/// XI: the limit counts all of them, in whatever order.
#[test]
fn too_many_audiences_are_refused_although_each_is_allowed() {
    let cast = Cast::on_shared();
    let many: Vec<String> = (0..15).map(|n| format!("https://a{n}.example")).collect();
    let policy = json!({ "audiences": many, "impersonation": true, "actors": "any", "subject_clients": "any" });
    let backend = Registration::exchanger("greedy", &[]).policy(policy).scope(SCOPE).register(&cast.service);
    let first = cast.first_token();
    let ask = |count: usize| {
        many.iter().take(count).fold(backend.exchange(&first), |exchange, audience| exchange.audience(audience))
    };
    assert_eq!(jwt::claims(&ask(10).token())["aud"].as_array().map(Vec::len), Some(10));
    ask(11).send().must_refuse(400, "invalid_target");
    ask(15).send().must_refuse(400, "invalid_target");
}

/// The default audience is the issuer, and a token for others does not open `/userinfo`.
#[test]
fn a_token_for_another_audience_opens_no_userinfo() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    assert_eq!(jwt::claims(&first)["aud"].as_str(), Some(cast.service.issuer.as_str()));
    let elsewhere = cast.backend.exchange(&first).audience(ORDERS).token();
    cast.service.userinfo(&elsewhere).send().must_challenge(401, "invalid_token");
    assert!(cast.backend.introspect(&elsewhere).is_active());
}

/// `/userinfo` wants the scope `openid` (RFC 6750 §3.1).
#[test]
fn a_token_without_openid_opens_no_userinfo() {
    let cast = Cast::on_shared();
    let token = cast.frontend.token_for(&cast.login, &cast.user.id, "profile");
    cast.service.userinfo(&token).send().must_challenge(403, "insufficient_scope");
}

/// XA: what is no access token is refused by its type, and what lies about its type too.
#[test]
fn what_is_no_access_token_is_not_exchanged() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    let fresh = || cast.login.assertion(&cast.service.issuer, &cast.user.id);
    for token in
        [fresh(), cast.frontend.registration_token.clone(), cast.frontend.secret().to_owned(), jwt::jti(&first)]
    {
        cast.backend.exchange(&token).send().must_refuse(400, "invalid_request");
        cast.backend.exchange(&first).actor(&token).send().must_refuse(400, "invalid_request");
        cast.service.userinfo(&token).send().must_challenge(401, "invalid_token");
        cast.backend.introspect(&token).must_be_inactive();
    }
    for kind in ["id_token", "refresh_token", "saml2", "nonsense"] {
        let kind = format!("urn:ietf:params:oauth:token-type:{kind}");
        cast.backend.exchange(&first).replacing("subject_token_type", &kind).send().must_refuse(400, "invalid_request");
        cast.backend
            .exchange(&first)
            .actor(&first)
            .replacing("actor_token_type", &kind)
            .send()
            .must_refuse(400, "invalid_request");
    }
    assert_eq!(cast.backend.exchange(&first).send().expect(200).text("issued_token_type"), ACCESS_TOKEN);
}

/// RFC 8693 §2.1: an actor's token and its type come together or not at all.
#[test]
fn half_an_actor_is_refused() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    cast.backend
        .exchange(&first)
        .with("actor_token", &cast.actor.own_token("openid"))
        .send()
        .must_refuse(400, "invalid_request");
    cast.backend.exchange(&first).with("actor_token_type", ACCESS_TOKEN).send().must_refuse(400, "invalid_request");
}

/// A refresh token is not part of an exchange here, and asking for one is an error.
#[test]
fn asking_an_exchange_for_a_refresh_token_is_an_error() {
    let cast = Cast::on_shared();
    let kind = "urn:ietf:params:oauth:token-type:refresh_token";
    cast.backend
        .exchange(&cast.first_token())
        .with("requested_token_type", kind)
        .send()
        .must_refuse(400, "invalid_request");
}

/// Whose tokens a client exchanges is its policy's to say, and without a policy it exchanges none.
#[test]
fn a_client_exchanges_only_what_its_policy_admits() {
    let cast = Cast::on_shared();
    let policy =
        json!({ "audiences": [], "impersonation": true, "actors": "any", "subject_clients": [cast.backend.id] });
    let choosy = Registration::exchanger("choosy", &[]).policy(policy).scope(SCOPE).register(&cast.service);
    choosy.exchange(&cast.first_token()).send().must_refuse(400, "invalid_request");
    let _ = choosy.exchange(&cast.impersonated(&cast.first_token())).token();
    cast.frontend.exchange(&cast.first_token()).send().must_refuse(400, "unauthorized_client");
}

/// X7: a refused exchange of a genuine token leaves one refusal in the log, and no token.
#[test]
fn a_refused_exchange_leaves_one_refusal_and_nothing_else() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    for _ in 0..5 {
        cast.backend.exchange(&first).audience("https://evil.example").send().must_refuse(400, "invalid_target");
    }
    let history = Auditor::of(&cast.service).history(&jwt::jti(&first));
    let refused: Vec<&Value> =
        history["events"].as_array().unwrap().iter().filter(|event| event["outcome"] != "granted").collect();
    assert_eq!(refused.len(), 1, "one refusal per token, code and minute: {refused:?}");
    assert_eq!(refused[0]["outcome"]["refused"], "target_not_admitted");
    assert_eq!(history["children"], json!([]));
    assert_eq!(history["state"], "active");
}

/// A token of one login's person says nothing about another person.
#[test]
fn tokens_of_two_people_never_mix() {
    let cast = Cast::on_shared();
    let other = User::create(&cast.service);
    let login = AssertionIssuer::new();
    let frontend = Registration::frontend("other frontend", &login).scope(SCOPE).register(&cast.service);
    let theirs = frontend.token_for(&login, &other.id, SCOPE);
    let ours = cast.first_token();
    assert_eq!(
        cast.service.userinfo(&cast.impersonated(&theirs)).send().json()["sub"].as_str(),
        Some(other.id.as_str())
    );
    assert_eq!(
        cast.service.userinfo(&cast.impersonated(&ours)).send().json()["sub"].as_str(),
        Some(cast.user.id.as_str())
    );
}

fn sorted(audience: &Value) -> Vec<&str> {
    let mut all: Vec<&str> = audience.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    all.sort_unstable();
    all
}
