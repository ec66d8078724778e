//! `oidcc-backchannel-rp-initiated-logout`: the client hears of the logout on a channel of its own.

use grantlog_tests::{
    Browser, Person, Registration, RelyingParty, Service, jwt, listener::Listener, relying_party::REDIRECT,
};
use serde_json::json;
use std::time::Duration;

#[test]
fn oidcc_backchannel_rp_initiated_logout() {
    let service = Service::shared();
    let listener = Listener::start();
    let registration = Registration::relying_party("Back-channel", &[REDIRECT])
        .with("backchannel_logout_uri", json!(listener.url("/backchannel")))
        .with("backchannel_logout_session_required", json!(true));
    let party = RelyingParty::with(&service, &registration);
    let (person, browser) = (Person::create(&service), Browser::new(&service));
    let tokens = party.tokens(&browser, &person, &[]);
    let page = browser.go(&format!("{}?id_token_hint={}", service.endpoint("end_session_endpoint"), tokens.id()));
    assert_eq!(page.answer.status, 200);
    let form = listener.next(Duration::from_secs(30)).expect("a logout token comes");
    let token = form.strip_prefix("logout_token=").expect("the parameter logout_token");
    let claims = jwt::verify(token, &service.jwks()).expect("it is signed by a key of ours");
    assert_eq!(jwt::header(token)["typ"], "logout+jwt");
    assert_eq!(claims["iss"], service.issuer);
    assert_eq!(claims["aud"], party.client.id);
    assert_eq!((&claims["sub"], &claims["sid"]), (&tokens.claims()["sub"], &tokens.claims()["sid"]));
    assert!(claims["events"]["http://schemas.openid.net/event/backchannel-logout"].is_object());
    assert!(claims["jti"].is_string() && claims["iat"].is_u64() && claims.get("nonce").is_none());
    assert!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap() <= 120);
    // Taken is taken: it does not come again.
    assert_eq!(listener.next(Duration::from_secs(7)), None);
}
