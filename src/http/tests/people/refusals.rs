//! What is refused, where it is told, and that nobody else pays for it.

use super::{super::deployment::Service, Browser, browser::VERIFIER};
use serde_json::json;

#[test]
fn what_is_wrong_before_client_and_redirect_are_proven_is_told_on_a_page() {
    let service = Service::new();
    let (client, browser) = (service.relying_party(&json!({})), Browser::new(&service));
    for more in [
        [("client_id", "nobody")],
        [("redirect_uri", "https://evil.example/cb")],
        [("redirect_uri", "https://app.example/cb?x=1")],
        [("redirect_uri", "")],
        [("response_mode", "smoke")],
    ] {
        let page = browser.authorize(&client, &more);
        assert_eq!(page.status, 400, "{more:?}");
        assert!(page.headers.get("location").is_none(), "{more:?}");
        assert!(!page.html.contains("evil"), "what was sent is shown");
    }
}

#[test]
fn what_is_wrong_after_that_is_told_to_the_client_with_state_and_issuer() {
    let service = Service::new();
    let (client, browser) = (service.relying_party(&json!({})), Browser::new(&service));
    for (more, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("response_type", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("scope", "unheard-of"), "invalid_scope"),
        (("prompt", "none login"), "invalid_request"),
        (("prompt", "smoke"), "invalid_request"),
        (("max_age", "-1"), "invalid_request"),
        (("request", "x.y.z"), "request_not_supported"),
        (("request_uri", "https://app.example/request"), "request_uri_not_supported"),
        (("resource", "https://api.example/"), "invalid_target"),
        (("claims", "[]"), "invalid_request"),
        (("claims", r#"{"id_token":{"acr":{"essential":true,"value":"gold"}}}"#), "unmet_authentication_requirements"),
        (("id_token_hint", "x.y.z"), "invalid_request"),
    ] {
        let page = browser.authorize(&client, &[more]);
        assert_eq!(page.sent("error").as_deref(), Some(error), "{more:?}");
        assert_eq!(page.sent("state").as_deref(), Some("a state"));
        assert_eq!(page.sent("iss").as_deref(), Some("https://op.example"));
    }
}

/// V14.
#[test]
fn a_code_shown_by_who_cannot_prove_to_be_its_owner_stays_good_for_its_owner() {
    let service = Service::new();
    let (client, thief) = (service.relying_party(&json!({})), service.relying_party(&json!({})));
    let (person, browser) = (service.person_with_password(), Browser::new(&service));
    let code = browser.code(&client, &person, &[]);
    let wrong = VERIFIER.to_uppercase();
    let tries =
        [("code_verifier", wrong.as_str()), ("code_verifier", ""), ("redirect_uri", "https://app.example/other")];
    for more in tries {
        assert_eq!(service.redeem_with(&client, &code, &[more]).expect(400)["error"], "invalid_grant", "{more:?}");
    }
    assert_eq!(service.redeem(&thief, &code).expect(400)["error"], "invalid_grant");
    service.redeem(&client, &code).expect(200);
    // Now it is used: its owner showing it again ends what it bought, a thief does not.
    service.redeem(&thief, &code).expect(400);
}

/// R20.
#[test]
fn a_code_redeemed_twice_ends_what_it_bought() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let code = browser.code(&client, &person, &[]);
    let tokens = service.redeem(&client, &code).expect(200);
    assert_eq!(service.redeem(&client, &code).expect(400)["error"], "invalid_grant");
    assert!(!service.is_active(&client, tokens["access_token"].as_str().unwrap()));
    service.refresh(&client, tokens["refresh_token"].as_str().unwrap()).expect(400);
}

#[test]
fn a_code_is_good_for_a_minute() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let (first, second) = (browser.code(&client, &person, &[]), browser.code(&client, &person, &[]));
    service.wait(59_000);
    service.redeem(&client, &first).expect(200);
    service.wait(1_000);
    assert_eq!(service.redeem(&client, &second).expect(400)["error"], "invalid_grant");
}

#[test]
fn who_does_not_give_the_right_password_learns_nothing_of_why() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let tried = |username: &str, password: &str| {
        let page = browser.try_to_log_in(&browser.authorize(&client, &[]), username, password);
        let text = page.html.replace(&page.challenge(), "").replace(username, "");
        (page.status, text)
    };
    let wrong = tried(&person.username, "wrong");
    assert_eq!(wrong, tried("nobody-at-all", "wrong"));
    assert_eq!(wrong.0, 403);
}

#[test]
fn a_challenge_is_good_once_in_one_browser_for_ten_minutes() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let page = browser.authorize(&client, &[]);
    let other = Browser::new(&service);
    other.authorize(&client, &[]);
    assert_eq!(other.log_in(&page, &person).status, 400);
    assert!(browser.log_in(&page, &person).is_at("/consent"));
    assert_eq!(browser.log_in(&page, &person).status, 400);
    let late = browser.authorize(&client, &[("prompt", "login")]);
    service.wait(600_000);
    assert_eq!(browser.log_in(&late, &person).status, 400);
}

#[test]
fn a_person_may_say_no() {
    let service = Service::new();
    let (client, person, browser) =
        (service.relying_party(&json!({})), service.person_with_password(), Browser::new(&service));
    let page = browser.log_in(&browser.authorize(&client, &[]), &person);
    assert_eq!(browser.decide(&page, "deny").sent("error").as_deref(), Some("access_denied"));
    let page = browser.authorize(&client, &[]);
    assert!(browser.decide(&page, "switch").is_at("/login"));
}
