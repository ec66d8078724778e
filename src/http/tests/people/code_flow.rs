//! Login, consent, code, tokens, refresh: the whole way (RFC 6749 §4.1, OIDC Core §3.1).

use super::{
    super::deployment::{Service, claims, part},
    Browser,
    browser::REDIRECT,
};
use serde_json::json;

#[test]
fn a_person_logs_in_consents_and_the_client_gets_tokens() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let page = browser.authorize(&client, &[]);
    let page = browser.log_in(&page, &person);
    let page = browser.decide(&page, "allow");
    assert_eq!(page.status, 303);
    assert!(page.location().starts_with(&format!("{REDIRECT}?code=")), "{}", page.location());
    assert_eq!(page.sent("state").as_deref(), Some("a state"));
    assert_eq!(page.sent("iss").as_deref(), Some("https://op.example"));
    let body = service.redeem(&client, &page.sent("code").unwrap()).expect(200);
    assert_eq!(body["token_type"], "Bearer");
    assert_eq!(body["scope"], "openid profile email offline_access");
    let id_token = body["id_token"].as_str().unwrap();
    assert_eq!(part(id_token, 0)["alg"], "RS256");
    let said = claims(id_token);
    assert_eq!(said["sub"], person.subject.as_str());
    assert_eq!((&said["aud"], &said["azp"]), (&json!(client.id), &json!(client.id)));
    assert_eq!(said["nonce"], "a-nonce");
    assert_eq!(said["amr"], json!(["pwd"]));
    assert!(said["sid"].is_string() && said["at_hash"].is_string() && said["auth_time"].is_u64());
    let userinfo = service.userinfo(body["access_token"].as_str().unwrap()).expect(200);
    assert_eq!(userinfo["sub"], person.subject.as_str());
    assert_eq!(userinfo["given_name"], "Ada");
}

#[test]
fn whoever_consented_once_is_not_asked_again_for_the_same() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    browser.code(&client, &person, &[("scope", "openid")]);
    let again = browser.authorize(&client, &[("scope", "openid")]);
    assert!(again.sent("code").is_some());
    let more = browser.authorize(&client, &[("scope", "openid email")]);
    assert!(more.is_at("/consent"));
    let asked = browser.authorize(&client, &[("scope", "openid"), ("prompt", "consent")]);
    assert!(asked.is_at("/consent"));
    // A login with a remembered consent leads straight back to the client.
    browser.drop_cookies();
    let page = browser.authorize(&client, &[("scope", "openid")]);
    assert!(browser.log_in(&page, &person).sent("code").is_some());
}

#[test]
fn silent_authentication_says_what_is_missing_and_shows_nothing() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let silently = |more: &[(&str, &str)]| browser.authorize(&client, &[&[("prompt", "none")], more].concat());
    assert_eq!(silently(&[]).sent("error").as_deref(), Some("login_required"));
    browser.code(&client, &person, &[("scope", "openid")]);
    assert_eq!(silently(&[]).sent("error").as_deref(), Some("consent_required"));
    assert!(silently(&[("scope", "openid")]).sent("code").is_some());
    service.wait(5_000);
    assert_eq!(silently(&[("scope", "openid"), ("max_age", "1")]).sent("error").as_deref(), Some("login_required"));
    assert!(silently(&[("scope", "openid"), ("max_age", "10000")]).sent("code").is_some());
}

/// R1: the answer was lost, and the key that signed it is compromised since; the client is not logged out.
#[test]
fn a_refresh_replayed_after_its_key_was_compromised_gives_the_same_successor() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let first = browser.tokens(&client, &person, &[]);
    let first = first["refresh_token"].as_str().unwrap();
    let lost = service.refresh(&client, first).expect(200);
    for token in ["access_token", "id_token"] {
        let kid = part(lost[token].as_str().unwrap(), 0)["kid"].clone();
        service.end(&json!({ "kid": kid })).expect(200);
        let again = service.refresh(&client, first).expect(200);
        assert_eq!(again["refresh_token"], lost["refresh_token"]);
        assert_ne!(part(again[token].as_str().unwrap(), 0)["kid"], kid);
        assert!(service.is_active(&client, again["access_token"].as_str().unwrap()));
    }
}

/// R1, R3, R11, R14.
#[test]
fn a_refresh_token_rotates_and_the_one_before_gives_the_same_successor_for_a_while() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let first = browser.tokens(&client, &person, &[]);
    let first = first["refresh_token"].as_str().unwrap();
    let second = service.refresh(&client, first).expect(200);
    let again = service.refresh(&client, first).expect(200);
    assert_ne!(second["refresh_token"], first);
    assert_eq!(second["refresh_token"], again["refresh_token"]);
    let jti = |body: &serde_json::Value| claims(body["access_token"].as_str().unwrap())["jti"].clone();
    assert_eq!(jti(&second), jti(&again));
    service.wait(31_000);
    let reused = service.refresh(&client, first).expect(400);
    assert_eq!(reused["error"], "invalid_grant");
    let second = second["refresh_token"].as_str().unwrap();
    assert_eq!(service.refresh(&client, second).expect(400)["error"], "invalid_grant");
    assert!(!service.is_active(&client, again["access_token"].as_str().unwrap()));
}

#[test]
fn a_public_client_proves_itself_by_its_verifier_alone() {
    let service = Service::new();
    let client = service.relying_party(&json!({ "token_endpoint_auth_method": "none" }));
    let (person, browser) = (service.person_with_password(), Browser::new(&service));
    let bare = browser.authorize(&client, &[("code_challenge", ""), ("code_challenge_method", "")]);
    assert_eq!(bare.sent("error").as_deref(), Some("invalid_request"));
    let tokens = browser.tokens(&client, &person, &[]);
    let refreshed = service.refresh(&client, tokens["refresh_token"].as_str().unwrap()).expect(200);
    let form = [("token", refreshed["refresh_token"].as_str().unwrap())];
    service.by(&client, "/revoke", &form).expect(200);
    assert_eq!(service.refresh(&client, form[0].1).expect(400)["error"], "invalid_grant");
    service.by(&client, "/token", &[("grant_type", "client_credentials")]).expect(401);
    service.by(&client, "/introspect", &form).expect(401);
}

#[test]
fn a_pushed_request_is_good_once() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let challenge = super::browser::s256();
    let pushed = service.by(
        &client,
        "/par",
        &[
            ("client_id", &client.id),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("scope", "openid"),
            ("nonce", "pushed"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ],
    );
    let uri = pushed.expect(201)["request_uri"].as_str().unwrap().to_owned();
    let path = format!("/authorize?client_id={}&request_uri={}", client.id, super::super::deployment::encoded(&uri));
    let page = browser.log_in(&browser.get(&path), &person);
    let page = browser.decide(&page, "allow");
    let tokens = service.redeem(&client, &page.sent("code").unwrap()).expect(200);
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["nonce"], "pushed");
    assert_eq!(browser.get(&path).sent("error").as_deref(), Some("invalid_request_uri"));
    service.wait(91_000);
    assert_eq!(browser.get(&path).status, 400);
}

/// X: exchange with a refresh token of its own.
#[test]
fn an_exchange_brings_a_refresh_token_where_policy_gives_one() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let policy = json!({
        "audiences": ["api"], "resources": [], "impersonation": true, "actors": "any", "subject_clients": "any",
        "refresh_token": true,
    });
    let backend = service.register(&super::super::deployment::exchanger_metadata(&json!({ "token_exchange": policy })));
    let tokens = browser.tokens(&client, &person, &[]);
    let refresh_type = "urn:ietf:params:oauth:token-type:refresh_token";
    let asked = [("requested_token_type", refresh_type)];
    let exchanged = service.exchange(&backend, tokens["access_token"].as_str().unwrap(), &asked).expect(200);
    let refreshed = service.refresh(&backend, exchanged["refresh_token"].as_str().unwrap()).expect(200);
    assert!(service.is_active(&backend, refreshed["access_token"].as_str().unwrap()));
    // What it descends from ends it, although that would have expired long before.
    service.revoke(&client, tokens["access_token"].as_str().unwrap()).expect(200);
    assert!(!service.is_active(&backend, refreshed["access_token"].as_str().unwrap()));
    let dead = service.refresh(&backend, refreshed["refresh_token"].as_str().unwrap()).expect(400);
    assert_eq!(dead["error"], "invalid_grant");
}

/// I4: userinfo as a JWT, by registration; pairwise subjects, by registration, are the same everywhere at one sector.
#[test]
fn a_client_gets_userinfo_signed_and_its_own_subject_where_it_registered_that() {
    let service = Service::new();
    let change = json!({ "userinfo_signed_response_alg": "EdDSA", "subject_type": "pairwise" });
    let (client, other) = (service.relying_party(&change), service.relying_party(&change));
    let elsewhere = service.relying_party(&json!({
        "subject_type": "pairwise", "redirect_uris": [REDIRECT.replace("app.", "other.")],
    }));
    let (person, browser) = (service.person_with_password(), Browser::new(&service));
    let tokens = browser.tokens(&client, &person, &[]);
    let sub = claims(tokens["id_token"].as_str().unwrap())["sub"].clone();
    assert!(sub.as_str().unwrap().starts_with("p-"), "{sub}");
    let access_token = tokens["access_token"].as_str().unwrap();
    assert_eq!(claims(access_token)["sub"], sub);
    let request = ::http::Request::get("/userinfo").header("authorization", format!("Bearer {access_token}"));
    let response = crate::memory::finished(crate::http::handle(&service.world, request.body(Vec::new()).unwrap()));
    assert_eq!(response.headers()["content-type"], "application/jwt");
    let jwt = String::from_utf8(response.into_body()).unwrap();
    assert_eq!(part(&jwt, 0)["alg"], "EdDSA");
    assert_eq!((&claims(&jwt)["sub"], &claims(&jwt)["aud"]), (&sub, &json!(client.id)));
    assert_eq!(service.introspect(&client, access_token).expect(200)["sub"], sub);
    let tokens = browser.tokens(&other, &person, &[]);
    assert_eq!(claims(tokens["id_token"].as_str().unwrap())["sub"], sub);
    let uri = REDIRECT.replace("app.", "other.");
    let code = browser.code(&elsewhere, &person, &[("redirect_uri", &uri)]);
    let tokens = service.redeem_with(&elsewhere, &code, &[("redirect_uri", &uri)]).expect(200);
    assert_ne!(claims(tokens["id_token"].as_str().unwrap())["sub"], sub);
}
