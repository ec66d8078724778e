//! The canaries, and everything that is done with them.

use crate::needles::Needle;
use grantlog_tests::{
    Browser, Client, Person, Registration, RelyingParty, Service, User,
    client::grant,
    jwt,
    key::KeyPair,
    party::{Cast, SCOPE},
    random::unique,
    relying_party::Tokens,
    tamper,
    user::{SCIM, scim},
};
use serde_json::{Value, json};

/// What was let loose.
pub(crate) struct Flock {
    secrets: Vec<(String, String)>,
    personal: Vec<String>,
}

impl Flock {
    /// Uses every kind of secret and personal datum, well and badly.
    pub(crate) fn release(service: &Service) -> Self {
        let mut flock = Self { secrets: Vec::new(), personal: Vec::new() };
        let cast = Cast::of(service);
        let (user, words) = person(service);
        flock.personal.extend(words);
        flock.password(&user);
        let cast = Cast { user, ..cast };
        flock.tokens(&cast);
        flock.clients(&cast);
        flock.login(service);
        flock.mistakes(&cast);
        flock
    }

    pub(crate) fn needles(&self) -> Vec<Needle> {
        let secrets = self.secrets.iter().map(|(what, word)| Needle::secret(what, word));
        secrets.chain(self.personal.iter().map(|word| Needle::personal(word))).collect()
    }

    fn hide(&mut self, what: &str, word: &str) {
        self.secrets.push((what.to_owned(), word.to_owned()));
    }

    /// A token by the part that makes it one, and its claims by the part that names them all.
    fn hide_token(&mut self, what: &str, token: &str) {
        let parts: Vec<&str> = token.split('.').collect();
        self.hide(&format!("{what}, signature"), parts[2]);
        self.hide(&format!("{what}, claims"), parts[1]);
    }

    fn password(&mut self, user: &User) {
        for _ in 0..2 {
            let password = format!("canary-password-{}", unique());
            assert!(user.patch("password", &json!(password)).status < 300);
            self.hide("password", &password);
        }
    }

    fn tokens(&mut self, cast: &Cast) {
        let assertion = cast.login.assertion(&cast.service.issuer, &cast.user.id);
        self.hide_token("assertion", &assertion);
        let first = cast.frontend.present(&assertion, SCOPE).expect(200).access_token();
        let child = cast.delegated(&first);
        for (what, token) in [("subject token", &first), ("exchanged token", &child)] {
            self.hide_token(what, token);
            let _ = cast.service.userinfo(token).send().expect(200);
            assert!(cast.backend.introspect(token).is_active());
        }
        for scope in ["audit", "scim", "admin", "client:register"] {
            self.hide_token("operator token", &cast.service.operator_token(scope));
        }
        assert_eq!(cast.frontend.revoke(&first).status, 200);
        cast.must_be_dead(&cast.backend, &child);
        self.hide("operator secret", &cast.service.operator().1);
    }

    fn clients(&mut self, cast: &Cast) {
        let post = Registration::machine("by post").scope("read").secret_in_body().register(&cast.service);
        let signing =
            Registration::machine("signing").scope("read").private_key(KeyPair::es256("k")).register(&cast.service);
        let rotated = cast.actor.rotated();
        for client in [&post, &cast.frontend, &cast.backend, &cast.actor, &rotated] {
            self.hide("client secret", client.secret());
            self.hide("registration access token", &client.registration_token);
        }
        self.hide_token("machine token", &post.own_token("read"));
        let assertion = signing.assertion();
        self.hide_token("client assertion", &assertion);
        let form = [
            ("grant_type", grant::CLIENT_CREDENTIALS),
            ("client_assertion_type", grantlog_tests::client::CLIENT_ASSERTION_TYPE),
            ("client_assertion", assertion.as_str()),
        ];
        let ask = || cast.service.post_to("token_endpoint").form(&form).send();
        let _ = ask().expect(200);
        ask().must_refuse(401, "invalid_client");
    }

    /// A login with everything that is secret about it, well and badly typed.
    fn login(&mut self, service: &Service) {
        let (party, person, browser) =
            (RelyingParty::register(service), Person::create(service), Browser::new(service));
        let words = ["state", "nonce", "hint"].map(|kind| format!("canary{kind}{}", unique()));
        let [state, nonce, hint] = &words;
        let wrong = format!("canary-wrong-{}", unique());
        let page = party.authorize(&browser, &[("state", state), ("nonce", nonce), ("login_hint", hint)]);
        self.hide("challenge", &page.hidden("challenge"));
        let page = browser.log_in_as(&page, &person.user.name, &wrong);
        let page = browser.log_in_as(&page, &wrong, &person.password);
        let page = browser.through(page, &person);
        let code = page.sent("code").expect("a code");
        self.hide("code", code.split_once('.').expect("a sealed part").1);
        let tokens = Tokens(party.redeem(&code).expect(200).json());
        let refreshed = Tokens(party.refresh(tokens.refresh()).expect(200).json());
        for tokens in [&tokens, &refreshed] {
            self.hide_token("a person's access token", tokens.access());
            self.hide_token("ID token", tokens.id());
            self.hide("refresh token", tokens.refresh().rsplit_once('.').expect("a secret part").1);
        }
        for cookie in browser.cookies() {
            self.hide("cookie", &cookie);
        }
        party.redeem(&code).must_refuse(400, "invalid_grant");
        party.refresh(refreshed.refresh()).must_refuse(400, "invalid_grant");
        self.hide("client secret", party.client.secret());
        self.hide("code verifier", grantlog_tests::relying_party::VERIFIER);
        self.hide("password", &person.password);
        for word in words.iter().chain([&wrong]) {
            self.hide("a word of a login", word);
        }
    }

    /// The same and more in places where they do not belong.
    fn mistakes(&mut self, cast: &Cast) {
        let canary = format!("canary-mistake-{}", unique());
        self.hide("a word in the wrong place", &canary);
        let token = cast.first_token();
        self.hide_token("token in the wrong place", &token);
        for word in [&canary, &token] {
            badly(cast, &cast.backend, word);
        }
        for forged in
            tamper::injected_keys(&token, &KeyPair::es256("forger")).iter().chain(&tamper::unsigned_forms(&token))
        {
            badly(cast, &cast.backend, forged);
        }
        let reserved = tamper::changed_claim(&token, &canary, &json!(canary));
        badly(cast, &cast.backend, &reserved);
        let sub = jwt::claims(&token)["sub"].clone();
        assert_eq!(sub.as_str(), Some(cast.user.id.as_str()));
    }
}

/// A word as everything that it is not. What comes back does not matter here, as long as something does.
fn badly(cast: &Cast, client: &Client, word: &str) {
    let service = &cast.service;
    let operator = service.operator_token("scim");
    let post = |path: &str| service.post(path);
    let requests = [
        client.exchange(word).request(),
        client.exchange(&cast.first_token()).actor(word).request(),
        client.exchange(&cast.first_token()).audience(word).request(),
        client.exchange(&cast.first_token()).resource(word).request(),
        client.exchange(&cast.first_token()).scope(word).request(),
        client.form("token_endpoint", &[("grant_type", word)]),
        client.form("introspection_endpoint", &[("token", word), ("token_type_hint", word)]),
        client.form("revocation_endpoint", &[("token", word), (word, word)]),
        post("/token").basic(word, word).form(&[("grant_type", "client_credentials")]),
        post("/token").form(&[("client_id", word), ("client_secret", word), ("password", word)]),
        post("/token").content("application/x-www-form-urlencoded", format!("{word}=%ff").into_bytes()),
        post("/token").content("text/plain", word.as_bytes().to_vec()),
        service.userinfo(word),
        service.get(&format!("/{word}")),
        service.get(&format!("/userinfo?access_token={word}")),
        service.get(&format!("/audit/tokens/{word}")).bearer(word),
        service.get(&format!("/audit/events?after={word}")).bearer(word),
        service.get(&format!("/register/{word}")).bearer(word),
        post("/register").bearer(word).json(&json!({ "client_name": word })),
        post("/register").bearer(&service.operator_token("client:register")).json(&json!({ "grant_types": [word] })),
        post("/admin/revocations")
            .bearer(&service.operator_token("admin"))
            .json(&json!({ "jti": word, "reason": "x" })),
        scim(service, "POST", "", &operator).content(SCIM, format!("{{\"userName\": \"{word}\", ").into_bytes()),
        scim(service, "GET", &format!("/{word}"), &operator),
        scim(service, "GET", &format!("?filter=userName%20eq%20%22{word}%22"), &operator),
        service.get(&format!("/authorize?client_id={word}&redirect_uri={word}&state={word}")),
        service.get(&format!("/authorize?client_id={}&redirect_uri={word}", client.id)),
        service.get("/authorize").header("cookie", &format!("grantlog={word}; grantlog-browser={word}")),
        post("/login").form(&[("challenge", word), ("username", word), ("password", word)]),
        post("/consent").header("cookie", &format!("grantlog-browser={word}")).form(&[("challenge", word)]),
        service.get(&format!("/logout?id_token_hint={word}&post_logout_redirect_uri={word}")),
        client.form("token_endpoint", &[("grant_type", "authorization_code"), ("code", word), ("redirect_uri", word)]),
        client.form("token_endpoint", &[("grant_type", "refresh_token"), ("refresh_token", word)]),
        service.get("/healthz").header("x-request-id", word).header("user-agent", word),
    ];
    for request in requests {
        let answer = request.send();
        assert!(answer.status < 500, "{answer:?}");
    }
}

/// A person, and the words that are about them alone.
pub(crate) fn person(service: &Service) -> (User, Vec<String>) {
    let mark = unique();
    let mut attributes = User::attributes(&mark);
    let words = ["user", "given", "family", "mail", "phone", "street", "group", "nick"]
        .map(|kind| format!("canary{kind}{mark}"));
    let [user_name, given, family, mail, phone, street, group, nick] = &words;
    attributes["userName"] = json!(user_name);
    attributes["name"] = json!({ "givenName": given, "familyName": family, "formatted": format!("{given} {family}") });
    attributes["emails"] = json!([{ "value": format!("{mail}@people.example"), "primary": true }]);
    attributes["phoneNumbers"] = json!([{ "value": phone, "primary": true }]);
    attributes["addresses"] = json!([{ "formatted": street, "primary": true }]);
    attributes["groups"] = json!([{ "value": "1", "display": group }]);
    attributes["nickName"] = json!(nick);
    let user = User::create_with(service, &attributes);
    let second = format!("canarysecond{mark}");
    let changed: Value = json!([{ "value": format!("{second}@people.example"), "primary": true }]);
    assert!(user.patch("emails", &changed).status < 300);
    (user, words.into_iter().chain([second]).collect())
}
