//! The server, as seen from here: patient with 503, plain about everything else.

use crate::exit::{Exit, Failure};
use rustls::crypto::ring;
use std::{sync::Arc, thread, time::Duration};
use ureq::{
    Agent, Body,
    http::{Response, StatusCode, header::RETRY_AFTER},
    tls::{Certificate, RootCerts, TlsConfig},
};

/// A thousand events of the largest size, in base64 and rendered, stay below this.
const LARGEST_PAGE: u64 = 128 << 20;
const TRIES: u32 = 6;
const LONGEST_WAIT: Duration = Duration::from_mins(1);
const PATIENCE: Duration = Duration::from_mins(2);

/// An issuer, asked with one token.
pub(crate) struct Server {
    agent: Agent,
    issuer: String,
    token: String,
}

impl Server {
    pub(crate) fn at(issuer: &str, token: &str) -> Result<Self, Failure> {
        if !issuer.starts_with("https://") && !issuer.starts_with("http://") {
            return Err(Failure::new(Exit::Usage, format!("--issuer is {issuer:?}, which is not a URL.")));
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .tls_config(tls())
            .build()
            .into();
        Ok(Self { agent, issuer: issuer.trim_end_matches('/').to_owned(), token: token.to_owned() })
    }

    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Reads what is at a path; `scope` is what the token needs for it.
    pub(crate) fn get(&self, path: &str, query: &[(&str, &str)], scope: &str) -> Result<Vec<u8>, Failure> {
        self.patiently(scope, || {
            let request = self.agent.get(format!("{}{path}", self.issuer)).header("Authorization", self.bearer());
            request.query_pairs(query.iter().copied()).call()
        })
    }

    /// Posts nothing to a path and reads the answer.
    pub(crate) fn post(&self, path: &str, scope: &str) -> Result<Vec<u8>, Failure> {
        self.patiently(scope, || {
            let request = self.agent.post(format!("{}{path}", self.issuer)).header("Authorization", self.bearer());
            request.send_empty()
        })
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    fn patiently(
        &self,
        scope: &str,
        ask: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Vec<u8>, Failure> {
        for attempt in 1.. {
            let asked = ask();
            let mut response =
                asked.map_err(|error| Failure::unreadable(format!("{} cannot be reached: {error}.", self.issuer)))?;
            match response.status() {
                StatusCode::OK => return body(&mut response),
                StatusCode::SERVICE_UNAVAILABLE if attempt < TRIES => thread::sleep(wait(&response, attempt)),
                status => return Err(self.refused(status, scope)),
            }
        }
        // Invariant: the last attempt returns above.
        Err(self.refused(StatusCode::SERVICE_UNAVAILABLE, scope))
    }

    fn refused(&self, status: StatusCode, scope: &str) -> Failure {
        Failure::unreadable(match status {
            StatusCode::UNAUTHORIZED => "The token was not accepted: it is unknown, expired or revoked.".to_owned(),
            StatusCode::FORBIDDEN => format!("The token lacks the scope \"{scope}\"."),
            StatusCode::NOT_FOUND => format!("{} has no audit log or views; is it the issuer's URL?", self.issuer),
            StatusCode::SERVICE_UNAVAILABLE => {
                format!("{} could not read its log, {TRIES} times in a row; try again later.", self.issuer)
            }
            other => format!("{} answered {other}.", self.issuer),
        })
    }
}

fn body(response: &mut Response<Body>) -> Result<Vec<u8>, Failure> {
    let read = response.body_mut().with_config().limit(LARGEST_PAGE).read_to_vec();
    read.map_err(|error| Failure::unreadable(format!("The answer broke off: {error}.")))
}

/// What the server asks for, or else twice as long each time.
fn wait(response: &Response<Body>, attempt: u32) -> Duration {
    let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let doubling = Duration::from_millis(250).saturating_mul(1 << attempt.min(8));
    asked.map_or(doubling, Duration::from_secs).min(LONGEST_WAIT)
}

/// The system's own roots; an operator's private authority is trusted where the machine trusts it.
fn tls() -> TlsConfig {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<Certificate<'static>> = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
    TlsConfig::builder()
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build()
}
