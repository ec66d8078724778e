//! Registration over the whole HTTP layer, in memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod for_people;

use crate::http::tests::deployment::{Answer, ISSUER, Service};
use http::Method;
use serde_json::{Value, json};

struct Registered {
    id: String,
    secret: String,
    token: String,
}

impl Registered {
    fn path(&self) -> String {
        format!("/register/{}", self.id)
    }
}

fn text(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("{name} is missing")).to_owned()
}

fn machine() -> Value {
    json!({ "client_name": "backend", "grant_types": ["client_credentials"], "scope": "openid read" })
}

fn register(deployment: &Service, metadata: &Value) -> Registered {
    let operator = deployment.operator("client:register");
    let body = deployment.send(Method::POST, "/register", &operator, Some(metadata)).expect(201);
    Registered {
        id: text(&body, "client_id"),
        secret: text(&body, "client_secret"),
        token: text(&body, "registration_access_token"),
    }
}

fn replacement(client: &Registered, change: &Value) -> Value {
    let mut metadata = machine();
    metadata["client_id"] = client.id.clone().into();
    metadata.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
    metadata
}

fn replace(deployment: &Service, client: &Registered, token: &str, change: &Value) -> Answer {
    deployment.send(Method::PUT, &client.path(), token, Some(&replacement(client, change)))
}

fn can_get_tokens(deployment: &Service, client: &Registered, secret: &str) -> bool {
    let answer = deployment.token(&client.id, secret, "grant_type=client_credentials");
    assert!(answer.status == 200 || answer.status == 401, "{answer:?}");
    answer.status == 200
}

#[test]
fn a_registered_client_is_told_everything_and_can_get_tokens() {
    let deployment = Service::new();
    let operator = deployment.operator("client:register");
    let answer = deployment.send(Method::POST, "/register", &operator, Some(&machine()));
    assert_eq!(answer.headers["cache-control"], "no-store");
    let body = answer.expect(201);
    let id = text(&body, "client_id");
    assert_eq!(body["registration_client_uri"], format!("{ISSUER}/register/{id}"));
    assert_eq!(body["client_secret_expires_at"], 0);
    assert_eq!(body["client_id_issued_at"], 1_770_000_000);
    for (name, value) in machine().as_object().unwrap() {
        assert_eq!(&body[name], value, "{name}");
    }
    assert_eq!(text(&body, "client_secret").len(), 43);
    let token = deployment.token(&id, &text(&body, "client_secret"), "grant_type=client_credentials").expect(200);
    assert_eq!(token["scope"], "openid read");
}

#[test]
fn only_an_operator_with_the_scope_registers() {
    let deployment = Service::new();
    let scim = deployment.operator("scim");
    assert_eq!(
        deployment.send(Method::POST, "/register", &scim, Some(&machine())).expect(403)["error"],
        "insufficient_scope"
    );
    let client = register(&deployment, &machine());
    let own = deployment.token(&client.id, &client.secret, "grant_type=client_credentials").expect(200);
    deployment.send(Method::POST, "/register", &text(&own, "access_token"), Some(&machine())).expect(403);
    deployment.send(Method::POST, "/register", &client.token, Some(&machine())).expect(401);
}

#[test]
fn bodies_that_are_no_json_object_are_refused() {
    let deployment = Service::new();
    let operator = deployment.operator("client:register");
    let sending = |content_type: &str, body: &[u8]| {
        let request = http::Request::post("/register")
            .header("authorization", format!("Bearer {operator}"))
            .header("content-type", content_type);
        deployment.handle(request.body(body.to_vec()).unwrap()).status.as_u16()
    };
    assert_eq!(sending("application/x-www-form-urlencoded", b"{}"), 415);
    for body in [&b""[..], b"{", b"[]", b"\xff{}", b"null"] {
        assert_eq!(sending("application/json", body), 400);
    }
}

#[test]
fn the_registration_access_token_opens_its_own_client_and_no_other() {
    let deployment = Service::new();
    let (client, other) = (register(&deployment, &machine()), register(&deployment, &machine()));
    let body = deployment.send(Method::GET, &client.path(), &client.token, None).expect(200);
    assert_eq!(body["registration_access_token"], client.token);
    assert!(body.get("client_secret").is_none());
    for (path, token) in [(client.path(), &other.token), ("/register/c-unknown".to_owned(), &client.token)] {
        let answer = deployment.send(Method::GET, &path, token, None);
        assert!(answer.headers["www-authenticate"].to_str().unwrap().contains("invalid_token"));
        answer.expect(401);
    }
    let operator = deployment.operator("client:register");
    let body = deployment.send(Method::GET, &client.path(), &operator, None).expect(200);
    assert!(body.get("registration_access_token").is_none());
}

#[test]
fn a_client_narrows_itself_and_only_an_operator_widens_it() {
    let deployment = Service::new();
    let client = register(&deployment, &machine());
    assert_eq!(
        replace(&deployment, &client, &client.token, &json!({ "scope": "openid" })).expect(200)["scope"],
        "openid"
    );
    for widening in [
        json!({ "scope": "openid read" }),
        json!({ "scope": "openid", "grant_types": ["client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange"] }),
        json!({ "scope": "openid", "token_exchange": { "actors": "any" } }),
    ] {
        let refused = replace(&deployment, &client, &client.token, &widening).expect(403);
        assert_eq!(refused["error"], "insufficient_scope", "{widening}");
    }
    let operator = deployment.operator("client:register");
    assert_eq!(replace(&deployment, &client, &operator, &json!({})).expect(200)["scope"], "openid read");
    // A token with another operator scope is no way around.
    replace(&deployment, &client, &deployment.operator("admin"), &json!({})).expect(403);
}

#[test]
fn an_update_says_whom_it_is_about_and_nothing_that_is_ours() {
    let deployment = Service::new();
    let client = register(&deployment, &machine());
    for wrong in [
        json!({ "client_id": "c-other" }),
        json!({ "client_id": null }),
        json!({ "registration_access_token": client.token }),
        json!({ "registration_client_uri": "x" }),
        json!({ "client_secret_expires_at": 0 }),
        json!({ "client_id_issued_at": 0 }),
        json!({ "client_secret": "another" }),
    ] {
        assert_eq!(
            replace(&deployment, &client, &client.token, &wrong).expect(400)["error"],
            "invalid_request",
            "{wrong}"
        );
    }
    replace(&deployment, &client, &client.token, &json!({ "client_secret": client.secret })).expect(200);
    assert!(can_get_tokens(&deployment, &client, &client.secret));
}

/// VE: the old secret is dead and the new one works on the next request.
#[test]
fn a_rotated_secret_holds_from_the_next_request_on() {
    let deployment = Service::new();
    let client = register(&deployment, &machine());
    assert!(can_get_tokens(&deployment, &client, &client.secret));
    let body = replace(&deployment, &client, &client.token, &json!({ "rotate_client_secret": true })).expect(200);
    let fresh = text(&body, "client_secret");
    assert_ne!(fresh, client.secret);
    assert!(!can_get_tokens(&deployment, &client, &client.secret));
    assert!(can_get_tokens(&deployment, &client, &fresh));
}

#[test]
fn a_method_without_secret_has_none_and_one_with_a_secret_gets_a_new_one() {
    let deployment = Service::new();
    let client = register(&deployment, &machine());
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let by_key = json!({ "token_endpoint_auth_method": "private_key_jwt", "jwks": { "keys": [key] } });
    assert!(replace(&deployment, &client, &client.token, &by_key).expect(200).get("client_secret").is_none());
    replace(&deployment, &client, &client.token, &json!({})).expect(403);
    let operator = deployment.operator("client:register");
    let fresh = text(&replace(&deployment, &client, &operator, &json!({})).expect(200), "client_secret");
    assert_ne!(fresh, client.secret);
    assert!(can_get_tokens(&deployment, &client, &fresh));
}

/// XG: a deleted client is refused at once, and its registration is gone.
#[test]
fn a_deleted_client_is_gone_and_deleting_it_can_be_repeated() {
    let deployment = Service::new();
    let client = register(&deployment, &machine());
    assert!(can_get_tokens(&deployment, &client, &client.secret));
    deployment.send(Method::DELETE, &client.path(), &client.token, None).expect(204);
    assert!(!can_get_tokens(&deployment, &client, &client.secret));
    deployment.send(Method::GET, &client.path(), &client.token, None).expect(401);
    replace(&deployment, &client, &client.token, &json!({})).expect(401);
    deployment.send(Method::DELETE, &client.path(), &client.token, None).expect(204);
    deployment.send(Method::GET, &client.path(), &deployment.operator("client:register"), None).expect(404);
}

/// V1: no step of a change may fail into anything but 503, and repeating the request completes it.
#[test]
fn a_change_that_failed_anywhere_can_be_repeated() {
    use crate::memory::When;
    for when in [When::Before, When::After] {
        for nth in 0.. {
            let deployment = Service::new();
            let client = register(&deployment, &machine());
            deployment.world.faults().fail(nth, when, false);
            let answer = deployment.send(Method::DELETE, &client.path(), &client.token, None);
            let struck = deployment.world.faults().mend();
            assert!(answer.status == 503 || answer.status == 204, "{nth} {when:?}: {answer:?}");
            deployment.send(Method::DELETE, &client.path(), &client.token, None).expect(204);
            assert!(!can_get_tokens(&deployment, &client, &client.secret), "{nth} {when:?}");
            if !struck {
                break;
            }
        }
    }
}
