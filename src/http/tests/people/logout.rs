//! Logging out (OIDC RP-Initiated Logout 1.0): who is asked, what ends, and where a person is sent afterwards. The
//! modules of the conformance suite's plan `oidcc-rp-initiated-logout` are named where they apply.

use super::{
    super::deployment::{Client, Service, encoded, part},
    Browser,
    browser::{Page, Person},
    log::{count, ended_sessions},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

pub(super) const BACK: &str = "https://app.example/bye?from=op";

/// A client that people are sent back to.
pub(super) fn sending_back(service: &Service) -> Client {
    service.relying_party(&json!({ "post_logout_redirect_uris": [BACK] }))
}

pub(super) struct Cast {
    pub(super) service: Service,
    pub(super) client: Client,
    pub(super) person: Person,
}

pub(super) fn cast() -> Cast {
    let service = Service::new();
    let (client, person) = (sending_back(&service), service.person_with_password());
    Cast { service, client, person }
}

impl Cast {
    /// A browser in which the person is logged in, and the tokens that the client got by it.
    pub(super) fn logged_in(&self) -> (Browser<'_>, Value) {
        let browser = Browser::new(&self.service);
        let tokens = browser.tokens(&self.client, &self.person, &[("scope", "openid")]);
        (browser, tokens)
    }

    pub(super) fn is_logged_in(&self, browser: &Browser<'_>) -> bool {
        let page = browser.authorize(&self.client, &[("scope", "openid"), ("prompt", "none")]);
        page.sent("code").is_some()
    }

    pub(super) fn works(&self, tokens: &Value) -> bool {
        self.service.is_active(&self.client, text(tokens, "access_token"))
    }
}

pub(super) fn text<'v>(tokens: &'v Value, name: &str) -> &'v str {
    tokens[name].as_str().unwrap()
}

/// The path of a logout with these parameters.
pub(super) fn logout(parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("/logout?{}", pairs.join("&"))
}

/// The person is asked, on a page that works in this browser.
pub(super) fn asks(page: &Page) -> bool {
    page.status == 200 && page.is_at("/logout")
}

/// A page that says it is done, without a question.
pub(super) fn is_done(page: &Page) -> bool {
    page.status == 200 && !page.is_at("/logout") && page.html.contains("You are signed out")
}

/// V15; `oidcc-rp-initiated-logout`.
#[test]
fn an_id_token_of_the_session_ends_it_at_once_and_leads_back_with_the_state() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let parameters =
        [("id_token_hint", text(&tokens, "id_token")), ("post_logout_redirect_uri", BACK), ("state", "a b&c")];
    let page = browser.get(&logout(&parameters));
    assert_eq!((page.status.as_u16(), page.location()), (303, "https://app.example/bye?from=op&state=a%20b%26c"));
    let cookie = page.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-grantlog=; Path=/; Max-Age=0;"), "{cookie}");
    assert!(!cast.is_logged_in(&browser));
    assert!(!cast.works(&tokens));
    assert_eq!(cast.service.refresh(&cast.client, text(&tokens, "refresh_token")).status, 400);
    assert_eq!(ended_sessions(&cast.service), [("logout", cast.person.subject.to_string())]);
}

/// V15: one session of a person, or of another, is none of another's business.
#[test]
fn logging_one_browser_out_leaves_every_other_session_as_it_was() {
    let cast = cast();
    let (here, mine) = cast.logged_in();
    let (elsewhere, others) = cast.logged_in();
    let stranger = Cast { person: cast.service.person_with_password(), ..cast_like(&cast) };
    let (far, theirs) = stranger.logged_in();
    here.get(&logout(&[("id_token_hint", text(&mine, "id_token"))]));
    assert!(!cast.is_logged_in(&here) && !cast.works(&mine));
    for (browser, tokens) in [(&elsewhere, &others), (&far, &theirs)] {
        assert!(cast.is_logged_in(browser) && cast.works(tokens));
        cast.service.refresh(&cast.client, text(tokens, "refresh_token")).expect(200);
    }
    assert_eq!(ended_sessions(&cast.service).len(), 1);
}

/// The same deployment and client.
fn cast_like(cast: &Cast) -> Cast {
    Cast { service: cast.service.elsewhere(), client: cast.client.clone(), person: cast.person.clone() }
}

#[test]
fn what_was_given_for_the_time_after_the_session_outlives_it() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    let tokens = browser.tokens(&cast.client, &cast.person, &[("scope", "openid offline_access")]);
    browser.get(&logout(&[("id_token_hint", text(&tokens, "id_token"))]));
    assert!(!cast.is_logged_in(&browser));
    cast.service.refresh(&cast.client, text(&tokens, "refresh_token")).expect(200);
}

/// RP-Initiated Logout §2: that `exp` has passed makes the hint no worse; nor that it was refreshed since.
#[test]
fn an_expired_id_token_is_as_good_a_hint() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    cast.service.wait(3 * 3_600_000);
    let page = browser.get(&logout(&[("id_token_hint", text(&tokens, "id_token"))]));
    assert!(is_done(&page), "{}", page.html);
    assert_eq!(ended_sessions(&cast.service).len(), 1);
}

/// A client may ask by a form too, and from a browser that does not send the cookie along.
#[test]
fn an_id_token_alone_ends_its_own_session() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let elsewhere = Browser::new(&cast.service);
    let form = [("id_token_hint", text(&tokens, "id_token")), ("post_logout_redirect_uri", BACK)];
    assert_eq!(elsewhere.post("/logout", &form).location(), BACK);
    assert!(!cast.is_logged_in(&browser));
    // Once more is no error: it has ended.
    assert_eq!(elsewhere.post("/logout", &form).location(), BACK);
    assert_eq!(ended_sessions(&cast.service).len(), 1);
}

/// RP-Initiated Logout §2: where the ID token is not of the browser's session, the person must be asked, and what
/// they answer is about their own session (V15).
#[test]
fn an_id_token_of_another_session_ends_neither_before_the_person_is_asked() {
    let cast = cast();
    let (here, mine) = cast.logged_in();
    let (elsewhere, others) = cast.logged_in();
    let stranger = Cast { person: cast.service.person_with_password(), ..cast_like(&cast) };
    let (far, theirs) = stranger.logged_in();
    for hint in [&others, &theirs] {
        let parameters = [("id_token_hint", text(hint, "id_token")), ("post_logout_redirect_uri", BACK)];
        assert!(asks(&here.get(&logout(&parameters))));
    }
    assert_eq!(ended_sessions(&cast.service), []);
    let parameters = [("id_token_hint", text(&theirs, "id_token")), ("post_logout_redirect_uri", BACK)];
    let page = here.get(&logout(&parameters));
    assert_eq!(here.post("/logout", &[("challenge", &page.challenge())]).location(), BACK);
    assert!(!cast.is_logged_in(&here) && !cast.works(&mine));
    assert!(cast.is_logged_in(&elsewhere) && cast.works(&others));
    assert!(cast.is_logged_in(&far) && cast.works(&theirs));
}

/// `oidcc-rp-initiated-logout-bad-id-token-hint`, `-modified-id-token-hint`: the person may still log out, but is
/// sent nowhere.
#[test]
fn what_is_no_id_token_of_ours_ends_nothing_and_leads_nowhere() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let id_token = text(&tokens, "id_token");
    let (signed, signature) = id_token.rsplit_once('.').unwrap();
    let unsigned = {
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": "none" }).to_string());
        format!("{header}.{}.", id_token.split('.').nth(1).unwrap())
    };
    let flipped = format!("{signed}.{}{}", if signature.starts_with('A') { 'B' } else { 'A' }, &signature[1..]);
    let other_person = {
        let mut claims = part(id_token, 1);
        claims["sub"] = json!("1-AAAAAAAAAAAAAAAAAAAAAA");
        let (header, _) = signed.split_once('.').unwrap();
        format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(claims.to_string()))
    };
    for hint in [unsigned.as_str(), &flipped, &other_person, text(&tokens, "access_token"), "x.y.z", "x"] {
        let parameters = [
            ("id_token_hint", hint),
            ("post_logout_redirect_uri", BACK),
            ("client_id", &cast.client.id),
            ("state", "x"),
        ];
        let page = browser.get(&logout(&parameters));
        assert!(asks(&page), "{hint}: {} {}", page.status, page.html);
        assert!(!page.html.contains("app.example") && page.html.contains("Printer"));
        assert!(!page.headers["content-security-policy"].to_str().unwrap().contains("app.example"));
        // Without a session there is nothing to ask, and still nowhere to go.
        assert!(is_done(&Browser::new(&cast.service).get(&logout(&parameters))));
    }
    assert!(cast.is_logged_in(&browser) && cast.works(&tokens));
    // The client that it names has not shown that it asks.
    let page = browser.get(&logout(&[("id_token_hint", &flipped), ("post_logout_redirect_uri", BACK)]));
    assert!(!page.html.contains("Printer"));
    assert!(is_done(&browser.post("/logout", &[("challenge", &page.challenge())])));
}

/// `oidcc-rp-initiated-logout-bad-post-logout-redirect-uri`, `-query-added-to-post-logout-redirect-uri`,
/// `-no-id-token-hint`.
#[test]
fn an_address_that_this_client_did_not_register_is_told_on_a_page_and_nothing_ends() {
    let cast = cast();
    let other = cast.service.relying_party(&json!({ "post_logout_redirect_uris": ["https://other.example/bye"] }));
    let (browser, tokens) = cast.logged_in();
    let hint = ("id_token_hint", text(&tokens, "id_token"));
    let back = |uri| ("post_logout_redirect_uri", uri);
    let (longer, long) = (format!("{BACK}&foo=bar"), "s".repeat(2_049));
    for parameters in [
        vec![hint, back("https://evil.example/")],
        vec![hint, back(&longer)],
        vec![hint, back("https://app.example/bye")],
        vec![hint, back("https://other.example/bye")],
        vec![hint, back("https://app.example/cb")],
        vec![back(BACK)],
        vec![back(BACK), ("client_id", &other.id)],
        vec![back(BACK), ("client_id", "nobody")],
        vec![hint, ("client_id", "nobody")],
        vec![("client_id", "nobody")],
        vec![hint, back(BACK), ("state", &long)],
        vec![hint, back(BACK), ("client_id", &other.id)],
        vec![hint, ("client_id", &other.id)],
    ] {
        let page = browser.get(&logout(&parameters));
        assert_eq!(page.status, 400, "{parameters:?}");
        assert!(page.headers.get("location").is_none() && !page.html.contains("evil"), "{parameters:?}");
    }
    assert!(cast.is_logged_in(&browser) && cast.works(&tokens));
}

/// `oidcc-rp-initiated-logout-no-post-logout-redirect-uri`, `-no-state`.
#[test]
fn without_an_address_there_is_a_page_and_without_a_state_there_is_none() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let hint = ("id_token_hint", text(&tokens, "id_token"));
    assert!(is_done(&browser.get(&logout(&[hint, ("state", "x")]))));
    let (browser, tokens) = cast.logged_in();
    let parameters = [("id_token_hint", text(&tokens, "id_token")), ("post_logout_redirect_uri", BACK)];
    assert_eq!(browser.get(&logout(&parameters)).location(), BACK);
}

/// Who is not logged in is asked nothing; a client that names itself gets them back.
#[test]
fn whoever_is_not_logged_in_is_sent_on_to_the_registered_address() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    assert!(is_done(&browser.get("/logout")));
    let parameters = [("client_id", cast.client.id.as_str()), ("post_logout_redirect_uri", BACK)];
    assert_eq!(browser.get(&logout(&parameters)).location(), BACK);
}

/// A person can log out of what a deleted client began; they are not sent to it.
#[test]
fn a_deleted_client_keeps_nobody_logged_in() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let path = format!("/register/{}", cast.client.id);
    let deleted = cast.service.send(::http::Method::DELETE, &path, &cast.client.token, None);
    assert_eq!(deleted.status, 204);
    let hint = ("id_token_hint", text(&tokens, "id_token"));
    assert_eq!(browser.get(&logout(&[hint, ("post_logout_redirect_uri", BACK)])).status, 400);
    assert!(is_done(&browser.get(&logout(&[hint]))));
    assert_eq!(ended_sessions(&cast.service).len(), 1);
}

#[test]
fn a_repeated_logout_is_one_event() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    let path = logout(&[("id_token_hint", text(&tokens, "id_token"))]);
    for _ in 0..3 {
        assert!(is_done(&browser.get(&path)));
    }
    assert_eq!(count(&cast.service, "session_ended"), 1);
}
