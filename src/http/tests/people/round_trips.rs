//! DESIGN §6: what each step of a person's way asks of the world.

use super::{
    super::{
        deployment::{Client, Service, basic, encoded},
        round_trips::costs,
    },
    Browser,
    browser::{PASSWORD, REDIRECT, VERIFIER, authorize_path},
    logout::{BACK, logout, sending_back, text},
};
use ::http::header;
use serde_json::json;

const ASK: &str = "log.ask";
const CLIENT: &str = "views.client";

fn form(client: &Client, form: &[(&str, &str)]) -> ::http::Request<Vec<u8>> {
    let body: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    ::http::Request::post("/token")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::AUTHORIZATION, basic(client))
        .body(body.join("&").into_bytes())
        .unwrap()
}

#[test]
fn silent_authentication_is_one_call_session_and_code_in_one_append() {
    let service = Service::new();
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let browser = Browser::new(&service);
    browser.code(&client, &person, &[]);
    let request = || browser.with_cookies(::http::Request::get(authorize_path(&client, &[("prompt", "none")])));
    // The code's event, its grant and the session that was used.
    costs(&service, 303, request, (&[ASK], 1, 3), (&[CLIENT, ASK], 2, 3));
}

#[test]
fn a_code_is_redeemed_in_one_call() {
    let service = Service::new();
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let browser = Browser::new(&service);
    let request = || {
        let code = browser.code(&client, &person, &[]);
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        form(&client, &fields)
    };
    // The event, its grant and the wrapped key of its refresh tokens. A cold isolate reads the ring first; the
    // client is known from the authorization request.
    costs(&service, 200, request, (&[ASK], 1, 3), (&[ASK, ASK], 2, 3));
}

#[test]
fn a_refresh_is_one_call_and_two_rows() {
    let service = Service::new();
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let browser = Browser::new(&service);
    let tokens: Vec<String> =
        (0..3).map(|_| browser.tokens(&client, &person, &[])["refresh_token"].as_str().unwrap().to_owned()).collect();
    let next = std::cell::Cell::new(0);
    let request = || {
        next.set(next.get() + 1);
        form(&client, &[("grant_type", "refresh_token"), ("refresh_token", &tokens[next.get() - 1])])
    };
    costs(&service, 200, request, (&[ASK], 1, 2), (&[CLIENT, ASK, ASK], 2, 2));
}

#[test]
fn the_login_form_is_three_calls_right_or_wrong_or_unknown() {
    let service = Service::new();
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let browser = Browser::new(&service);
    browser.code(&client, &person, &[]);
    for (username, password, status, rows) in [
        // Session and code with their rows, the spent challenge.
        (person.username.as_str(), PASSWORD, 303, 5),
        (person.username.as_str(), "wrong", 403, 2),
        ("nobody-at-all", "wrong", 403, 0),
    ] {
        browser.drop_cookies();
        let page = browser.authorize(&client, &[]);
        let challenge = page.challenge();
        service.world.faults().start_counting();
        let fields = [("challenge", challenge.as_str()), ("username", username), ("password", password)];
        let answer = browser.post("/login", &fields);
        let counted = service.world.faults().counted();
        assert_eq!((answer.status.as_u16(), counted.round_trips), (status, 3), "{username} {password}");
        assert_eq!(counted.calls, [ASK; 3]);
        assert_eq!(counted.rows_written, rows, "{username} {password}");
    }
}

#[test]
fn without_a_session_no_shard_is_reached_before_the_login() {
    let service = Service::new();
    let client = service.relying_party(&json!({}));
    let request = || ::http::Request::get(authorize_path(&client, &[])).body(Vec::new()).unwrap();
    // The registry is asked for the client.
    costs(&service, 200, request, (&[ASK], 1, 0), (&[ASK], 1, 0));
}

/// DESIGN §6: one sequential call; a cold isolate reads client and keys first, in parallel.
#[test]
fn a_logout_is_one_call() {
    let service = Service::new();
    let (client, person) = (sending_back(&service), service.person_with_password());
    let logged_in = || {
        let browser = Browser::new(&service);
        let tokens = browser.tokens(&client, &person, &[("scope", "openid")]);
        let hint = text(&tokens, "id_token").to_owned();
        (browser, logout(&[("id_token_hint", &hint), ("post_logout_redirect_uri", BACK)]))
    };
    let request = || {
        let (browser, path) = logged_in();
        browser.with_cookies(::http::Request::get(path))
    };
    // The event, the session and its revocation.
    costs(&service, 303, request, (&["log.ask"], 1, 3), (&["log.ask"], 1, 3));
    let (browser, path) = logged_in();
    // The question costs nothing.
    let question = || browser.with_cookies(::http::Request::get("/logout"));
    costs(&service, 200, question, (&[], 0, 0), (&[], 0, 0));
    let alone = || ::http::Request::get(&path).body(Vec::new()).unwrap();
    service.forget();
    service.world.faults().start_counting();
    assert_eq!(service.handle(alone()).status, 303);
    let counted = service.world.faults().counted();
    assert_eq!((counted.calls.as_slice(), counted.round_trips), (&["log.ask", "views.client", "log.ask"][..], 2));
}
