//! A running service: its endpoints as discovery names them, and its operator.

use crate::{Request, environment};
use serde_json::Value;
use std::time::Duration;
use ureq::Agent;

/// A service under test.
#[derive(Clone)]
pub struct Service {
    agent: Agent,
    /// Its issuer.
    pub issuer: String,
    metadata: Value,
    operator: (String, String),
}

impl Service {
    /// The server that `cargo xtask` started for these tests.
    #[must_use]
    pub fn shared() -> Self {
        Self::at(&environment::issuer(), environment::operator())
    }

    /// The service with this issuer; stops the test if discovery does not answer.
    #[must_use]
    pub fn at(issuer: &str, operator: (String, String)) -> Self {
        let agent = agent();
        let url = format!("{issuer}/.well-known/openid-configuration");
        let metadata = Request::new(&agent, "GET", &url).send().expect(200).json();
        assert_eq!(metadata["issuer"], issuer, "discovery must name the issuer it was asked for (OIDC Discovery §4.3)");
        Self { agent, issuer: issuer.to_owned(), metadata, operator }
    }

    /// The URL that discovery gives for an endpoint, as in `token_endpoint`.
    #[must_use]
    pub fn endpoint(&self, name: &str) -> String {
        self.metadata[name].as_str().unwrap_or_else(|| panic!("discovery has no {name}")).to_owned()
    }

    /// The URL of a path of the service.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.issuer)
    }

    /// The discovery document.
    #[must_use]
    pub fn metadata(&self) -> &Value {
        &self.metadata
    }

    /// A request of any method to any URL.
    #[must_use]
    pub fn request(&self, method: &str, url: &str) -> Request {
        Request::new(&self.agent, method, url)
    }

    /// `GET` of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Request {
        self.request("GET", &self.url(path))
    }

    /// `POST` to a path.
    #[must_use]
    pub fn post(&self, path: &str) -> Request {
        self.request("POST", &self.url(path))
    }

    /// `POST` to an endpoint of discovery.
    #[must_use]
    pub fn post_to(&self, endpoint: &str) -> Request {
        self.request("POST", &self.endpoint(endpoint))
    }

    /// `GET` of `/userinfo` with this token.
    #[must_use]
    pub fn userinfo(&self, token: &str) -> Request {
        self.request("GET", &self.endpoint("userinfo_endpoint")).bearer(token)
    }

    /// The JWK set.
    #[must_use]
    pub fn jwks(&self) -> Value {
        self.request("GET", &self.endpoint("jwks_uri")).send().expect(200).json()
    }

    /// A token of the operator with this scope.
    #[must_use]
    #[track_caller]
    pub fn operator_token(&self, scope: &str) -> String {
        let form = [("grant_type", "client_credentials"), ("scope", scope)];
        let (id, secret) = &self.operator;
        self.post_to("token_endpoint").basic(id, secret).form(&form).send().expect(200).access_token()
    }

    /// The operator's id and secret.
    #[must_use]
    pub fn operator(&self) -> &(String, String) {
        &self.operator
    }

    /// `POST /admin/revocations` with this body.
    #[must_use]
    pub fn revoke_all(&self, of: &Value) -> crate::Answer {
        self.post("/admin/revocations").bearer(&self.operator_token("admin")).json(of).send()
    }
}

/// Keeps connections for threads to share; a connection idle for longer may just be closing.
fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_idle_connections(64)
        .max_idle_connections_per_host(64)
        .max_idle_age(Duration::from_secs(2))
        .timeout_global(Some(Duration::from_mins(1)))
        .user_agent("grantlog-tests")
        .build()
        .into()
}
