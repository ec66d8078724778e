//! The usual cast: a login, a frontend that presents its assertions, a backend that exchanges, a service
//! that acts, and a person. Each test has its own, so that tests can run side by side.

use crate::{AssertionIssuer, Client, Registration, Service, User};

/// What the cast may ask for.
pub const SCOPE: &str = "openid profile email";
/// A service that the backend may call for people.
pub const ORDERS: &str = "https://orders.example";
/// Another one.
pub const STOCK: &str = "https://stock.example";

/// The cast.
#[derive(Clone)]
pub struct Cast {
    /// Where they play.
    pub service: Service,
    /// Who vouches for the person.
    pub login: AssertionIssuer,
    /// Gets the person's first token.
    pub frontend: Client,
    /// Exchanges it.
    pub backend: Client,
    /// Acts for the person.
    pub actor: Client,
    /// The person.
    pub user: User,
}

impl Cast {
    /// A fresh cast; tokens live ten minutes.
    #[must_use]
    pub fn of(service: &Service) -> Self {
        let login = AssertionIssuer::new();
        let audiences = [service.issuer.as_str(), ORDERS, STOCK];
        Self {
            service: service.clone(),
            frontend: Registration::frontend("frontend", &login).scope(SCOPE).register(service),
            backend: Registration::exchanger("backend", &audiences).scope(SCOPE).register(service),
            actor: Registration::machine("actor").scope("openid").register(service),
            user: User::create(service),
            login,
        }
    }

    /// On the shared server.
    #[must_use]
    pub fn on_shared() -> Self {
        Self::of(&Service::shared())
    }

    /// A first token of the person, with all of the scope.
    #[must_use]
    #[track_caller]
    pub fn first_token(&self) -> String {
        self.frontend.token_for(&self.login, &self.user.id, SCOPE)
    }

    /// A token exchanged from this one, for the service itself and on behalf of the actor.
    #[must_use]
    #[track_caller]
    pub fn delegated(&self, token: &str) -> String {
        self.backend.exchange(token).actor(&self.actor.own_token("openid")).audience(&self.service.issuer).token()
    }

    /// A token exchanged from this one, for the service itself, without an actor.
    #[must_use]
    #[track_caller]
    pub fn impersonated(&self, token: &str) -> String {
        self.backend.exchange(token).audience(&self.service.issuer).token()
    }

    /// Stops the test unless every endpoint refuses this token of `client` at once.
    #[track_caller]
    pub fn must_be_dead(&self, client: &Client, token: &str) {
        client.introspect(token).must_be_inactive();
        self.backend.exchange(token).audience(&self.service.issuer).send().must_refuse(400, "invalid_request");
        self.service.userinfo(token).send().must_challenge(401, "invalid_token");
    }

    /// Stops the test unless every endpoint takes this token of `client`.
    #[track_caller]
    pub fn must_live(&self, client: &Client, token: &str) {
        let answer = client.introspect(token).expect(200);
        assert!(answer.is_active(), "expected active, got {answer:?}");
        let claims = self.service.userinfo(token).send().expect(200).json();
        assert_eq!(claims["sub"].as_str(), Some(self.user.id.as_str()));
    }
}
