//! Who takes part: people, a login that vouches for them, frontends, five service clients and three actors.

use crate::THREADS;
use grantlog_tests::{AssertionIssuer, Client, Registration, Service, User, parallel};
use serde_json::json;

pub(crate) const SCOPES: [&str; 4] =
    ["openid", "openid profile", "openid profile email", "openid profile email address phone"];
const EVERY_SCOPE: &str = "openid profile email address phone";
const PEOPLE: usize = 64;
const SERVICES: usize = 5;
const ACTORS: usize = 3;
const AUDIENCES: usize = 20;
const RESOURCES: usize = 10;

pub(crate) struct Population {
    pub(crate) service: Service,
    pub(crate) login: AssertionIssuer,
    pub(crate) frontend: Client,
    /// Its tokens live one second.
    pub(crate) brief_frontend: Client,
    pub(crate) services: Vec<Client>,
    pub(crate) actors: Vec<Client>,
    pub(crate) people: Vec<User>,
    pub(crate) audiences: Vec<String>,
    pub(crate) resources: Vec<String>,
}

impl Population {
    pub(crate) fn of(service: &Service) -> Self {
        let login = AssertionIssuer::new();
        let audiences: Vec<String> = (0..AUDIENCES).map(|n| format!("https://audience-{n}.example")).collect();
        let resources: Vec<String> = (0..RESOURCES).map(|n| format!("https://resource-{n}.example/api")).collect();
        let policy = json!({
            "audiences": audiences, "resources": resources, "impersonation": true, "actors": "any", "subject_clients": "any",
        });
        let exchanger =
            |n| Registration::exchanger(&format!("service {n}"), &[]).policy(policy.clone()).scope(EVERY_SCOPE);
        let frontend = Registration::frontend("frontend of the mix", &login).scope(EVERY_SCOPE);
        Self {
            frontend: frontend.clone().register(service),
            brief_frontend: frontend.lifetime(1).register(service),
            services: (0..SERVICES).map(|n| exchanger(n).register(service)).collect(),
            actors: (0..ACTORS)
                .map(|n| Registration::machine(&format!("actor {n}")).scope("openid").register(service))
                .collect(),
            people: parallel::each(THREADS, &[(); PEOPLE], |_, ()| User::create(service)),
            service: service.clone(),
            login,
            audiences,
            resources,
        }
    }
}
