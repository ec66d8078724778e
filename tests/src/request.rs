//! One request, built step by step, that can also be built wrong.

use crate::answer::Answer;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;
use std::{fmt::Write, io::Read};
use ureq::{Agent, Body, http};

const LARGEST_ANSWER: u64 = 64 << 20;

/// A request that was not sent yet.
#[derive(Clone)]
pub struct Request {
    agent: Agent,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request {
    /// A request without body or headers.
    #[must_use]
    pub fn new(agent: &Agent, method: &str, url: &str) -> Self {
        Self { agent: agent.clone(), method: method.to_owned(), url: url.to_owned(), headers: Vec::new(), body: None }
    }

    /// With a header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a bearer token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// With HTTP Basic, its halves encoded as RFC 6749 §2.3.1 wants them.
    #[must_use]
    pub fn basic(self, id: &str, secret: &str) -> Self {
        let joined = format!("{}:{}", encoded(id), encoded(secret));
        self.header("authorization", &format!("Basic {}", STANDARD.encode(joined)))
    }

    /// With a form, whose names may repeat.
    #[must_use]
    pub fn form<N: AsRef<str>, V: AsRef<str>>(self, parameters: &[(N, V)]) -> Self {
        let pairs: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{}={}", encoded(name.as_ref()), encoded(value.as_ref())))
            .collect();
        self.content("application/x-www-form-urlencoded", pairs.join("&").into_bytes())
    }

    /// With a JSON body.
    #[must_use]
    pub fn json(self, value: &Value) -> Self {
        self.content("application/json", value.to_string().into_bytes())
    }

    /// With any body of any type.
    #[must_use]
    pub fn content(mut self, content_type: &str, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self.header("content-type", content_type)
    }

    /// Sends it and reads the answer; stops the test if there is none.
    #[must_use]
    #[track_caller]
    pub fn send(self) -> Answer {
        let asked = format!("{} {}", self.method, self.url);
        self.try_send().unwrap_or_else(|error| panic!("no answer to {asked}: {error}"))
    }

    /// Sends it; the error is that of a connection, never that of a status.
    pub fn try_send(self) -> Result<Answer, ureq::Error> {
        let asked = format!("{} {}", self.method, self.url);
        let mut builder = http::Request::builder().method(self.method.as_str()).uri(&self.url);
        for (name, value) in &self.headers {
            builder = builder.header(name, value);
        }
        let response = match self.body {
            Some(body) => self.agent.run(builder.body(body)?)?,
            None => self.agent.run(builder.body(())?)?,
        };
        read(response, asked)
    }
}

fn read(response: http::Response<Body>, asked: String) -> Result<Answer, ureq::Error> {
    let (parts, mut body) = response.into_parts();
    let mut bytes = Vec::new();
    body.with_config().limit(LARGEST_ANSWER).reader().read_to_end(&mut bytes).map_err(ureq::Error::Io)?;
    Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body: bytes, asked })
}

/// Percent-encoding of everything but RFC 3986's unreserved characters.
#[must_use]
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("a String takes every character");
        }
    }
    out
}
