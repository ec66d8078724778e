//! A little of everything that changes state.

use grantlog_tests::{
    Browser, Person, Registration, RelyingParty, Service, User,
    key::KeyPair,
    party::{Cast, SCOPE},
    relying_party::Tokens,
};
use serde_json::json;

const CASTS: usize = 6;

pub(crate) fn play(service: &Service) {
    let casts: Vec<Cast> = (0..CASTS).map(|_| Cast::of(service)).collect();
    for cast in &casts {
        tokens(cast);
    }
    people(service);
    clients(service);
    logins(service);
    operators(&casts);
}

/// Logins, refreshes, replays, reuse, logouts, and consents that are withdrawn.
fn logins(service: &Service) {
    for _ in 0..3 {
        let (party, person, browser) =
            (RelyingParty::register(service), Person::create(service), Browser::new(service));
        let page = browser.log_in_as(&party.authorize(&browser, &[]), &person.user.name, "wrong");
        let code = browser.through(page, &person).sent("code").unwrap();
        let tokens = Tokens(party.redeem(&code).expect(200).json());
        let _ = party.refresh(tokens.refresh()).expect(200);
        let next = Tokens(party.refresh(tokens.refresh()).expect(200).json());
        let last = Tokens(party.refresh(next.refresh()).expect(200).json());
        party.refresh(tokens.refresh()).must_refuse(400, "invalid_grant");
        party.refresh(last.refresh()).must_refuse(400, "invalid_grant");
        let bound = party.tokens(&browser, &person, &[("scope", "openid")]);
        let _ = party.authorize(&browser, &[("prompt", "login")]);
        let page = browser.go("/account");
        let form = [("challenge", page.hidden("challenge")), ("action", "withdraw".to_owned())];
        let [(challenge, value), (action, withdraw)] = &form;
        let fields = [(*challenge, value.as_str()), (*action, withdraw), ("target", &party.client.id)];
        assert_eq!(browser.post("/account", &fields).answer.status, 200);
        party.refresh(bound.refresh()).must_refuse(400, "invalid_grant");
        let end = format!("{}?id_token_hint={}", service.endpoint("end_session_endpoint"), bound.id());
        assert_eq!(browser.go(&end).answer.status, 200);
    }
}

fn tokens(cast: &Cast) {
    let first = cast.first_token();
    let child = cast.delegated(&cast.impersonated(&first));
    cast.backend.exchange(&child).audience("https://evil.example").send().must_refuse(400, "invalid_target");
    assert_eq!(cast.backend.revoke(&child).status, 200);
    let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
    let _ = cast.frontend.present(&assertion, SCOPE).expect(200);
    cast.frontend.present(&assertion, SCOPE).must_refuse(400, "invalid_grant");
    dead_actor(cast);
    assert_eq!(cast.frontend.revoke(&first).status, 200);
}

/// An exchange that is taken back, where the actor's log is another one.
fn dead_actor(cast: &Cast) {
    let actor = cast.actor.own_token("openid");
    assert_eq!(cast.actor.revoke(&actor).status, 200);
    cast.backend.exchange(&cast.first_token()).actor(&actor).send().must_refuse(400, "invalid_request");
}

fn people(service: &Service) {
    let (suspended, erased, renamed) = (User::create(service), User::create(service), User::create(service));
    suspended.set_active(false);
    assert_eq!(erased.erase().status, 204);
    assert!(renamed.patch("userName", &json!(format!("{}-renamed", renamed.name))).status < 300);
    suspended.set_active(true);
}

fn clients(service: &Service) {
    let signing = Registration::machine("signing").scope("read").private_key(KeyPair::es256("k")).register(service);
    let token = signing.own_token("read");
    assert!(signing.introspect(&token).is_active());
    assert_eq!(signing.revoke(&token).status, 200);
    let rotating = Registration::machine("rotating").scope("read").register(service).rotated();
    let _ = rotating.own_token("read");
    assert_eq!(rotating.manage("DELETE").send().status, 204);
}

fn operators(casts: &[Cast]) {
    let revoke = |body: serde_json::Value| assert_eq!(casts[0].service.revoke_all(&body).status, 200, "{body}");
    let _ = casts[0].first_token();
    revoke(json!({ "subject": casts[0].user.id, "reason": "test" }));
    revoke(json!({ "client_id": casts[1].frontend.id, "reason": "test" }));
    let token = casts[2].first_token();
    revoke(json!({ "jti": grantlog_tests::jwt::jti(&token), "reason": "test" }));
    revoke(json!({ "kid": grantlog_tests::jwt::header(&token)["kid"], "reason": "test" }));
    let _ = casts[3].first_token();
}
