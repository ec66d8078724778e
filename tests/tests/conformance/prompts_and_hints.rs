//! `oidcc-basic`: what a person is shown, and whom the answer is about.

use crate::{Cast, cast};
use grantlog_tests::{Browser, Person, jwt};
use std::{thread, time::Duration};

fn auth_time(id_token: &str) -> u64 {
    jwt::claims(id_token)["auth_time"].as_u64().expect("auth_time")
}

#[test]
fn oidcc_display_page() {
    let Cast { party, person, browser, .. } = cast();
    let _ = party.tokens(&browser, &person, &[("display", "page")]);
}

#[test]
fn oidcc_display_popup() {
    let Cast { party, person, browser, .. } = cast();
    let _ = party.tokens(&browser, &person, &[("display", "popup")]);
}

#[test]
fn oidcc_prompt_login() {
    let Cast { party, person, browser, .. } = cast();
    let first = party.tokens(&browser, &person, &[]);
    thread::sleep(Duration::from_millis(1_100));
    let page = party.authorize(&browser, &[("prompt", "login")]);
    assert!(page.is_at("/login"), "{page:?}");
    let code = browser.through(page, &person).sent("code").unwrap();
    let second = party.redeem(&code).expect(200).text("id_token");
    assert!(auth_time(&second) > auth_time(first.id()));
    assert_eq!(jwt::claims(&second)["sub"], first.claims()["sub"]);
}

#[test]
fn oidcc_prompt_none_not_logged_in() {
    let Cast { party, browser, .. } = cast();
    let page = party.authorize(&browser, &[("prompt", "none")]);
    assert_eq!(page.sent("error").as_deref(), Some("login_required"));
    assert_eq!(page.sent("state").as_deref(), Some("the state"));
}

#[test]
fn oidcc_prompt_none_logged_in() {
    let Cast { party, person, browser, .. } = cast();
    let first = party.tokens(&browser, &person, &[]);
    let page = party.authorize(&browser, &[("prompt", "none")]);
    let second = party.redeem(&page.sent("code").unwrap()).expect(200).text("id_token");
    assert_eq!(auth_time(&second), auth_time(first.id()));
    assert_eq!(jwt::claims(&second)["sid"], first.claims()["sid"]);
}

#[test]
fn oidcc_max_age_1() {
    let Cast { party, person, browser, .. } = cast();
    let first = party.tokens(&browser, &person, &[]);
    thread::sleep(Duration::from_millis(2_100));
    let page = party.authorize(&browser, &[("max_age", "1")]);
    assert!(page.is_at("/login"), "{page:?}");
    let code = browser.through(page, &person).sent("code").unwrap();
    let second = party.redeem(&code).expect(200).text("id_token");
    assert!(auth_time(&second) > auth_time(first.id()));
}

#[test]
fn oidcc_max_age_10000() {
    let Cast { party, person, browser, .. } = cast();
    let first = party.tokens(&browser, &person, &[]);
    let page = party.authorize(&browser, &[("max_age", "10000")]);
    let second = party.redeem(&page.sent("code").unwrap()).expect(200).text("id_token");
    assert_eq!(auth_time(&second), auth_time(first.id()));
}

#[test]
fn oidcc_id_token_hint() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    let silent = [("prompt", "none"), ("id_token_hint", tokens.id())];
    assert!(party.authorize(&browser, &silent).sent("code").is_some());
    // Somebody else is logged in: the answer is about nobody.
    let (other, elsewhere) = (Person::create(&service), Browser::new(&service));
    let _ = party.tokens(&elsewhere, &other, &[]);
    assert_eq!(party.authorize(&elsewhere, &silent).sent("error").as_deref(), Some("login_required"));
}

#[test]
fn oidcc_login_hint() {
    let Cast { party, person, browser, .. } = cast();
    let page = party.authorize(&browser, &[("login_hint", &person.user.name)]);
    assert_eq!(page.hidden("username"), person.user.name);
}

#[test]
fn oidcc_ui_locales() {
    let Cast { party, browser, .. } = cast();
    let page = party.authorize(&browser, &[("ui_locales", "xx ja en")]);
    assert!(page.html().contains("<html lang=\"ja\""), "{page:?}");
    assert_eq!(page.answer.header("content-language"), "ja");
}

#[test]
fn oidcc_claims_locales() {
    let Cast { party, person, browser, .. } = cast();
    let _ = party.tokens(&browser, &person, &[("claims_locales", "se")]);
}

#[test]
fn oidcc_ensure_request_with_acr_values_succeeds() {
    let Cast { service, party, person, browser } = cast();
    let acr = service.metadata()["acr_values_supported"][0].as_str().unwrap();
    let tokens = party.tokens(&browser, &person, &[("acr_values", &format!("urn:other {acr}"))]);
    assert_eq!(tokens.claims()["acr"], acr);
}
