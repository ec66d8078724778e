//! What libraries of others rely on: discovery, keys, challenges, CORS, and parameters counted once.

use grantlog_tests::{Answer, Service, jwt, party::Cast};

/// OIDC Discovery §3, RFC 8414 §2: both documents, and every URL in them under the issuer.
#[test]
fn discovery_names_what_exists_and_nothing_else() {
    let service = Service::shared();
    for path in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] {
        let document = service.get(path).send().expect(200).json();
        assert_eq!(document["issuer"].as_str(), Some(service.issuer.as_str()));
        for (name, value) in document.as_object().unwrap() {
            if !name.ends_with("_endpoint") && name != "jwks_uri" {
                continue;
            }
            let url = value.as_str().unwrap();
            assert!(url.starts_with(&service.issuer), "{name} is elsewhere: {url}");
            let answer = service.request("GET", url).send();
            assert!(answer.status != 404 && answer.status < 500, "{name} does not exist: {answer:?}");
        }
        assert!(
            document["subject_types_supported"].is_array()
                && document["id_token_signing_alg_values_supported"].is_array()
        );
    }
}

/// I2: the issuer is configured; a `Host` from the network changes nothing.
#[test]
fn the_host_header_changes_nothing() {
    let cast = Cast::on_shared();
    let service = &cast.service;
    for (name, value) in
        [("host", "evil.example"), ("x-forwarded-host", "evil.example"), ("forwarded", "host=evil.example")]
    {
        let document = service.get("/.well-known/openid-configuration").header(name, value).send();
        assert!(document.status == 200 && !String::from_utf8_lossy(&document.body).contains("evil"), "{document:?}");
        let form = [("grant_type", "client_credentials"), ("scope", "openid")];
        let answer = cast.actor.form("token_endpoint", &form).header(name, value).send().expect(200);
        assert_eq!(jwt::claims(&answer.access_token())["iss"].as_str(), Some(service.issuer.as_str()));
    }
}

/// I3: RFC 6750 §3: without a token a bare challenge, with a bad one the error.
#[test]
fn a_resource_endpoint_challenges_as_rfc_6750_has_it() {
    let service = Service::shared();
    for path in ["/userinfo", "/audit/events", "/scim/v2/Users/x", "/audit/tokens/x"] {
        let bare = service.get(path).send();
        let challenge = bare.header("www-authenticate");
        assert!(
            bare.status == 401 && challenge.starts_with("Bearer") && !challenge.contains("error="),
            "{path}: {bare:?}"
        );
        service.get(path).bearer("x.y.z").send().must_challenge(401, "invalid_token");
    }
    let basic = service.get("/userinfo").basic("a", "b").send();
    assert!(basic.status == 401 && basic.header("www-authenticate").starts_with("Bearer"), "{basic:?}");
}

/// K2: the set is never empty and holds every key that signs.
#[test]
fn the_key_set_holds_every_key_that_signs_and_a_spare_of_each_kind() {
    let cast = Cast::on_shared();
    let jwks = cast.service.jwks();
    let keys = jwks["keys"].as_array().unwrap();
    for algorithm in ["ES256", "RS256", "EdDSA"] {
        let of_kind = keys.iter().filter(|key| key["alg"] == algorithm);
        assert!(of_kind.count() >= 2, "{algorithm} lacks a key or its spare: {jwks}");
    }
    for key in keys {
        assert!(key["kid"].is_string() && key["use"] == "sig" && key["kty"].is_string(), "{key}");
        assert!(
            ["d", "p", "q", "k", "dp", "dq", "qi"].iter().all(|private| key[*private].is_null()),
            "a private member is published"
        );
    }
    let kid = jwt::header(&cast.first_token())["kid"].clone();
    assert!(keys.iter().any(|key| key["kid"] == kid));
}

/// K3: caches may keep the set, and hand it out while they fetch the next.
#[test]
fn the_key_set_may_be_cached() {
    let service = Service::shared();
    let answer = service.request("GET", &service.endpoint("jwks_uri")).send().expect(200);
    let caching = answer.header("cache-control");
    assert!(caching.contains("max-age=") && caching.contains("stale-while-revalidate="), "{caching}");
    assert!(!caching.contains("no-cache") && !caching.contains("no-store"), "{caching}");
}

/// CORS where browsers call, without credentials.
#[test]
fn browsers_may_call_from_anywhere_without_credentials() {
    let service = Service::shared();
    for path in
        ["/token", "/userinfo", "/revoke", "/introspect", "/.well-known/openid-configuration", "/.well-known/jwks.json"]
    {
        let preflight = service
            .request("OPTIONS", &service.url(path))
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type")
            .send();
        assert!(matches!(preflight.status, 200 | 204), "{path}: {preflight:?}");
        assert!(
            preflight.header("access-control-allow-headers").to_ascii_lowercase().contains("authorization"),
            "{path}"
        );
        must_be_open(path, &preflight);
    }
    let refused = service.get("/userinfo").header("origin", "https://app.example").send();
    must_be_open("a refusal", &refused);
    assert!(refused.header("access-control-expose-headers").to_ascii_lowercase().contains("www-authenticate"));
    let closed = service.get("/audit/events").header("origin", "https://app.example").send();
    assert_eq!(closed.header("access-control-allow-origin"), "", "operators' endpoints are not for pages");
}

fn must_be_open(what: &str, answer: &Answer) {
    assert_eq!(answer.header("access-control-allow-origin"), "*", "{what}");
    assert_eq!(answer.header("access-control-allow-credentials"), "", "{what}");
}

/// RFC 6749 §3.1: a parameter counts once; `audience` and `resource` alone may repeat.
#[test]
fn a_repeated_parameter_is_refused() {
    let cast = Cast::on_shared();
    let first = cast.first_token();
    for (name, value) in [("scope", "openid"), ("subject_token", first.as_str()), ("grant_type", "client_credentials")]
    {
        let asked = cast.backend.exchange(&first).scope("openid").with(name, value);
        asked.send().must_refuse(400, "invalid_request");
    }
    let twice = [("token", first.as_str()), ("token", first.as_str())];
    cast.frontend.form("introspection_endpoint", &twice).send().must_refuse(400, "invalid_request");
    cast.frontend.form("revocation_endpoint", &twice).send().must_refuse(400, "invalid_request");
    assert!(cast.frontend.introspect(&first).is_active());
}

/// RFC 6750 §2: the token comes one way.
#[test]
fn a_token_that_comes_two_ways_at_once_is_refused() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let answer = cast.service.post_to("userinfo_endpoint").bearer(&token).form(&[("access_token", &token)]).send();
    assert!(answer.status == 400 && answer.error().as_deref() == Some("invalid_request"), "{answer:?}");
    let in_query = cast.service.get(&format!("/userinfo?access_token={token}")).send();
    assert_eq!(in_query.status, 401, "a token in a URL is not taken: {in_query:?}");
}

/// Unknown paths and methods are plain 404 and 405.
#[test]
fn what_does_not_exist_is_not_found() {
    let service = Service::shared();
    assert_eq!(service.get("/nowhere").send().status, 404);
    assert_eq!(service.get("/token").send().status, 405);
    assert_eq!(service.request("DELETE", &service.url("/userinfo")).send().status, 405);
    assert_eq!(service.get("/healthz").send().status, 200);
}
