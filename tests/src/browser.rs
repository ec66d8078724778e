//! A browser without scripts: it keeps cookies, follows redirects within the issuer, and fills in forms.

use crate::{Answer, Person, Request, Service};
use std::{cell::RefCell, collections::BTreeMap};

/// A browser with its cookies.
pub struct Browser {
    service: Service,
    cookies: RefCell<BTreeMap<String, String>>,
}

/// Where the browser ended up: on a page of the issuer's, or sent away from it.
#[derive(Clone, Debug)]
pub struct Page {
    /// The last answer.
    pub answer: Answer,
}

impl Page {
    /// The page's text.
    #[must_use]
    pub fn html(&self) -> String {
        String::from_utf8_lossy(&self.answer.body).into_owned()
    }

    /// Whether the page has a form that posts there.
    #[must_use]
    pub fn is_at(&self, action: &str) -> bool {
        self.html().contains(&format!("action=\"{action}\""))
    }

    /// Where the browser was sent; stops the test if it stayed.
    #[must_use]
    #[track_caller]
    pub fn location(&self) -> &str {
        let location = self.answer.header("location");
        assert!(!location.is_empty(), "the browser stays: {:?}", self.answer);
        location
    }

    /// A parameter of where the browser was sent.
    #[must_use]
    #[track_caller]
    pub fn sent(&self, name: &str) -> Option<String> {
        parameters(self.location()).remove(name)
    }

    /// The value of a hidden field.
    #[must_use]
    #[track_caller]
    pub fn hidden(&self, name: &str) -> String {
        let html = self.html();
        let field = html.split("<input").find(|tag| tag.contains(&format!("name=\"{name}\"")));
        let value = field.and_then(|tag| tag.split("value=\"").nth(1)).and_then(|rest| rest.split('"').next());
        value.unwrap_or_else(|| panic!("no field {name}: {html}")).replace("&amp;", "&")
    }
}

/// The parameters behind `?` or `#`, decoded.
#[must_use]
pub fn parameters(uri: &str) -> BTreeMap<String, String> {
    let query = uri.split_once(['?', '#']).map_or("", |(_, query)| query);
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex: String = rest.by_ref().take(2).map(char::from).collect();
            bytes.push(u8::from_str_radix(&hex, 16).expect("percent-encoding"));
        } else {
            bytes.push(if byte == b'+' { b' ' } else { byte });
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

impl Browser {
    /// A browser that was nowhere yet.
    #[must_use]
    pub fn new(service: &Service) -> Self {
        Self { service: service.clone(), cookies: RefCell::default() }
    }

    /// Goes to a path or address.
    #[must_use]
    #[track_caller]
    pub fn go(&self, to: &str) -> Page {
        self.follow(self.send(self.service.request("GET", &self.absolute(to))))
    }

    /// Posts a form to a path or address.
    #[must_use]
    #[track_caller]
    pub fn post(&self, to: &str, form: &[(&str, &str)]) -> Page {
        self.follow(self.send(self.service.request("POST", &self.absolute(to)).form(form)))
    }

    /// One request with the browser's cookies, whatever it is.
    #[must_use]
    #[track_caller]
    pub fn send(&self, mut request: Request) -> Page {
        let cookies: Vec<String> =
            self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header("cookie", &cookies.join("; "));
        }
        let answer = request.send();
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().expect("ASCII");
            let (name, value) = cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            if value.is_empty() {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        Page { answer }
    }

    /// The values of the cookies it holds.
    #[must_use]
    pub fn cookies(&self) -> Vec<String> {
        self.cookies.borrow().values().cloned().collect()
    }

    fn absolute(&self, to: &str) -> String {
        if to.starts_with('/') { self.service.url(to) } else { to.to_owned() }
    }

    /// Within the issuer a browser goes where it is sent; where it is sent away, the test looks.
    fn follow(&self, mut page: Page) -> Page {
        for _ in 0..5 {
            let location = page.answer.header("location").to_owned();
            if location.is_empty() || !(location.starts_with('/') || location.starts_with(&self.service.issuer)) {
                return page;
            }
            page = self.send(self.service.request("GET", &self.absolute(&location)));
        }
        panic!("sent in circles: {page:?}")
    }

    /// Fills in the login page.
    #[must_use]
    #[track_caller]
    pub fn log_in(&self, page: &Page, person: &Person) -> Page {
        self.log_in_as(page, &person.user.name, &person.password)
    }

    /// Fills in the login page with anything.
    #[must_use]
    #[track_caller]
    pub fn log_in_as(&self, page: &Page, username: &str, password: &str) -> Page {
        assert!(page.is_at("/login"), "not the login page: {page:?}");
        let challenge = page.hidden("challenge");
        self.post("/login", &[("challenge", &challenge), ("username", username), ("password", password)])
    }

    /// Answers the consent page.
    #[must_use]
    #[track_caller]
    pub fn decide(&self, page: &Page, decision: &str) -> Page {
        assert!(page.is_at("/consent"), "not the consent page: {page:?}");
        let challenge = page.hidden("challenge");
        self.post("/consent", &[("challenge", &challenge), ("decision", decision)])
    }

    /// Through whatever pages come, until the browser is sent back to the client.
    #[must_use]
    #[track_caller]
    pub fn through(&self, mut page: Page, person: &Person) -> Page {
        if page.is_at("/login") {
            page = self.log_in(&page, person);
        }
        if page.is_at("/consent") {
            page = self.decide(&page, "allow");
        }
        page
    }
}
