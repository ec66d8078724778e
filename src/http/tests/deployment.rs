//! A deployment of eight shards with what most tests need: clients, people, an issuer of assertions.

use super::signing::Signer;
use crate::{
    config::Config,
    http::{
        self,
        register::deployment::{Answer, Deployment, ISSUER, NOW},
    },
    memory::{MemoryWorld, finished},
    ports::World,
};
use ::http::{Method, header};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use grantlog_events::{Jti, Place, Subject};
use serde_json::{Value, json};
use std::{cell::Cell, collections::BTreeMap, ops::Deref, rc::Rc};

pub(super) const SHARDS: u32 = 8;
pub(super) const IDP: &str = "https://idp.example";
pub(super) const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
pub(super) const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
pub(super) const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const CLIENT_ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// A deployment, and the party outside that vouches for people and clients.
pub(super) struct Service {
    deployment: Deployment,
    pub(super) outside: Signer,
    drawn: Rc<Cell<u32>>,
}

/// A registered client.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) id: String,
    /// Empty if it proves itself with assertions.
    pub(super) secret: String,
    pub(super) token: String,
}

impl Deref for Service {
    type Target = Deployment;
    fn deref(&self) -> &Deployment {
        &self.deployment
    }
}

impl Service {
    /// Opened, with nobody in it.
    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    /// Opened with some values of its configuration set.
    pub(super) fn with(values: &[(&str, &str)]) -> Self {
        let service = Self::unopened(values);
        service.get("/healthz").expect(200);
        service
    }

    /// As it is before its first request.
    pub(super) fn unopened(values: &[(&str, &str)]) -> Self {
        Self::of(MemoryWorld::new(config(values), NOW))
    }

    /// The same deployment from another isolate.
    pub(super) fn elsewhere(&self) -> Self {
        let deployment = Deployment { world: self.world.new_isolate() };
        Self { deployment, outside: self.outside.clone(), drawn: Rc::clone(&self.drawn) }
    }

    fn of(world: MemoryWorld) -> Self {
        let outside = Signer::new(&world);
        Self { deployment: Deployment { world }, outside, drawn: Rc::default() }
    }

    /// A number that this deployment has not drawn yet.
    pub(super) fn draw(&self) -> u32 {
        self.drawn.set(self.drawn.get() + 1);
        self.drawn.get()
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.handle(::http::Request::get(path).body(Vec::new()).unwrap())
    }

    /// Makes the isolate a new one.
    pub(super) fn forget(&self) {
        self.world.memory().forget();
    }

    pub(super) fn register(&self, metadata: &Value) -> Client {
        let operator = self.operator("client:register");
        let body = self.send(Method::POST, "/register", &operator, Some(metadata)).expect(201);
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        Client { id: text("client_id"), secret: text("client_secret"), token: text("registration_access_token") }
    }

    /// A client at which people log in, and which may ask for tokens of its own.
    pub(super) fn app(&self) -> Client {
        self.register(&self.app_metadata(&json!({})))
    }

    pub(super) fn app_metadata(&self, change: &Value) -> Value {
        let base = json!({
            "grant_types": ["client_credentials", JWT_BEARER],
            "scope": "openid profile email groups read",
            "assertion_issuers": [{ "issuer": IDP, "jwks": self.outside.jwks() }],
        });
        changed(&base, change)
    }

    /// A client that exchanges what it is given, with an actor or without.
    pub(super) fn exchanger(&self) -> Client {
        self.register(&exchanger_metadata(&json!({})))
    }

    /// A client that proves itself with a key, and may do everything that the others may.
    pub(super) fn keyed(&self) -> Client {
        let change = json!({
            "grant_types": ["client_credentials", JWT_BEARER, EXCHANGE],
            "token_endpoint_auth_method": "private_key_jwt",
            "jwks": self.outside.jwks(),
            "assertion_issuers": [{ "issuer": IDP, "jwks": self.outside.jwks() }],
        });
        self.register(&exchanger_metadata(&change))
    }

    /// A person, by the name that nobody else has.
    pub(super) fn person(&self) -> Subject {
        let number = self.draw();
        let user = json!({ "userName": format!("user-{number}"), "name": { "givenName": "Ada" } });
        let body = self.send(Method::POST, "/scim/v2/Users", &self.operator("scim"), Some(&user)).expect(201);
        Subject::parse(body["id"].as_str().unwrap()).unwrap()
    }

    pub(super) fn home(&self, subject: &Subject) -> Place {
        Place { epoch: 1, shard: subject.home(self.world.config().log_shards) }
    }

    pub(super) fn suspend(&self, subject: &Subject) {
        self.set_active(subject, false);
    }

    pub(super) fn set_active(&self, subject: &Subject, active: bool) {
        let patch = json!({ "Operations": [{ "op": "replace", "path": "active", "value": active }] });
        self.send(Method::PATCH, &format!("/scim/v2/Users/{subject}"), &self.operator("scim"), Some(&patch))
            .expect(200);
    }

    /// Ends tokens as the operator; `target` names one.
    pub(super) fn end(&self, target: &Value) -> Answer {
        self.send(Method::POST, "/admin/revocations", &self.operator("admin"), Some(target))
    }

    /// An assertion about a person, never seen before.
    pub(super) fn assertion(&self, subject: &Subject, change: &Value) -> String {
        let claims = json!({ "iss": IDP, "sub": subject.as_str(), "aud": ISSUER, "jti": self.draw().to_string() });
        self.outside.assertion(&self.world, &changed(&claims, change))
    }

    /// Posts a form as a client, however it proves itself.
    pub(super) fn post(&self, path: &str, client: &Client, form: &[(&str, &str)]) -> Answer {
        self.handle(self.request(path, client, form))
    }

    pub(super) fn request(&self, path: &str, client: &Client, form: &[(&str, &str)]) -> http::Request {
        let mut form: Vec<(String, String)> =
            form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = ::http::Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let request = if client.secret.is_empty() {
            let claims = json!({ "iss": client.id, "sub": client.id, "aud": ISSUER, "jti": self.draw().to_string() });
            form.push(("client_assertion_type".to_owned(), CLIENT_ASSERTION.to_owned()));
            form.push(("client_assertion".to_owned(), self.outside.assertion(&self.world, &claims)));
            request
        } else {
            request.header(header::AUTHORIZATION, basic(client))
        };
        let body: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        request.body(body.join("&").into_bytes()).unwrap()
    }

    /// A person's token at a client.
    pub(super) fn login(&self, client: &Client, subject: &Subject) -> String {
        self.login_with(client, subject, &json!({}))
    }

    pub(super) fn login_with(&self, client: &Client, subject: &Subject, change: &Value) -> String {
        let assertion = self.assertion(subject, change);
        token_in(self.post("/token", client, &[("grant_type", JWT_BEARER), ("assertion", &assertion)]))
    }

    /// A client's own token.
    pub(super) fn machine(&self, client: &Client) -> String {
        token_in(self.post("/token", client, &[("grant_type", "client_credentials")]))
    }

    /// A client's own token from a shard that fits.
    pub(super) fn machine_at(&self, client: &Client, fits: impl Fn(Place) -> bool) -> String {
        (0..200).map(|_| self.machine(client)).find(|token| fits(place_of(token))).expect("no shard fits")
    }

    pub(super) fn exchange(&self, client: &Client, subject_token: &str, more: &[(&str, &str)]) -> Answer {
        self.handle(self.exchange_request(client, subject_token, more))
    }

    pub(super) fn exchange_request(
        &self,
        client: &Client,
        subject_token: &str,
        more: &[(&str, &str)],
    ) -> http::Request {
        let form = [("grant_type", EXCHANGE), ("subject_token", subject_token), ("subject_token_type", ACCESS_TOKEN)];
        self.request("/token", client, &[&form[..], more].concat())
    }

    /// The same with an actor.
    pub(super) fn delegate(&self, client: &Client, subject_token: &str, actor_token: &str) -> Answer {
        self.exchange(client, subject_token, &[("actor_token", actor_token), ("actor_token_type", ACCESS_TOKEN)])
    }

    pub(super) fn introspect(&self, client: &Client, token: &str) -> Answer {
        self.post("/introspect", client, &[("token", token)])
    }

    /// Whether introspection says that a token is active.
    pub(super) fn is_active(&self, client: &Client, token: &str) -> bool {
        self.introspect(client, token).expect(200)["active"].as_bool().unwrap()
    }

    pub(super) fn revoke(&self, client: &Client, token: &str) -> Answer {
        self.post("/revoke", client, &[("token", token)])
    }

    pub(super) fn userinfo(&self, token: &str) -> Answer {
        self.send(Method::GET, "/userinfo", token, None)
    }

    /// The length of every log.
    pub(super) fn heads(&self) -> BTreeMap<Place, u64> {
        let length = |place: Place| (place, self.world.shard(place).head().unwrap().next);
        self.world.places().into_iter().map(length).collect()
    }

    pub(super) fn ring_alarms(&self) {
        finished(self.world.ring_alarms()).unwrap();
    }
}

fn config(values: &[(&str, &str)]) -> Config {
    let key = |byte| URL_SAFE_NO_PAD.encode([byte; 32]);
    let set = |name: &str| values.iter().find(|(held, _)| *held == name).map(|(_, value)| (*value).to_owned());
    let config = Config::read(|name| {
        set(name).or_else(|| {
            Some(match name {
                "ISSUER" => ISSUER.to_owned(),
                "OPERATOR_CLIENT_ID" => "operator".to_owned(),
                "OPERATOR_CLIENT_SECRET" => "operator-secret".to_owned(),
                "KEK" => key(1),
                "LOG_KEY" => key(2),
                "NAME_KEY" => key(3),
                "LOG_SHARDS" => SHARDS.to_string(),
                _ => return None,
            })
        })
    });
    config.unwrap()
}

pub(super) fn exchanger_metadata(change: &Value) -> Value {
    let base = json!({
        "grant_types": ["client_credentials", EXCHANGE],
        "scope": "openid profile email read",
        "token_exchange": {
            "audiences": ["api", "billing"],
            "resources": ["https://api.example/", "urn:files"],
            "impersonation": true,
            "actors": "any",
            "subject_clients": "any",
        },
    });
    changed(&base, change)
}

pub(super) fn basic(client: &Client) -> String {
    format!("Basic {}", STANDARD.encode(format!("{}:{}", client.id, client.secret)))
}

pub(super) fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    value.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The same object with members replaced, or left out where the change is `null`.
pub(super) fn changed(object: &Value, change: &Value) -> Value {
    let mut object = object.as_object().unwrap().clone();
    for (name, value) in change.as_object().unwrap() {
        object.remove(name);
        if !value.is_null() {
            object.insert(name.clone(), value.clone());
        }
    }
    Value::Object(object)
}

#[track_caller]
pub(super) fn token_in(answer: Answer) -> String {
    answer.expect(200)["access_token"].as_str().unwrap().to_owned()
}

/// A part of a JWT, opened: 0 is the header, 1 the claims.
pub(super) fn part(token: &str, number: usize) -> Value {
    let part = token.split('.').nth(number).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

pub(super) fn claims(token: &str) -> Value {
    part(token, 1)
}

pub(super) fn jti_of(token: &str) -> Jti {
    Jti::parse(claims(token)["jti"].as_str().unwrap()).unwrap()
}

pub(super) fn place_of(token: &str) -> Place {
    jti_of(token).address.place
}

/// The refusal that an answer's sentence names.
#[track_caller]
pub(super) fn refusal(answer: Answer, status: u16, error: &str) -> String {
    let body = answer.expect(status);
    assert_eq!(body["error"], error, "{body}");
    body["error_description"].as_str().unwrap_or_default().to_owned()
}
