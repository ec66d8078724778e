//! V12: an operator ends a person's session, grant or token without holding them.

use super::{
    super::deployment::{Client, Service, claims},
    Browser,
    browser::Person,
};
use crate::http::tests::deployment::Answer;
use grantlog_events::{Address, Jti};
use serde_json::{Value, json};

/// A client, and a person who let it in.
struct Scene<'a> {
    service: &'a Service,
    browser: Browser<'a>,
    client: Client,
    person: Person,
}

impl<'a> Scene<'a> {
    fn new(service: &'a Service) -> Self {
        let client = service.relying_party(&json!({}));
        Self { service, browser: Browser::new(service), client, person: service.person_with_password() }
    }

    fn tokens(&self, scope: &str) -> Value {
        self.browser.tokens(&self.client, &self.person, &[("scope", scope)])
    }

    fn revoke(&self, target: &Value) -> Answer {
        let admin = self.service.operator("admin");
        self.service.send(::http::Method::POST, "/admin/revocations", &admin, Some(target))
    }

    fn is_active(&self, tokens: &Value) -> bool {
        self.service.is_active(&self.client, tokens["access_token"].as_str().unwrap())
    }

    fn refreshes(&self, tokens: &Value) -> bool {
        self.service.refresh(&self.client, tokens["refresh_token"].as_str().unwrap()).status == 200
    }

    fn is_logged_in(&self) -> bool {
        let silently = [("scope", "openid"), ("prompt", "none")];
        self.browser.authorize(&self.client, &silently).sent("code").is_some()
    }
}

fn text(tokens: &Value, token: &str, claim: &str) -> String {
    claims(tokens[token].as_str().unwrap())[claim].as_str().unwrap().to_owned()
}

/// V12, V15: a session ends with its grants, also those that would outlive it, and no other session does.
#[test]
fn a_session_ends_with_every_grant_of_it_and_no_other() {
    let service = Service::new();
    let scene = Scene::new(&service);
    let (bound, lasting) = (scene.tokens("openid"), scene.tokens("openid offline_access"));
    let sid = text(&bound, "id_token", "sid");
    assert_eq!(sid, text(&lasting, "id_token", "sid"));
    let elsewhere = Browser::new(&service).tokens(&scene.client, &scene.person, &[("scope", "openid")]);
    assert!(scene.is_logged_in());
    let told = scene.revoke(&json!({ "sid": sid, "reason": "lost laptop" })).expect(200);
    assert_eq!(told["revoked"], 1);
    assert!(!scene.is_active(&bound) && !scene.is_active(&lasting) && !scene.refreshes(&lasting));
    assert!(!scene.is_logged_in());
    assert!(scene.is_active(&elsewhere) && scene.refreshes(&elsewhere));
    let again = scene.revoke(&json!({ "sid": sid })).expect(200);
    assert_eq!((&again["revoked"], &again["position"]), (&json!(0), &told["position"]));
    let place = Address::parse(told["position"].as_str().unwrap()).unwrap().place;
    assert_eq!(place, Address::parse_dashed(&sid).unwrap().place);
}

/// A session's address is no other thing's: neither a code nor a token nor a person ends by it.
#[test]
fn what_is_no_session_does_not_end_as_one() {
    let service = Service::new();
    let scene = Scene::new(&service);
    let tokens = scene.tokens("openid");
    let Jti { address, .. } = Jti::parse(&text(&tokens, "access_token", "jti")).unwrap();
    for no_session in [address, address.place.at(0), address.place.at(address.seq + 1_000)] {
        scene.revoke(&json!({ "sid": no_session.dashed() })).expect(404);
    }
    let sid = Address::parse_dashed(&text(&tokens, "id_token", "sid")).unwrap();
    scene.revoke(&json!({ "grant": sid.to_string() })).expect(404);
    assert!(scene.is_active(&tokens) && scene.is_logged_in());
}

/// R3, V12: the grant that a code began dies with all its tokens, by the address in `lin` and in the audit log.
#[test]
fn a_grant_that_began_with_a_code_ends_by_its_address() {
    let service = Service::new();
    let scene = Scene::new(&service);
    let (one, other) = (scene.tokens("openid offline_access"), scene.tokens("openid offline_access"));
    let refreshed = service.refresh(&scene.client, one["refresh_token"].as_str().unwrap()).expect(200);
    let jti = Jti::parse(&text(&one, "access_token", "jti")).unwrap();
    let code = claims(one["access_token"].as_str().unwrap())["lin"][0].as_u64().unwrap();
    let grant = jti.address.place.at(code).to_string();
    // The first token of a code is no grant.
    scene.revoke(&json!({ "grant": jti.address.to_string() })).expect(404);
    let told = scene.revoke(&json!({ "grant": grant, "reason": "leaked" })).expect(200);
    assert_eq!(told["revoked"], 1);
    assert!(!scene.is_active(&one) && !scene.is_active(&refreshed) && !scene.refreshes(&refreshed));
    assert!(scene.is_active(&other) && scene.refreshes(&other) && scene.is_logged_in());
    assert_eq!(scene.revoke(&json!({ "grant": grant })).expect(200)["revoked"], 0);
}

/// A refreshed token dies by its own name, and its family lives on (V10).
#[test]
fn a_refreshed_token_ends_by_its_jti_alone() {
    let service = Service::new();
    let scene = Scene::new(&service);
    let first = scene.tokens("openid offline_access");
    let second = service.refresh(&scene.client, first["refresh_token"].as_str().unwrap()).expect(200);
    let told = scene.revoke(&json!({ "jti": text(&second, "access_token", "jti") })).expect(200);
    assert_eq!(told["revoked"], 1);
    assert!(!scene.is_active(&second) && scene.is_active(&first) && scene.refreshes(&second));
}
