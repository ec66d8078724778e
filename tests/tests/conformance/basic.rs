//! `oidcc-basic`: the code flow itself, its tokens and its endpoints.

use crate::{Cast, cast};
use grantlog_tests::{
    Registration, RelyingParty, Service, jwt,
    relying_party::{REDIRECT, Tokens},
};
use serde_json::json;
use std::{thread, time::Duration};

#[test]
fn oidcc_server() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    let claims = jwt::verify(tokens.id(), &service.jwks()).expect("the ID token verifies");
    assert_eq!(claims["iss"], service.issuer);
    assert_eq!(claims["sub"], person.user.id);
    assert_eq!(claims["aud"], party.client.id);
    assert_eq!(claims["nonce"], "the-nonce");
    let (iat, exp) = (claims["iat"].as_u64().unwrap(), claims["exp"].as_u64().unwrap());
    assert!(exp > iat);
    assert_eq!(tokens.0["token_type"], "Bearer");
    assert!(tokens.0["expires_in"].is_u64());
}

#[test]
fn oidcc_idtoken_signature() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    assert_eq!(jwt::header(tokens.id())["alg"], "RS256");
    assert!(jwt::header(tokens.id())["kid"].is_string());
    jwt::verify(tokens.id(), &service.jwks()).expect("by the key that its header names");
}

/// An unsigned ID token is not to be had here: whoever wants one is refused when it registers.
#[test]
fn oidcc_idtoken_unsigned() {
    let service = Service::shared();
    let registration = Registration::relying_party("Unsigned", &[REDIRECT]);
    let answer = registration.with("id_token_signed_response_alg", json!("none")).send(&service);
    answer.must_refuse(400, "invalid_client_metadata");
}

#[test]
fn oidcc_userinfo_get() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    assert_eq!(service.userinfo(tokens.access()).send().expect(200).json()["sub"], person.user.id);
}

#[test]
fn oidcc_userinfo_post_header() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    let answer = service.post_to("userinfo_endpoint").bearer(tokens.access()).form::<&str, &str>(&[]).send();
    assert_eq!(answer.expect(200).json()["sub"], person.user.id);
}

#[test]
fn oidcc_userinfo_post_body() {
    let Cast { service, party, person, browser } = cast();
    let tokens = party.tokens(&browser, &person, &[]);
    let answer = service.post_to("userinfo_endpoint").form(&[("access_token", tokens.access())]).send();
    assert_eq!(answer.expect(200).json()["sub"], person.user.id);
}

#[test]
fn oidcc_ensure_request_without_nonce_succeeds_for_code_flow() {
    let Cast { party, person, browser, .. } = cast();
    let tokens = party.tokens(&browser, &person, &[("nonce", "")]);
    assert!(tokens.claims().get("nonce").is_none());
}

/// A second client, a second redirect URI with a query of its own, the answer in a fragment and in a form.
#[test]
fn oidcc_alternate_happy_flow() {
    let Cast { service, person, browser, .. } = cast();
    let other = "https://client.example/other?kept=1";
    let party = RelyingParty::with(&service, &Registration::relying_party("Second", &[REDIRECT, other]));
    let page = browser.through(party.authorize(&browser, &[("redirect_uri", other)]), &person);
    assert!(page.location().starts_with(&format!("{other}&code=")), "{}", page.location());
    let _ = party.redeem_with(&page.sent("code").unwrap(), &[("redirect_uri", other)]).expect(200);
    let page = browser.through(party.authorize(&browser, &[("response_mode", "fragment")]), &person);
    assert!(page.location().starts_with(&format!("{REDIRECT}#code=")), "{}", page.location());
    let page = browser.through(party.authorize(&browser, &[("response_mode", "form_post")]), &person);
    assert!(page.is_at(REDIRECT), "{page:?}");
    assert_eq!(page.hidden("state"), "the state");
    let _ = party.redeem(&page.hidden("code")).expect(200);
}

#[test]
fn oidcc_ensure_request_with_unknown_parameter_succeeds() {
    let Cast { party, person, browser, .. } = cast();
    let _ = party.tokens(&browser, &person, &[("extra", "foobar")]);
}

#[test]
fn oidcc_codereuse() {
    let Cast { party, person, browser, .. } = cast();
    let code = party.code(&browser, &person, &[]);
    let _ = party.redeem(&code).expect(200);
    party.redeem(&code).must_refuse(400, "invalid_grant");
}

#[test]
fn oidcc_codereuse_30seconds() {
    let Cast { service, party, person, browser } = cast();
    let code = party.code(&browser, &person, &[]);
    let tokens = Tokens(party.redeem(&code).expect(200).json());
    thread::sleep(Duration::from_secs(30));
    party.redeem(&code).must_refuse(400, "invalid_grant");
    assert!(!party.is_active(tokens.access()));
    service.userinfo(tokens.access()).send().must_challenge(401, "invalid_token");
}

#[test]
fn oidcc_ensure_post_request_succeeds() {
    let Cast { service, party, person, browser } = cast();
    let request = party.request(&[]);
    let form: Vec<(String, String)> = grantlog_tests::browser::parameters(&request).into_iter().collect();
    let fields: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let page = browser.post(&service.endpoint("authorization_endpoint"), &fields);
    let code = browser.through(page, &person).sent("code").unwrap();
    let _ = party.redeem(&code).expect(200);
}

#[test]
fn oidcc_server_client_secret_post() {
    let Cast { service, person, browser, .. } = cast();
    let registration = Registration::relying_party("Post", &[REDIRECT]).secret_in_body();
    let _ = RelyingParty::with(&service, &registration).tokens(&browser, &person, &[]);
}

#[test]
fn oidcc_refresh_token() {
    let Cast { service, party, person, browser } = cast();
    let first = party.tokens(&browser, &person, &[]);
    let second = Tokens(party.refresh(first.refresh()).expect(200).json());
    assert_ne!(second.access(), first.access());
    assert_ne!(second.refresh(), first.refresh());
    let (before, after) = (first.claims(), jwt::verify(second.id(), &service.jwks()).unwrap());
    for name in ["iss", "sub", "aud", "auth_time"] {
        assert_eq!(before[name], after[name], "{name}");
    }
    assert!(after.get("nonce").is_none());
    let thief = RelyingParty::register(&service);
    thief.refresh(second.refresh()).must_refuse(400, "invalid_grant");
    let _ = party.refresh(second.refresh()).expect(200);
}

#[test]
fn oidcc_ensure_request_with_valid_pkce_succeeds() {
    let Cast { party, person, browser, .. } = cast();
    let code = party.code(&browser, &person, &[]);
    party.redeem_with(&code, &[("code_verifier", "")]).must_refuse(400, "invalid_grant");
    let _ = party.redeem(&code).expect(200);
}
