//! A client that people let in, and people who can log in.

use crate::{Answer, Browser, Client, Page, Registration, Service, User, jwt, random::unique, request::encoded};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Where nobody listens, and nobody needs to.
pub const REDIRECT: &str = "https://client.example/callback";

/// The verifier of every code challenge here (RFC 7636 §4.1).
pub const VERIFIER: &str = "a-verifier-that-has-at-least-forty-three-characters";

/// A person with a password.
#[derive(Clone)]
pub struct Person {
    /// The person.
    pub user: User,
    /// The password.
    pub password: String,
}

impl Person {
    /// A new person.
    #[must_use]
    #[track_caller]
    pub fn create(service: &Service) -> Self {
        let (mark, password) = (unique(), unique());
        let mut attributes = User::attributes(&mark);
        attributes["password"] = json!(password);
        Self { user: User::create_with(service, &attributes), password }
    }
}

/// A registered client with its redirect URI.
#[derive(Clone)]
pub struct RelyingParty {
    /// The client.
    pub client: Client,
    /// Its first redirect URI.
    pub redirect_uri: String,
}

/// Tokens that a code or refresh token bought.
#[derive(Clone, Debug)]
pub struct Tokens(pub Value);

impl Tokens {
    /// The access token.
    #[must_use]
    pub fn access(&self) -> &str {
        self.text("access_token")
    }

    /// The ID token.
    #[must_use]
    pub fn id(&self) -> &str {
        self.text("id_token")
    }

    /// The refresh token.
    #[must_use]
    pub fn refresh(&self) -> &str {
        self.text("refresh_token")
    }

    /// The ID token's claims, unchecked.
    #[must_use]
    pub fn claims(&self) -> Value {
        jwt::claims(self.id())
    }

    fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_else(|| panic!("no {name} in {}", self.0))
    }
}

impl RelyingParty {
    /// A client with a secret.
    #[must_use]
    #[track_caller]
    pub fn register(service: &Service) -> Self {
        Self::with(service, &Registration::relying_party("Relying party", &[REDIRECT]))
    }

    /// A client as registered.
    #[must_use]
    #[track_caller]
    pub fn with(service: &Service, registration: &Registration) -> Self {
        let client = registration.register(service);
        let redirect_uri = client.metadata["redirect_uris"][0].as_str().expect("a redirect URI").to_owned();
        Self { client, redirect_uri }
    }

    /// The address of an authorization request; a parameter with an empty value is left out.
    #[must_use]
    pub fn request(&self, more: &[(&str, &str)]) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
        let base = [
            ("client_id", self.client.id.as_str()),
            ("redirect_uri", &self.redirect_uri),
            ("response_type", "code"),
            ("scope", "openid profile email offline_access"),
            ("state", "the state"),
            ("nonce", "the-nonce"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let kept = base.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let said = kept.chain(more).filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = said.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        format!("{}?{}", self.client.service.endpoint("authorization_endpoint"), pairs.join("&"))
    }

    /// Sends a browser to the authorization endpoint.
    #[must_use]
    #[track_caller]
    pub fn authorize(&self, browser: &Browser, more: &[(&str, &str)]) -> Page {
        browser.go(&self.request(more))
    }

    /// A code, through whatever pages come.
    #[must_use]
    #[track_caller]
    pub fn code(&self, browser: &Browser, person: &Person, more: &[(&str, &str)]) -> String {
        let page = browser.through(self.authorize(browser, more), person);
        page.sent("code").unwrap_or_else(|| panic!("no code: {}", page.location()))
    }

    /// Redeems a code.
    #[must_use]
    pub fn redeem(&self, code: &str) -> Answer {
        self.redeem_with(code, &[])
    }

    /// Redeems a code with some parameters replaced, or left out where they are empty.
    #[must_use]
    pub fn redeem_with(&self, code: &str, more: &[(&str, &str)]) -> Answer {
        let base = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        let kept = base.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let form: Vec<(&str, &str)> = kept.chain(more).filter(|(_, value)| !value.is_empty()).copied().collect();
        self.client.form("token_endpoint", &form).send()
    }

    /// Tokens, through whatever pages come.
    #[must_use]
    #[track_caller]
    pub fn tokens(&self, browser: &Browser, person: &Person, more: &[(&str, &str)]) -> Tokens {
        Tokens(self.redeem(&self.code(browser, person, more)).expect(200).json())
    }

    /// Refreshes.
    #[must_use]
    pub fn refresh(&self, token: &str) -> Answer {
        self.client.form("token_endpoint", &[("grant_type", "refresh_token"), ("refresh_token", token)]).send()
    }

    /// Whether introspection says that a token lives.
    #[must_use]
    #[track_caller]
    pub fn is_active(&self, token: &str) -> bool {
        self.client.form("introspection_endpoint", &[("token", token)]).send().expect(200).is_active()
    }
}
