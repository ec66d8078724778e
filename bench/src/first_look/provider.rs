//! The served release build, with everything registered and issued that its loads need.

use crate::{Failure, connection::Connection, load::Scenario, wire, workerd::Workerd};
use grantlog_tests::{AssertionIssuer, Client, Registration, Service, User, jwt};
use serde_json::{Value, json};

/// People, each at home on a shard of their own choice.
const PEOPLE: usize = 16;
const SCOPE: &str = "openid profile email";
/// Longer than any run.
const LIFETIME: u64 = 24 * 3_600;

/// The service, the clients that load it, and the tokens they load it with.
pub(crate) struct Provider {
    port: u16,
    es256: Side,
    rs256: Side,
}

/// The clients whose tokens have one algorithm, and those tokens.
struct Side {
    exchanger: Client,
    tokens: Vec<String>,
}

impl Provider {
    pub(crate) fn prepare() -> Result<Self, Failure> {
        let service = Service::shared();
        let login = AssertionIssuer::new();
        let people: Vec<User> = (0..PEOPLE).map(|_| User::create(&service)).collect();
        let port = service.issuer.rsplit(':').next().and_then(|port| port.parse().ok());
        Ok(Self {
            port: port.ok_or("the issuer names no port")?,
            es256: Side::prepare("ES256", &service, &login, &people),
            rs256: Side::prepare("RS256", &service, &login, &people),
        })
    }

    /// The claims of the tokens, so that those of the floors are as long.
    pub(crate) fn claims(&self) -> Vec<Value> {
        self.es256.tokens.iter().map(|token| jwt::claims(token)).collect()
    }

    /// What a userinfo answers with.
    pub(crate) fn view(&self) -> Result<String, Failure> {
        let mut connection = Connection::open(self.port)?;
        let token = self.es256.tokens.first().ok_or("no token")?;
        connection.ask(&wire::get(self.port, "/userinfo", token))?;
        Ok(connection.body())
    }

    pub(crate) fn scenarios(&self) -> Result<Vec<Scenario>, Failure> {
        let (port, workerd) = (self.port, Workerd::listening_on(self.port)?);
        let scenario = |name, requests| Scenario { name, port, workerd, requests };
        Ok(vec![
            scenario("userinfo ES256", self.es256.userinfos(port)),
            scenario("userinfo RS256", self.rs256.userinfos(port)),
            scenario("exchange ES256", self.es256.exchanges(port)),
            scenario("exchange RS256", self.rs256.exchanges(port)),
            scenario("introspect ES256", self.es256.introspections(port)),
            scenario("introspect RS256", self.rs256.introspections(port)),
        ])
    }
}

impl Side {
    fn prepare(algorithm: &str, service: &Service, login: &AssertionIssuer, people: &[User]) -> Self {
        let frontend = Registration::frontend("frontend", login).algorithm(algorithm).lifetime(LIFETIME).scope(SCOPE);
        let frontend = frontend.register(service);
        let exchanger = Registration::exchanger("exchanger", &[]).algorithm(algorithm).scope(SCOPE).policy(policy());
        let tokens = people.iter().map(|person| frontend.token_for(login, &person.id, SCOPE)).collect();
        Self { exchanger: exchanger.register(service), tokens }
    }

    fn userinfos(&self, port: u16) -> Vec<Vec<u8>> {
        self.tokens.iter().map(|token| wire::get(port, "/userinfo", token)).collect()
    }

    fn exchanges(&self, port: u16) -> Vec<Vec<u8>> {
        let access_token = "urn:ietf:params:oauth:token-type:access_token";
        let form = |(number, token): (usize, &String)| {
            let (audience, resource) = (audience(number), resource(number % RESOURCES));
            let parameters = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
                ("subject_token", token),
                ("subject_token_type", access_token),
                ("audience", &audience),
                ("resource", &resource),
                ("scope", "openid profile"),
            ];
            wire::form(port, "/token", &self.exchanger, &parameters)
        };
        self.tokens.iter().enumerate().map(form).collect()
    }

    fn introspections(&self, port: u16) -> Vec<Vec<u8>> {
        let form = |token: &String| wire::form(port, "/introspect", &self.exchanger, &[("token", token)]);
        self.tokens.iter().map(form).collect()
    }
}

const AUDIENCES: usize = 20;
const RESOURCES: usize = 10;

fn policy() -> Value {
    json!({
        "audiences": (0..AUDIENCES).map(audience).collect::<Vec<_>>(),
        "resources": (0..RESOURCES).map(resource).collect::<Vec<_>>(),
        "impersonation": true, "actors": "any", "subject_clients": "any",
    })
}

fn audience(number: usize) -> String {
    format!("https://service-{number:02}.example")
}

fn resource(number: usize) -> String {
    format!("https://service-{number:02}.example/orders")
}
