//! A registered client: authenticates itself and asks for tokens, introspections and revocations.

use crate::{
    Answer, Request, Service,
    exchange::Exchange,
    issuer::{AssertionIssuer, assertion_claims},
    key::KeyPair,
};
use serde_json::{Value, json};

/// The grant types as they are written.
pub mod grant {
    /// RFC 6749 §4.4.
    pub const CLIENT_CREDENTIALS: &str = "client_credentials";
    /// RFC 7523 §2.1.
    pub const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    /// RFC 6749 §4.1.
    pub const AUTHORIZATION_CODE: &str = "authorization_code";
    /// RFC 6749 §6.
    pub const REFRESH_TOKEN: &str = "refresh_token";
    /// RFC 8693 §2.1.
    pub const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
}

/// RFC 7523 §2.2.
pub const CLIENT_ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// How a client proves itself.
#[derive(Clone)]
pub enum Authentication {
    /// A secret in HTTP Basic.
    Basic(String),
    /// A secret in the body.
    Post(String),
    /// A signed assertion, fresh each time.
    PrivateKey(Box<KeyPair>),
    /// Not at all: a public client only says who it is.
    Nothing,
}

/// A registered client.
#[derive(Clone)]
pub struct Client {
    /// Where it is registered.
    pub service: Service,
    /// Its id.
    pub id: String,
    /// How it proves itself.
    pub authentication: Authentication,
    /// Where its registration is managed.
    pub configuration_uri: String,
    /// With what its registration is managed.
    pub registration_token: String,
    /// What registering answered.
    pub metadata: Value,
}

impl Client {
    /// Its secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        match &self.authentication {
            Authentication::Basic(secret) | Authentication::Post(secret) => secret,
            Authentication::PrivateKey(_) | Authentication::Nothing => panic!("this client has no secret"),
        }
    }

    /// An authenticated form to an endpoint of discovery.
    #[must_use]
    pub fn form(&self, endpoint: &str, parameters: &[(&str, &str)]) -> Request {
        let request = self.service.post_to(endpoint);
        let mut form: Vec<(String, String)> = owned(parameters);
        match &self.authentication {
            Authentication::Basic(secret) => return request.basic(&self.id, secret).form(&form),
            Authentication::Post(secret) => form.extend(owned(&[("client_id", &self.id), ("client_secret", secret)])),
            Authentication::Nothing => form.extend(owned(&[("client_id", &self.id)])),
            Authentication::PrivateKey(_) => {
                let assertion = self.assertion();
                form.extend(owned(&[
                    ("client_assertion_type", CLIENT_ASSERTION_TYPE),
                    ("client_assertion", &assertion),
                ]));
            }
        }
        request.form(&form)
    }

    /// A fresh assertion that proves this client.
    #[must_use]
    pub fn assertion(&self) -> String {
        self.sign_assertion(&self.assertion_claims())
    }

    /// The claims of such an assertion, to be changed.
    #[must_use]
    pub fn assertion_claims(&self) -> Value {
        assertion_claims(&self.id, &self.id, &self.service.issuer)
    }

    /// Signs any claims with the client's key.
    #[must_use]
    pub fn sign_assertion(&self, claims: &Value) -> String {
        match &self.authentication {
            Authentication::PrivateKey(key) => key.sign("JWT", claims),
            Authentication::Basic(_) | Authentication::Post(_) | Authentication::Nothing => {
                panic!("this client has no key")
            }
        }
    }

    /// Asks for a token of its own.
    #[must_use]
    pub fn client_credentials(&self, scope: &str) -> Answer {
        self.form("token_endpoint", &[("grant_type", grant::CLIENT_CREDENTIALS), ("scope", scope)]).send()
    }

    /// A token of its own; stops the test if it is refused.
    #[must_use]
    #[track_caller]
    pub fn own_token(&self, scope: &str) -> String {
        self.client_credentials(scope).expect(200).access_token()
    }

    /// Presents an assertion.
    #[must_use]
    pub fn present(&self, assertion: &str, scope: &str) -> Answer {
        let form = [("grant_type", grant::JWT_BEARER), ("assertion", assertion), ("scope", scope)];
        self.form("token_endpoint", &form).send()
    }

    /// A person's token, by a fresh assertion; stops the test if it is refused.
    #[must_use]
    #[track_caller]
    pub fn token_for(&self, issuer: &AssertionIssuer, subject: &str, scope: &str) -> String {
        self.present(&issuer.assertion(&self.service.issuer, subject), scope).expect(200).access_token()
    }

    /// The exchange of this token, to be completed and sent.
    #[must_use]
    pub fn exchange(&self, subject_token: &str) -> Exchange<'_> {
        Exchange::of(self, subject_token)
    }

    /// Introspects a token (RFC 7662).
    #[must_use]
    pub fn introspect(&self, token: &str) -> Answer {
        self.form("introspection_endpoint", &[("token", token)]).send()
    }

    /// Revokes a token (RFC 7009).
    #[must_use]
    pub fn revoke(&self, token: &str) -> Answer {
        self.form("revocation_endpoint", &[("token", token)]).send()
    }

    /// A request to manage its registration with the registration access token (RFC 7592).
    #[must_use]
    pub fn manage(&self, method: &str) -> Request {
        self.service.request(method, &self.configuration_uri).bearer(&self.registration_token)
    }

    /// Its metadata as an update must repeat it, without what only the server says.
    #[must_use]
    pub fn update(&self) -> Value {
        let mut metadata = self.metadata.clone();
        let members = metadata.as_object_mut().expect("metadata is an object");
        for said in
            ["registration_access_token", "registration_client_uri", "client_id_issued_at", "client_secret_expires_at"]
        {
            members.remove(said);
        }
        metadata
    }

    /// The same client with another secret.
    #[must_use]
    pub fn with_secret(&self, secret: &str) -> Self {
        let mut metadata = self.metadata.clone();
        metadata["client_secret"] = json!(secret);
        Self { authentication: Authentication::Basic(secret.to_owned()), metadata, ..self.clone() }
    }

    /// Rotates the secret; answers with the client that knows the new one.
    #[must_use]
    #[track_caller]
    pub fn rotated(&self) -> Self {
        let mut update = self.update();
        update["rotate_client_secret"] = json!(true);
        let answer = self.manage("PUT").json(&update).send().expect(200);
        let registration_token = answer.json()["registration_access_token"]
            .as_str()
            .map_or_else(|| self.registration_token.clone(), str::to_owned);
        Self { registration_token, ..self.with_secret(&answer.text("client_secret")) }
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
