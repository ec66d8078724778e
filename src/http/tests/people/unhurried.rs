//! A person takes their time on a page: what they did to see it stands, what changed meanwhile counts.

use super::{
    super::deployment::{Client, Service, encoded},
    Browser,
    browser::{Person, REDIRECT, s256},
};
use serde_json::json;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

fn cast() -> Cast {
    let service = Service::new();
    let client = service.relying_party(&json!({}));
    let person = service.person_with_password();
    Cast { service, client, person }
}

/// OIDC Core §3.1.2.1: `max_age` asks for a login that is recent, not for a decision that is quick.
#[test]
fn whoever_logged_in_as_recently_as_was_asked_may_take_their_time_to_consent() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    let page = browser.log_in(&browser.authorize(&cast.client, &[("max_age", "0")]), &cast.person);
    assert!(page.is_at("/consent"));
    cast.service.wait(60_000);
    let page = browser.decide(&page, "allow");
    assert!(page.sent("code").is_some());
}

/// A session that is too old by then asks for a login once, and then for consent.
#[test]
fn a_login_that_grew_old_before_the_consent_is_repeated_once() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    browser.code(&cast.client, &cast.person, &[("scope", "openid")]);
    let page = browser.authorize(&cast.client, &[("max_age", "10")]);
    assert!(page.is_at("/consent"));
    cast.service.wait(60_000);
    let page = browser.log_in(&browser.decide(&page, "allow"), &cast.person);
    cast.service.wait(60_000);
    assert!(browser.decide(&page, "allow").sent("code").is_some());
}

/// What was pushed or shown before the client took a redirect URI back leads there no more.
#[test]
fn a_redirect_uri_that_was_taken_back_meanwhile_gets_nothing() {
    let cast = cast();
    let (here, there) = (Browser::new(&cast.service), Browser::new(&cast.service));
    there.code(&cast.client, &cast.person, &[]);
    let login = here.authorize(&cast.client, &[]);
    let consent = there.authorize(&cast.client, &[("prompt", "consent")]);
    let choice = there.authorize(&cast.client, &[("prompt", "select_account")]);
    let challenge = s256();
    let request = [
        ("client_id", cast.client.id.as_str()),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", "openid"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let pushed = cast.service.by(&cast.client, "/par", &request).expect(201);
    let pushed = encoded(pushed["request_uri"].as_str().unwrap());
    cast.service.update(&cast.client, &json!({ "redirect_uris": ["https://app.example/new"] }));
    cast.service.wait(31_000);
    let pushed = there.get(&format!("/authorize?client_id={}&request_uri={pushed}", cast.client.id));
    let challenge = choice.challenge();
    let chosen = there.post("/select-account", &[("challenge", &challenge), ("decision", "continue")]);
    for page in [here.log_in(&login, &cast.person), there.decide(&consent, "allow"), chosen, pushed] {
        assert_eq!(page.status, 400, "{:?}", page.headers);
        assert!(!page.html.contains(REDIRECT));
    }
}

/// What one page's form carries is not taken for another's.
#[test]
fn whoever_only_chose_an_account_has_not_consented() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    browser.code(&cast.client, &cast.person, &[("scope", "openid")]);
    let challenge = browser.authorize(&cast.client, &[("prompt", "select_account")]).challenge();
    let page = browser.post("/consent", &[("challenge", &challenge), ("decision", "allow")]);
    assert_eq!(page.status, 400);
}
