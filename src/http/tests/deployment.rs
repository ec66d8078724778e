//! A deployment in memory, of eight shards, and requests to it: what every test of the HTTP layer stands on.

mod cast;
mod reading;

pub(in crate::http) use cast::{Client, basic, changed, encoded, exchanger_metadata};
pub(in crate::http) use reading::{claims, jti_of, part, place_of, refusal, token_in};

use super::signing::Signer;
use crate::{config::Config, http, memory::MemoryWorld, ports::World};
use ::http::{HeaderMap, Method, StatusCode, header};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use grantlog_events::{Place, Timestamp};
use serde_json::Value;
use std::{cell::Cell, collections::BTreeMap, rc::Rc};

pub(in crate::http) const ISSUER: &str = "https://op.example";
/// An instant in 2026.
pub(in crate::http) const NOW: Timestamp = Timestamp(1_770_000_000_000);
pub(in crate::http) const SHARDS: u32 = 8;
pub(in crate::http) const IDP: &str = "https://idp.example";
pub(in crate::http) const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
pub(in crate::http) const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
pub(in crate::http) const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const OPERATOR: &str = "operator";
const SECRET: &str = "operator-secret";

/// A deployment, and the party outside that vouches for people and clients.
pub(in crate::http) struct Service {
    pub(in crate::http) world: MemoryWorld,
    pub(in crate::http) outside: Signer,
    drawn: Rc<Cell<u32>>,
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

impl Service {
    /// Opened, with nobody in it.
    pub(in crate::http) fn new() -> Self {
        Self::with(&[])
    }

    /// Opened with some values of its configuration set.
    pub(in crate::http) fn with(values: &[(&str, &str)]) -> Self {
        let service = Self::unopened(values);
        service.get("/healthz").expect(200);
        service
    }

    /// As it is before its first request.
    pub(in crate::http) fn unopened(values: &[(&str, &str)]) -> Self {
        let world = MemoryWorld::new(config(values), NOW);
        Self { outside: Signer::new(&world), world, drawn: Rc::default() }
    }

    /// The same deployment from another isolate.
    pub(in crate::http) fn elsewhere(&self) -> Self {
        Self { world: self.world.new_isolate(), outside: self.outside.clone(), drawn: Rc::clone(&self.drawn) }
    }

    /// The same from another isolate, far from where views are written.
    pub(in crate::http) fn far_away(&self) -> Self {
        Self { world: self.world.far_away(), outside: self.outside.clone(), drawn: Rc::clone(&self.drawn) }
    }

    /// A number that this deployment has not drawn yet.
    pub(in crate::http) fn draw(&self) -> u32 {
        self.drawn.set(self.drawn.get() + 1);
        self.drawn.get()
    }

    /// Sends one request as it is.
    pub(in crate::http) fn handle(&self, request: http::Request) -> Answer {
        let (parts, body) = self.world.finished(http::handle(&self.world, request)).into_parts();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(in crate::http) fn get(&self, path: &str) -> Answer {
        self.handle(::http::Request::get(path).body(Vec::new()).unwrap())
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
        let request = ::http::Request::post("/token")
            .header(header::AUTHORIZATION, format!("Basic {}", STANDARD.encode(format!("{client}:{secret}"))))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.handle(request.body(form.as_bytes().to_vec()).unwrap())
    }

    /// An operator's access token with this scope.
    pub(in crate::http) fn operator(&self, scope: &str) -> String {
        token_in(self.token(OPERATOR, SECRET, &format!("grant_type=client_credentials&scope={scope}")))
    }

    /// Moves the clock on.
    pub(in crate::http) fn wait(&self, milliseconds: u64) {
        self.world.set_now(Timestamp(self.world.now().0 + milliseconds));
    }

    /// Makes the isolate a new one.
    pub(in crate::http) fn forget(&self) {
        self.world.memory().forget();
    }

    /// The length of every log.
    pub(in crate::http) fn heads(&self) -> BTreeMap<Place, u64> {
        let length = |place: Place| (place, self.world.shard(place).head().unwrap().next);
        self.world.places().into_iter().map(length).collect()
    }

    /// Lets every alarm ring, until nothing is left to do: half a minute later no write that failed lands any more.
    pub(in crate::http) fn ring_alarms(&self) {
        if self.world.finished(self.world.ring_alarms()).is_err() {
            self.wait(30_000);
            self.world.finished(self.world.ring_alarms()).unwrap();
        }
    }
}

fn config(values: &[(&str, &str)]) -> Config {
    let key = |byte| URL_SAFE_NO_PAD.encode([byte; 32]);
    let set = |name: &str| values.iter().find(|(held, _)| *held == name).map(|(_, value)| (*value).to_owned());
    let config = Config::read(|name| {
        set(name).or_else(|| {
            Some(match name {
                "ISSUER" => ISSUER.to_owned(),
                "OPERATOR_CLIENT_ID" => OPERATOR.to_owned(),
                "OPERATOR_CLIENT_SECRET" => SECRET.to_owned(),
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
