//! `oidcc-rp-initiated-logout`: `/logout` with every mixture of its parameters.

use crate::Cast;
use grantlog_tests::{
    Browser, Page, Person, Registration, RelyingParty, Service,
    relying_party::{REDIRECT, Tokens},
    request::encoded,
};
use serde_json::json;

const BYE: &str = "https://client.example/bye";

fn logged_in() -> (Cast, Tokens) {
    let service = Service::shared();
    let registration = Registration::relying_party("Logout", &[REDIRECT]);
    let party = RelyingParty::with(&service, &registration.with("post_logout_redirect_uris", json!([BYE])));
    let (person, browser) = (Person::create(&service), Browser::new(&service));
    let tokens = party.tokens(&browser, &person, &[]);
    (Cast { service, party, person, browser }, tokens)
}

fn log_out(cast: &Cast, parameters: &[(&str, &str)]) -> Page {
    let pairs: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    cast.browser.go(&format!("{}?{}", cast.service.endpoint("end_session_endpoint"), pairs.join("&")))
}

#[track_caller]
fn is_logged_in(cast: &Cast, expected: bool) {
    let page = cast.party.authorize(&cast.browser, &[("prompt", "none")]);
    assert_eq!(page.sent("code").is_some(), expected, "{}", page.location());
}

/// The person says yes on the page that asks.
#[track_caller]
fn confirm(cast: &Cast, page: &Page) -> Page {
    assert!(page.is_at("/logout"), "nobody asks: {page:?}");
    is_logged_in(cast, true);
    cast.browser.post("/logout", &[("challenge", &page.hidden("challenge"))])
}

#[test]
fn oidcc_rp_initiated_logout() {
    let (cast, tokens) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", tokens.id()), ("post_logout_redirect_uri", BYE), ("state", "a b&c")]);
    assert_eq!(page.location(), format!("{BYE}?state=a%20b%26c"));
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_bad_post_logout_redirect_uri() {
    let (cast, tokens) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", tokens.id()), ("post_logout_redirect_uri", "https://evil.example/")]);
    assert!(page.answer.header("location").is_empty());
    assert_eq!(page.answer.status, 400);
}

#[test]
fn oidcc_rp_initiated_logout_modified_id_token_hint() {
    let (cast, tokens) = logged_in();
    let (signed, signature) = tokens.id().rsplit_once('.').unwrap();
    let first = if signature.starts_with('A') { 'B' } else { 'A' };
    let modified = format!("{signed}.{first}{}", &signature[1..]);
    let page = log_out(&cast, &[("id_token_hint", &modified), ("post_logout_redirect_uri", BYE)]);
    assert!(page.answer.header("location").is_empty(), "{page:?}");
    is_logged_in(&cast, true);
}

#[test]
fn oidcc_rp_initiated_logout_bad_id_token_hint() {
    let (cast, _) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", "not an ID token"), ("post_logout_redirect_uri", BYE)]);
    assert!(page.answer.header("location").is_empty(), "{page:?}");
    is_logged_in(&cast, true);
}

#[test]
fn oidcc_rp_initiated_logout_no_id_token_hint() {
    let (cast, _) = logged_in();
    let client_id = cast.party.client.id.clone();
    let page = log_out(&cast, &[("client_id", &client_id), ("post_logout_redirect_uri", BYE), ("state", "s")]);
    assert_eq!(confirm(&cast, &page).location(), format!("{BYE}?state=s"));
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_no_params() {
    let (cast, _) = logged_in();
    let page = confirm(&cast, &log_out(&cast, &[]));
    assert_eq!(page.answer.status, 200);
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_no_post_logout_redirect_uri() {
    let (cast, tokens) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", tokens.id()), ("state", "s")]);
    assert_eq!(page.answer.status, 200);
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_no_state() {
    let (cast, tokens) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", tokens.id()), ("post_logout_redirect_uri", BYE)]);
    assert_eq!(page.location(), BYE);
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_only_state() {
    let (cast, _) = logged_in();
    let page = confirm(&cast, &log_out(&cast, &[("state", "s")]));
    assert_eq!(page.answer.status, 200);
    is_logged_in(&cast, false);
}

#[test]
fn oidcc_rp_initiated_logout_query_added_to_post_logout_redirect_uri() {
    let (cast, tokens) = logged_in();
    let page = log_out(&cast, &[("id_token_hint", tokens.id()), ("post_logout_redirect_uri", &format!("{BYE}?a=1"))]);
    assert!(page.answer.header("location").is_empty());
    assert_eq!(page.answer.status, 400);
}
