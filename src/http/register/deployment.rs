//! A deployment in memory and requests to it, for the tests of operator endpoints.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use crate::{
    config::Config,
    http,
    memory::{MemoryWorld, finished},
};
use ::http::{HeaderMap, Method, StatusCode, header};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use grantlog_events::Timestamp;
use serde_json::Value;

pub(in crate::http) const ISSUER: &str = "https://op.example";
const OPERATOR: &str = "operator";
const SECRET: &str = "operator-secret";
/// An instant in 2026.
pub(in crate::http) const NOW: Timestamp = Timestamp(1_770_000_000_000);

/// A deployment of four shards.
pub(in crate::http) struct Deployment {
    pub(in crate::http) world: MemoryWorld,
}

/// What came back.
#[derive(Debug)]
pub(in crate::http) struct Answer {
    pub(in crate::http) status: StatusCode,
    pub(in crate::http) headers: HeaderMap,
    pub(in crate::http) body: Value,
}

impl Answer {
    /// The body, if the status is this one.
    #[track_caller]
    pub(in crate::http) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }
}

impl Deployment {
    pub(in crate::http) fn new() -> Self {
        let key = |byte| URL_SAFE_NO_PAD.encode([byte; 32]);
        let config = Config::read(|name| {
            Some(match name {
                "ISSUER" => ISSUER.to_owned(),
                "OPERATOR_CLIENT_ID" => OPERATOR.to_owned(),
                "OPERATOR_CLIENT_SECRET" => SECRET.to_owned(),
                "KEK" => key(1),
                "LOG_KEY" => key(2),
                "NAME_KEY" => key(3),
                "LOG_SHARDS" => "4".to_owned(),
                _ => return None,
            })
        });
        Self { world: MemoryWorld::new(config.unwrap(), NOW) }
    }

    /// Sends one request as it is.
    pub(in crate::http) fn handle(&self, request: ::http::Request<Vec<u8>>) -> Answer {
        let (parts, body) = finished(http::handle(&self.world, request)).into_parts();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Sends JSON, or nothing, with a bearer token.
    pub(in crate::http) fn send(&self, method: Method, path: &str, token: &str, body: Option<&Value>) -> Answer {
        let json = if path.starts_with("/scim") { "application/scim+json" } else { "application/json; charset=utf-8" };
        let request = ::http::Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        let request = if body.is_some() { request.header(header::CONTENT_TYPE, json) } else { request };
        self.handle(request.body(body.map(|body| body.to_string().into_bytes()).unwrap_or_default()).unwrap())
    }

    /// An access token of a client's, from the token endpoint.
    pub(in crate::http) fn token(&self, client: &str, secret: &str, form: &str) -> Answer {
        let request = ::http::Request::builder()
            .method(Method::POST)
            .uri("/token")
            .header(header::AUTHORIZATION, format!("Basic {}", STANDARD.encode(format!("{client}:{secret}"))))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.handle(request.body(form.as_bytes().to_vec()).unwrap())
    }

    /// An operator's access token with this scope.
    pub(in crate::http) fn operator(&self, scope: &str) -> String {
        let body = self.token(OPERATOR, SECRET, &format!("grant_type=client_credentials&scope={scope}")).expect(200);
        body.pointer("/access_token").and_then(serde_json::Value::as_str).unwrap().to_owned()
    }

    /// Moves the clock on.
    pub(in crate::http) fn wait(&self, milliseconds: u64) {
        let now = crate::ports::World::now(&self.world);
        self.world.set_now(Timestamp(now.0 + milliseconds));
    }
}
