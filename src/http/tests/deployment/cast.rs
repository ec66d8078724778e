//! Clients, people and their tokens in a deployment.

use super::{ACCESS_TOKEN, Answer, EXCHANGE, IDP, ISSUER, JWT_BEARER, Service, place_of, token_in};
use crate::{http, ports::World};
use ::http::{Method, header};
use base64::{Engine, engine::general_purpose::STANDARD};
use grantlog_events::{Place, Subject};
use serde_json::{Value, json};

const CLIENT_ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// A registered client.
#[derive(Clone, Debug)]
pub(in crate::http) struct Client {
    pub(in crate::http) id: String,
    /// Empty if it proves itself with assertions.
    pub(in crate::http) secret: String,
    pub(in crate::http) token: String,
}

impl Service {
    pub(in crate::http) fn register(&self, metadata: &Value) -> Client {
        let operator = self.operator("client:register");
        let body = self.send(Method::POST, "/register", &operator, Some(metadata)).expect(201);
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        Client { id: text("client_id"), secret: text("client_secret"), token: text("registration_access_token") }
    }

    /// A client at which people log in, and which may ask for tokens of its own.
    pub(in crate::http) fn app(&self) -> Client {
        self.register(&self.app_metadata(&json!({})))
    }

    pub(in crate::http) fn app_metadata(&self, change: &Value) -> Value {
        let base = json!({
            "grant_types": ["client_credentials", JWT_BEARER],
            "scope": "openid profile email groups read",
            "assertion_issuers": [{ "issuer": IDP, "jwks": self.outside.jwks() }],
        });
        changed(&base, change)
    }

    /// A client that exchanges what it is given, with an actor or without.
    pub(in crate::http) fn exchanger(&self) -> Client {
        self.register(&exchanger_metadata(&json!({})))
    }

    /// A client that proves itself with a key, and may do everything that the others may.
    pub(in crate::http) fn keyed(&self) -> Client {
        let change = json!({
            "grant_types": ["client_credentials", JWT_BEARER, EXCHANGE],
            "token_endpoint_auth_method": "private_key_jwt",
            "jwks": self.outside.jwks(),
            "assertion_issuers": [{ "issuer": IDP, "jwks": self.outside.jwks() }],
        });
        self.register(&exchanger_metadata(&change))
    }

    /// A person, by the name that nobody else has.
    pub(in crate::http) fn person(&self) -> Subject {
        let number = self.draw();
        let user = json!({ "userName": format!("user-{number}"), "name": { "givenName": "Ada" } });
        let body = self.send(Method::POST, "/scim/v2/Users", &self.operator("scim"), Some(&user)).expect(201);
        Subject::parse(body["id"].as_str().unwrap()).unwrap()
    }

    pub(in crate::http) fn home(&self, subject: &Subject) -> Place {
        Place { epoch: 1, shard: subject.home(self.world.config().log_shards) }
    }

    pub(in crate::http) fn suspend(&self, subject: &Subject) {
        self.set_active(subject, false);
    }

    pub(in crate::http) fn set_active(&self, subject: &Subject, active: bool) {
        let patch = json!({ "Operations": [{ "op": "replace", "path": "active", "value": active }] });
        self.send(Method::PATCH, &format!("/scim/v2/Users/{subject}"), &self.operator("scim"), Some(&patch))
            .expect(200);
    }

    /// Ends tokens as the operator; `target` names one.
    pub(in crate::http) fn end(&self, target: &Value) -> Answer {
        self.send(Method::POST, "/admin/revocations", &self.operator("admin"), Some(target))
    }

    /// An assertion about a person, never seen before.
    pub(in crate::http) fn assertion(&self, subject: &Subject, change: &Value) -> String {
        let claims = json!({ "iss": IDP, "sub": subject.as_str(), "aud": ISSUER, "jti": self.draw().to_string() });
        self.outside.assertion(&self.world, &changed(&claims, change))
    }

    /// Posts a form as a client, however it proves itself.
    pub(in crate::http) fn post(&self, path: &str, client: &Client, form: &[(&str, &str)]) -> Answer {
        self.handle(self.request(path, client, form))
    }

    pub(in crate::http) fn request(&self, path: &str, client: &Client, form: &[(&str, &str)]) -> http::Request {
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
    pub(in crate::http) fn login(&self, client: &Client, subject: &Subject) -> String {
        self.login_with(client, subject, &json!({}))
    }

    pub(in crate::http) fn login_with(&self, client: &Client, subject: &Subject, change: &Value) -> String {
        let assertion = self.assertion(subject, change);
        token_in(self.post("/token", client, &[("grant_type", JWT_BEARER), ("assertion", &assertion)]))
    }

    /// A client's own token.
    pub(in crate::http) fn machine(&self, client: &Client) -> String {
        token_in(self.post("/token", client, &[("grant_type", "client_credentials")]))
    }

    /// A client's own token from a shard that fits.
    pub(in crate::http) fn machine_at(&self, client: &Client, fits: impl Fn(Place) -> bool) -> String {
        (0..200).map(|_| self.machine(client)).find(|token| fits(place_of(token))).expect("no shard fits")
    }

    pub(in crate::http) fn exchange(&self, client: &Client, subject_token: &str, more: &[(&str, &str)]) -> Answer {
        self.handle(self.exchange_request(client, subject_token, more))
    }

    pub(in crate::http) fn exchange_request(
        &self,
        client: &Client,
        subject_token: &str,
        more: &[(&str, &str)],
    ) -> http::Request {
        let form = [("grant_type", EXCHANGE), ("subject_token", subject_token), ("subject_token_type", ACCESS_TOKEN)];
        self.request("/token", client, &[&form[..], more].concat())
    }

    /// The same with an actor.
    pub(in crate::http) fn delegate(&self, client: &Client, subject_token: &str, actor_token: &str) -> Answer {
        self.exchange(client, subject_token, &[("actor_token", actor_token), ("actor_token_type", ACCESS_TOKEN)])
    }

    pub(in crate::http) fn introspect(&self, client: &Client, token: &str) -> Answer {
        self.post("/introspect", client, &[("token", token)])
    }

    /// Whether introspection says that a token is active.
    pub(in crate::http) fn is_active(&self, client: &Client, token: &str) -> bool {
        self.introspect(client, token).expect(200)["active"].as_bool().unwrap()
    }

    pub(in crate::http) fn revoke(&self, client: &Client, token: &str) -> Answer {
        self.post("/revoke", client, &[("token", token)])
    }

    pub(in crate::http) fn userinfo(&self, token: &str) -> Answer {
        self.send(Method::GET, "/userinfo", token, None)
    }
}

pub(in crate::http) fn exchanger_metadata(change: &Value) -> Value {
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

pub(in crate::http) fn basic(client: &Client) -> String {
    format!("Basic {}", STANDARD.encode(format!("{}:{}", client.id, client.secret)))
}

pub(in crate::http) fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    value.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The same object with members replaced, or left out where the change is `null`.
pub(in crate::http) fn changed(object: &Value, change: &Value) -> Value {
    let mut object = object.as_object().unwrap().clone();
    for (name, value) in change.as_object().unwrap() {
        object.remove(name);
        if !value.is_null() {
            object.insert(name.clone(), value.clone());
        }
    }
    Value::Object(object)
}
