//! A person, an app that gets their tokens, a service that exchanges them, and one that only works for itself.

use crate::{Failure, wire};
use grantlog_tests::{AssertionIssuer, Client, Registration, Service, User};

const SCOPE: &str = "openid profile email";
/// Longer than any run.
const LIFETIME: u64 = 24 * 3_600;

pub(super) struct Stage {
    pub(super) port: u16,
    login: AssertionIssuer,
    person: User,
    app: Client,
    exchanger: Client,
    machine: Client,
}

impl Stage {
    /// On the server that `cargo xtask bench` started.
    pub(super) fn prepare() -> Result<Self, Failure> {
        Self::at(&Service::shared())
    }

    pub(super) fn at(service: &Service) -> Result<Self, Failure> {
        let port = service.issuer.rsplit(':').next().and_then(|port| port.parse().ok());
        let login = AssertionIssuer::new();
        let app = Registration::frontend("app", &login).lifetime(LIFETIME).scope(SCOPE);
        let exchanger = Registration::exchanger("exchanger", &[service.issuer.as_str()]).scope(SCOPE);
        Ok(Self {
            port: port.ok_or("the issuer names no port")?,
            person: User::create(service),
            app: app.register(service),
            exchanger: exchanger.register(service),
            machine: Registration::machine("machine").scope("read").register(service),
            login,
        })
    }

    pub(super) fn token(&self) -> String {
        self.app.token_for(&self.login, &self.person.id, SCOPE)
    }

    pub(super) fn userinfo(&self, token: &str) -> Vec<u8> {
        wire::get(self.port, "/userinfo", token)
    }

    pub(super) fn revocation(&self, token: &str) -> Vec<u8> {
        wire::form(self.port, "/revoke", &self.app, &[("token", token)])
    }

    pub(super) fn exchange(&self, token: &str) -> Vec<u8> {
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token", token),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ];
        wire::form(self.port, "/token", &self.exchanger, &form)
    }

    pub(super) fn own_grant(&self) -> Vec<u8> {
        wire::form(self.port, "/token", &self.machine, &[("grant_type", "client_credentials")])
    }
}
