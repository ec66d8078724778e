//! A browser without scripts: it keeps cookies and fills in forms.

use super::super::deployment::{Client, Service, basic, encoded};
use crate::{http, memory::finished};
use ::http::{HeaderMap, StatusCode, header};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Digest, Subject};
use serde_json::{Value, json};
use std::{cell::RefCell, collections::BTreeMap};

pub(in crate::http::tests) const REDIRECT: &str = "https://app.example/cb";
pub(in crate::http::tests) const VERIFIER: &str = "a-verifier-of-at-least-forty-three-characters";
pub(in crate::http::tests) const PASSWORD: &str = "correct horse battery staple";

/// A person with a password.
#[derive(Clone, Debug)]
pub(in crate::http::tests) struct Person {
    pub(in crate::http::tests) subject: Subject,
    pub(in crate::http::tests) username: String,
}

/// What the browser shows.
#[derive(Debug)]
pub(in crate::http::tests) struct Page {
    pub(in crate::http::tests) status: StatusCode,
    pub(in crate::http::tests) headers: HeaderMap,
    pub(in crate::http::tests) html: String,
}

impl Page {
    /// Where the browser is sent.
    #[track_caller]
    pub(in crate::http::tests) fn location(&self) -> &str {
        let location = self.headers.get(header::LOCATION).unwrap_or_else(|| panic!("stays: {}", self.html));
        location.to_str().unwrap()
    }

    /// A parameter of where the browser is sent.
    #[track_caller]
    pub(in crate::http::tests) fn sent(&self, name: &str) -> Option<String> {
        query_of(self.location()).remove(name)
    }

    /// The hidden challenge of the page's form.
    #[track_caller]
    pub(in crate::http::tests) fn challenge(&self) -> String {
        let (_, rest) = self.html.split_once("name=\"challenge\"").unwrap_or_else(|| panic!("no form: {}", self.html));
        let (_, rest) = rest.split_once("value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    pub(in crate::http::tests) fn is_at(&self, action: &str) -> bool {
        self.html.contains(&format!("action=\"{action}\""))
    }
}

/// The parameters after `?` or `#`, decoded.
pub(in crate::http::tests) fn query_of(uri: &str) -> BTreeMap<String, String> {
    let query = uri.split_once(['?', '#']).map_or("", |(_, query)| query);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex: String = rest.by_ref().take(2).map(char::from).collect();
            bytes.push(u8::from_str_radix(&hex, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The code challenge of [`VERIFIER`].
pub(in crate::http::tests) fn s256() -> String {
    URL_SAFE_NO_PAD.encode(Digest::of(VERIFIER.as_bytes()).0)
}

/// A browser.
pub(in crate::http::tests) struct Browser<'a> {
    service: &'a Service,
    address: Option<&'static str>,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl<'a> Browser<'a> {
    pub(in crate::http::tests) fn new(service: &'a Service) -> Self {
        Self { service, address: None, cookies: RefCell::default() }
    }

    /// The same, coming from this address as the platform tells it.
    pub(in crate::http::tests) fn at(self, address: Option<&'static str>) -> Self {
        Self { address, ..self }
    }

    pub(in crate::http::tests) fn get(&self, path: &str) -> Page {
        self.send(::http::Request::get(path).body(Vec::new()).unwrap())
    }

    pub(in crate::http::tests) fn post(&self, path: &str, form: &[(&str, &str)]) -> Page {
        let body: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let request = ::http::Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(body.join("&").into_bytes()).unwrap())
    }

    /// A request with the browser's cookies.
    pub(in crate::http::tests) fn with_cookies(&self, request: ::http::request::Builder) -> ::http::Request<Vec<u8>> {
        self.dressed(request.body(Vec::new()).unwrap())
    }

    fn dressed(&self, mut request: ::http::Request<Vec<u8>>) -> ::http::Request<Vec<u8>> {
        let cookies: Vec<String> =
            self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request.headers_mut().insert(header::COOKIE, cookies.join("; ").parse().unwrap());
        }
        if let Some(address) = self.address {
            request.headers_mut().insert(http::CLIENT_ADDRESS, address.parse().unwrap());
        }
        request
    }

    fn send(&self, request: ::http::Request<Vec<u8>>) -> Page {
        let request = self.dressed(request);
        let (parts, body) = finished(http::handle(&self.service.world, request)).into_parts();
        for cookie in parts.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        Page { status: parts.status, headers: parts.headers, html: String::from_utf8(body).unwrap() }
    }

    /// Forgets who is logged in, as another browser would not know it.
    pub(in crate::http::tests) fn drop_cookies(&self) {
        self.cookies.borrow_mut().clear();
    }

    /// An authorization request of a client's.
    pub(in crate::http::tests) fn authorize(&self, client: &Client, more: &[(&str, &str)]) -> Page {
        self.get(&authorize_path(client, more))
    }

    /// Fills in the login page.
    pub(in crate::http::tests) fn log_in(&self, page: &Page, person: &Person) -> Page {
        self.try_to_log_in(page, &person.username, PASSWORD)
    }

    pub(in crate::http::tests) fn try_to_log_in(&self, page: &Page, username: &str, password: &str) -> Page {
        assert!(page.is_at("/login"), "not the login page: {} {}", page.status, page.html);
        let challenge = page.challenge();
        self.post("/login", &[("challenge", &challenge), ("username", username), ("password", password)])
    }

    /// Answers the consent page.
    pub(in crate::http::tests) fn decide(&self, page: &Page, decision: &str) -> Page {
        assert!(page.is_at("/consent"), "not the consent page: {} {}", page.status, page.html);
        let challenge = page.challenge();
        self.post("/consent", &[("challenge", &challenge), ("decision", decision)])
    }

    /// A code for the client, by whatever pages it takes.
    pub(in crate::http::tests) fn code(&self, client: &Client, person: &Person, more: &[(&str, &str)]) -> String {
        let mut page = self.authorize(client, more);
        if page.is_at("/login") {
            page = self.log_in(&page, person);
        }
        if page.is_at("/consent") {
            page = self.decide(&page, "allow");
        }
        page.sent("code").unwrap_or_else(|| panic!("no code: {}", page.location()))
    }

    /// Tokens for the client, by code.
    pub(in crate::http::tests) fn tokens(&self, client: &Client, person: &Person, more: &[(&str, &str)]) -> Value {
        let code = self.code(client, person, more);
        self.service.redeem(client, &code).expect(200)
    }
}

pub(in crate::http::tests) fn authorize_path(client: &Client, more: &[(&str, &str)]) -> String {
    let challenge = s256();
    let base = [
        ("client_id", client.id.as_str()),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("scope", "openid profile email offline_access"),
        ("state", "a state"),
        ("nonce", "a-nonce"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let kept = base.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    let said = kept.chain(more.iter().filter(|(_, value)| !value.is_empty()));
    let pairs: Vec<String> = said.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("/authorize?{}", pairs.join("&"))
}

impl Service {
    /// A person who can log in.
    pub(in crate::http::tests) fn person_with_password(&self) -> Person {
        let username = format!("person-{}", self.draw());
        let user = json!({
            "userName": username, "password": PASSWORD, "name": { "givenName": "Ada", "familyName": "L." },
            "emails": [{ "value": format!("{username}@example.com"), "primary": true }],
        });
        let body = self.send(::http::Method::POST, "/scim/v2/Users", &self.operator("scim"), Some(&user)).expect(201);
        Person { subject: Subject::parse(body["id"].as_str().unwrap()).unwrap(), username }
    }

    /// A client that people let in by code.
    pub(in crate::http::tests) fn relying_party(&self, change: &Value) -> Client {
        let base = json!({
            "client_name": "Printer",
            "redirect_uris": [REDIRECT],
            "grant_types": ["authorization_code", "refresh_token"],
            "scope": "openid profile email offline_access read",
        });
        self.register(&super::super::deployment::changed(&base, change))
    }

    /// Changes what a client registered; `null` takes a member away.
    #[track_caller]
    pub(in crate::http::tests) fn update(&self, client: &Client, change: &Value) {
        let path = format!("/register/{}", client.id);
        let held = self.send(::http::Method::GET, &path, &client.token, None).expect(200);
        let not_metadata = json!({
            "registration_access_token": null, "registration_client_uri": null,
            "client_id_issued_at": null, "client_secret_expires_at": null,
        });
        let changed = super::super::deployment::changed;
        let wanted = changed(&changed(&held, &not_metadata), change);
        self.send(::http::Method::PUT, &path, &client.token, Some(&wanted)).expect(200);
    }

    pub(in crate::http::tests) fn redeem(&self, client: &Client, code: &str) -> crate::http::tests::deployment::Answer {
        self.redeem_with(client, code, &[])
    }

    pub(in crate::http::tests) fn redeem_with(
        &self,
        client: &Client,
        code: &str,
        more: &[(&str, &str)],
    ) -> crate::http::tests::deployment::Answer {
        let base = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        let kept = base.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name)).copied();
        let form: Vec<(&str, &str)> = kept.chain(more.iter().copied().filter(|(_, value)| !value.is_empty())).collect();
        self.by(client, "/token", &form)
    }

    pub(in crate::http::tests) fn refresh(
        &self,
        client: &Client,
        token: &str,
    ) -> crate::http::tests::deployment::Answer {
        self.by(client, "/token", &[("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    /// A form from a client, which proves itself if it can.
    pub(in crate::http::tests) fn by(
        &self,
        client: &Client,
        path: &str,
        form: &[(&str, &str)],
    ) -> crate::http::tests::deployment::Answer {
        let mut form = form.to_vec();
        let request = ::http::Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let request = if client.secret.is_empty() {
            form.push(("client_id", &client.id));
            request
        } else {
            request.header(header::AUTHORIZATION, basic(client))
        };
        let body: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.handle(request.body(body.join("&").into_bytes()).unwrap())
    }
}
