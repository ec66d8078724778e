//! A token exchange (RFC 8693 §2.1) in the making.

use crate::{Answer, Client, Request, client::grant};

/// The type of a token that is an access token (RFC 8693 §3).
pub const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// An exchange that was not asked for yet.
#[derive(Clone)]
pub struct Exchange<'a> {
    client: &'a Client,
    form: Vec<(&'a str, String)>,
}

impl<'a> Exchange<'a> {
    pub(crate) fn of(client: &'a Client, subject_token: &str) -> Self {
        let exchange = Self { client, form: Vec::new() };
        exchange
            .with("grant_type", grant::TOKEN_EXCHANGE)
            .with("subject_token", subject_token)
            .with("subject_token_type", ACCESS_TOKEN)
    }

    /// With this actor.
    #[must_use]
    pub fn actor(self, token: &str) -> Self {
        self.with("actor_token", token).with("actor_token_type", ACCESS_TOKEN)
    }

    /// For this audience; may repeat.
    #[must_use]
    pub fn audience(self, audience: &str) -> Self {
        self.with("audience", audience)
    }

    /// For this resource; may repeat.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        self.with("resource", resource)
    }

    /// With this scope.
    #[must_use]
    pub fn scope(self, scope: &str) -> Self {
        self.with("scope", scope)
    }

    /// With any parameter, also one that is there already.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: &str) -> Self {
        self.form.push((name, value.to_owned()));
        self
    }

    /// With another value for a parameter that is there.
    #[must_use]
    pub fn replacing(mut self, name: &'a str, value: &str) -> Self {
        self.form.retain(|(held, _)| *held != name);
        self.with(name, value)
    }

    /// The request, for a test that adds to it.
    #[must_use]
    pub fn request(&self) -> Request {
        let form: Vec<(&str, &str)> = self.form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.client.form("token_endpoint", &form)
    }

    /// Asks.
    #[must_use]
    #[track_caller]
    pub fn send(&self) -> Answer {
        self.request().send()
    }

    /// The new token; stops the test if the exchange is refused.
    #[must_use]
    #[track_caller]
    pub fn token(&self) -> String {
        self.send().expect(200).access_token()
    }
}
