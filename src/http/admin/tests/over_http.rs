//! Revocations by an operator over the whole HTTP layer, in memory.

use crate::http::tests::deployment::{Answer, SHARDS, Service};
use crate::memory::{When, finished};
use grantlog_events::{Body, Event, Place, Stored};
use http::{Method, header};
use serde_json::{Value, json};

const REVOCATIONS: &str = "/admin/revocations";

/// A deployment with a client and an operator who may revoke.
struct Operations {
    deployment: Service,
    token: String,
    client: String,
    secret: String,
}

impl Operations {
    fn new() -> Self {
        let deployment = Service::new();
        let registrar = deployment.operator("client:register");
        let metadata = json!({ "grant_types": ["client_credentials"], "scope": "read" });
        let body = deployment.send(Method::POST, "/register", &registrar, Some(&metadata)).expect(201);
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        let (client, secret) = (text("client_id"), text("client_secret"));
        let token = deployment.operator("admin");
        Self { deployment, token, client, secret }
    }

    fn revoke(&self, body: &Value) -> Answer {
        self.deployment.send(Method::POST, REVOCATIONS, &self.token, Some(body))
    }

    fn issue(&self) -> String {
        let body = self.deployment.token(&self.client, &self.secret, "grant_type=client_credentials").expect(200);
        body["access_token"].as_str().unwrap().to_owned()
    }

    fn is_active(&self, token: &str) -> bool {
        use base64::{Engine, engine::general_purpose::STANDARD};
        let request = http::Request::post("/introspect")
            .header(
                header::AUTHORIZATION,
                format!("Basic {}", STANDARD.encode(format!("{}:{}", self.client, self.secret))),
            )
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let body = self.deployment.handle(request.body(format!("token={token}").into_bytes()).unwrap()).expect(200);
        body["active"] == true
    }
}

fn claim(token: &str, name: &str) -> Value {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice::<Value>(&claims).unwrap()[name].clone()
}

fn kid(token: &str) -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let head = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    serde_json::from_slice::<Value>(&head).unwrap()["kid"].as_str().unwrap().to_owned()
}

/// The address of the event that a `jti` names.
fn address(jti: &str) -> String {
    jti.rsplit_once('-').unwrap().0.replace('-', ".")
}

/// V12: a token dies by its `jti`, its grant, its client or its key, and another one does not die with it.
#[test]
fn a_token_is_revoked_without_holding_it() {
    let operations = Operations::new();
    let [by_jti, by_grant, other] = [0; 3].map(|_| operations.issue());
    let jti = claim(&by_jti, "jti");
    let told = operations.revoke(&json!({ "jti": jti, "reason": "lost" })).expect(200);
    assert_eq!(told["revoked"], 1);
    let again = operations.revoke(&json!({ "jti": jti })).expect(200);
    assert_eq!((&again["revoked"], &again["position"]), (&json!(0), &told["position"]));
    let grant = address(claim(&by_grant, "jti").as_str().unwrap());
    assert_eq!(operations.revoke(&json!({ "grant": grant })).expect(200)["revoked"], 1);
    assert!(!operations.is_active(&by_jti) && !operations.is_active(&by_grant));
    assert!(operations.is_active(&other));
}

#[test]
fn all_of_a_clients_tokens_die_and_new_ones_live() {
    let operations = Operations::new();
    let tokens = [0; 6].map(|_| operations.issue());
    let told = operations.revoke(&json!({ "client_id": operations.client, "reason": "leak" })).expect(200);
    assert_eq!(told["revoked"], 1);
    assert!(told["position"].as_str().unwrap().starts_with("0.0."));
    assert!(tokens.iter().all(|token| !operations.is_active(token)));
    assert!(operations.is_active(&operations.issue()));
}

#[test]
fn what_a_compromised_key_signed_dies_and_its_spare_takes_over() {
    let operations = Operations::new();
    let before = operations.issue();
    let kid = kid(&before);
    let answer = operations.revoke(&json!({ "kid": kid, "reason": "leaked" }));
    assert_eq!(answer.expect(200)["revoked"], 1);
    operations.deployment.wait(31_000);
    assert!(!operations.is_active(&before));
    assert_ne!(self::kid(&operations.issue()), kid);
    // The operator's own token was signed by it too.
    operations.revoke(&json!({ "kid": kid })).expect(401);
    let token = operations.deployment.operator("admin");
    let again = operations.deployment.send(Method::POST, REVOCATIONS, &token, Some(&json!({ "kid": kid }))).expect(200);
    assert_eq!(again["revoked"], 0);
}

/// Each shard's event names the event of the registry that it repeats, though the spare was activated after it.
#[test]
fn a_shard_that_distrusts_a_key_says_which_event_told_it() {
    let operations = Operations::new();
    let kid = kid(&operations.issue());
    operations.revoke(&json!({ "kid": kid })).expect(200);
    let world = &operations.deployment.world;
    let events = |place: Place| {
        let bytes = world.shard(place).store().all_events();
        bytes.into_iter().map(|bytes| Event::from_bytes(&bytes).unwrap()).collect::<Vec<_>>()
    };
    let told = |event: &&Event| matches!(&event.body, Body::KeyCompromised(key) if key.kid.as_str() == kid);
    let compromised = events(Place::REGISTRY).iter().find(told).unwrap().seq;
    let shards = world.places().into_iter().filter(|place| !place.is_registry());
    let distrusted: Vec<u64> = shards
        .flat_map(events)
        .filter_map(|event| match event.body {
            Body::KeyDistrusted(key) => Some(key.registry_seq),
            _ => None,
        })
        .collect();
    assert_eq!(distrusted, [compromised; SHARDS as usize]);
}

/// V12: the operator's client is in no registry until its tokens are revoked, and by configuration ever after.
#[test]
fn all_of_the_operators_own_tokens_die_and_new_ones_live() {
    let operations = Operations::new();
    let elsewhere = operations.deployment.elsewhere();
    let works = |deployment: &Service, token: &str| {
        deployment.send(Method::GET, "/scim/v2/Users?filter=userName%20eq%20%22x%22", token, None).status.as_u16()
    };
    for _ in 0..2 {
        let (admin, before) = (operations.deployment.operator("admin"), elsewhere.operator("scim"));
        let target = json!({ "client_id": "operator", "reason": "leaked" });
        let told = operations.deployment.send(Method::POST, REVOCATIONS, &admin, Some(&target)).expect(200);
        assert_eq!(told["revoked"], 1);
        for deployment in [&operations.deployment, &elsewhere] {
            assert_eq!(works(deployment, &before), 401);
            assert_eq!(works(deployment, &deployment.operator("scim")), 200);
        }
    }
    // A client of the registry's it is not.
    let registrar = operations.deployment.operator("client:register");
    for method in [Method::GET, Method::DELETE] {
        operations.deployment.send(method, "/register/operator", &registrar, None).expect(404);
    }
    operations.deployment.token("operator", "wrong", "grant_type=client_credentials").expect(401);
    finished(operations.deployment.world.ring_alarms()).unwrap();
}

#[test]
fn what_is_not_there_is_404() {
    let operations = Operations::new();
    let genuine = claim(&operations.issue(), "jti").as_str().unwrap().to_owned();
    let forged = format!("{}00000000", &genuine[..genuine.len() - 8]);
    for target in [
        json!({ "subject": "1-AAAAAAAAAAAAAAAAAAAAAA" }),
        json!({ "subject": "9-AAAAAAAAAAAAAAAAAAAAAA" }),
        json!({ "client_id": "c-unknown" }),
        json!({ "grant": "1.0.99999" }),
        json!({ "grant": "1.77.0" }),
        json!({ "grant": "0.0.0" }),
        json!({ "sid": "anything" }),
        json!({ "sid": "1-0-99999" }),
        json!({ "sid": "1-77-0" }),
        json!({ "sid": "0-0-0" }),
        json!({ "sid": genuine[..genuine.len() - 9] }),
        json!({ "jti": forged }),
        json!({ "jti": "1-0-99999-00000000" }),
        json!({ "jti": "9-9-9-00000000" }),
        json!({ "kid": "unknown" }),
    ] {
        assert_eq!(operations.revoke(&target).expect(404)["error"], "not_found", "{target}");
    }
}

#[test]
fn only_the_scope_admin_revokes() {
    let operations = Operations::new();
    let scim = operations.deployment.operator("scim");
    operations
        .deployment
        .send(Method::POST, REVOCATIONS, &scim, Some(&json!({ "client_id": operations.client })))
        .expect(403);
    operations.deployment.send(Method::POST, REVOCATIONS, &operations.issue(), Some(&json!({}))).expect(403);
    operations.revoke(&json!({})).expect(400);
}

/// V1, VD: a revocation that is answered 200 holds; one that is answered 503 holds when it is repeated.
#[test]
fn a_revocation_that_failed_anywhere_can_be_repeated() {
    for by_client in [false, true] {
        for when in [When::Before, When::After] {
            for nth in 0..200 {
                let operations = Operations::new();
                let token = operations.issue();
                let target = if by_client {
                    json!({ "client_id": operations.client })
                } else {
                    json!({ "jti": claim(&token, "jti") })
                };
                operations.deployment.world.faults().fail(nth, when, false);
                let answer = operations.revoke(&target);
                if !operations.deployment.world.faults().mend() {
                    break;
                }
                if answer.status == 503 {
                    assert!(answer.headers.contains_key(header::RETRY_AFTER));
                    operations.revoke(&target).expect(200);
                } else {
                    answer.expect(200);
                }
                assert!(!operations.is_active(&token), "{nth} {when:?}");
            }
        }
    }
}
