//! Registering a client (RFC 7591), with the metadata that a test needs and no more.

use crate::{
    Answer, AssertionIssuer, Client, Service,
    client::{Authentication, grant},
    key::KeyPair,
};
use serde_json::{Map, Value, json};

/// Metadata in the making.
#[derive(Clone)]
pub struct Registration {
    metadata: Map<String, Value>,
    key: Option<KeyPair>,
}

impl Registration {
    /// A client of this name that may use no grant yet, and authenticates with HTTP Basic.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let mut metadata = Map::new();
        metadata.insert("client_name".to_owned(), json!(name));
        metadata.insert("grant_types".to_owned(), json!([]));
        metadata.insert("token_endpoint_auth_method".to_owned(), json!("client_secret_basic"));
        Self { metadata, key: None }
    }

    /// A frontend: presents assertions of this issuer.
    #[must_use]
    pub fn frontend(name: &str, issuer: &AssertionIssuer) -> Self {
        Self::named(name).grant(grant::JWT_BEARER).with("assertion_issuers", json!([issuer.metadata()]))
    }

    /// A backend: exchanges anybody's tokens with any actor and also without, for these audiences.
    #[must_use]
    pub fn exchanger(name: &str, audiences: &[&str]) -> Self {
        Self::named(name).grant(grant::TOKEN_EXCHANGE).policy(json!({
            "audiences": audiences, "impersonation": true, "actors": "any", "subject_clients": "any",
        }))
    }

    /// A relying party: people let it in, and it refreshes.
    #[must_use]
    pub fn relying_party(name: &str, redirect_uris: &[&str]) -> Self {
        Self::named(name)
            .grant(grant::AUTHORIZATION_CODE)
            .grant(grant::REFRESH_TOKEN)
            .scope("openid profile email address phone offline_access")
            .with("redirect_uris", json!(redirect_uris))
    }

    /// A machine: asks for tokens of its own.
    #[must_use]
    pub fn machine(name: &str) -> Self {
        Self::named(name).grant(grant::CLIENT_CREDENTIALS)
    }

    /// With one grant type more.
    #[must_use]
    pub fn grant(mut self, grant_type: &str) -> Self {
        let held = self.metadata["grant_types"].as_array_mut().expect("grant_types is a list");
        held.push(json!(grant_type));
        self
    }

    /// With this scope.
    #[must_use]
    pub fn scope(self, scope: &str) -> Self {
        self.with("scope", json!(scope))
    }

    /// With this exchange policy.
    #[must_use]
    pub fn policy(self, policy: Value) -> Self {
        self.with("token_exchange", policy)
    }

    /// With access tokens that live this many seconds.
    #[must_use]
    pub fn lifetime(self, seconds: u64) -> Self {
        self.with("access_token_lifetime", json!(seconds))
    }

    /// With tokens signed by this algorithm.
    #[must_use]
    pub fn algorithm(self, algorithm: &str) -> Self {
        self.with("access_token_signed_response_alg", json!(algorithm))
    }

    /// Authenticates with the secret in the body.
    #[must_use]
    pub fn secret_in_body(self) -> Self {
        self.with("token_endpoint_auth_method", json!("client_secret_post"))
    }

    /// Authenticates with assertions that this key signs.
    #[must_use]
    pub fn private_key(mut self, key: KeyPair) -> Self {
        let jwks = key.jwks();
        self.key = Some(key);
        self.with("token_endpoint_auth_method", json!("private_key_jwt")).with("jwks", jwks)
    }

    /// With any member.
    #[must_use]
    pub fn with(mut self, member: &str, value: Value) -> Self {
        self.metadata.insert(member.to_owned(), value);
        self
    }

    /// The metadata as JSON.
    #[must_use]
    pub fn metadata(&self) -> Value {
        Value::Object(self.metadata.clone())
    }

    /// Asks for the registration; the answer may be a refusal.
    #[must_use]
    pub fn send(&self, service: &Service) -> Answer {
        let token = service.operator_token("client:register");
        service.post_to("registration_endpoint").bearer(&token).json(&self.metadata()).send()
    }

    /// Registers; stops the test if that is refused.
    #[must_use]
    #[track_caller]
    pub fn register(&self, service: &Service) -> Client {
        let answer = self.send(service).expect(201);
        let authentication = match (&self.key, self.metadata["token_endpoint_auth_method"].as_str()) {
            (Some(key), _) => Authentication::PrivateKey(Box::new(key.clone())),
            (None, Some("client_secret_post")) => Authentication::Post(answer.text("client_secret")),
            (None, Some("none")) => Authentication::Nothing,
            (None, _) => Authentication::Basic(answer.text("client_secret")),
        };
        Client {
            service: service.clone(),
            id: answer.text("client_id"),
            authentication,
            configuration_uri: answer.text("registration_client_uri"),
            registration_token: answer.text("registration_access_token"),
            metadata: answer.json(),
        }
    }
}
