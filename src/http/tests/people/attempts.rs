//! Wrong passwords: an account rests after ten, an address after fifty, and the rest tells nobody anything.

use super::{
    super::deployment::{Client, Service},
    Browser,
    browser::{PASSWORD, Page, Person},
};
use ::http::StatusCode;
use serde_json::json;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

fn cast() -> Cast {
    let service = Service::new();
    let client = service.relying_party(&json!({}));
    let person = service.person_with_password();
    Cast { service, client, person }
}

impl Cast {
    fn attempt(&self, address: Option<&'static str>, person: &Person, password: &str) -> Page {
        let browser = Browser::new(&self.service).at(address);
        browser.try_to_log_in(&browser.authorize(&self.client, &[]), &person.username, password)
    }

    /// An ID token of somebody else.
    fn hint(&self) -> String {
        let other = self.service.person_with_password();
        let tokens = Browser::new(&self.service).tokens(&self.client, &other, &[("scope", "openid")]);
        tokens["id_token"].as_str().unwrap().to_owned()
    }
}

/// While an account rests the right password is answered like a wrong one, whoever was asked for: else the rest would
/// keep nobody from guessing.
#[test]
fn after_ten_wrong_passwords_an_account_rests_for_five_minutes_and_no_guess_is_confirmed() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    let hint = cast.hint();
    let attempt = |more: &[(&str, &str)], password: &str| {
        let page = browser.try_to_log_in(&browser.authorize(&cast.client, more), &cast.person.username, password);
        (page.status, page.html.replace(&page.challenge(), ""))
    };
    let wrong = attempt(&[], "wrong");
    assert_eq!(wrong.0, StatusCode::FORBIDDEN);
    for _ in 1..10 {
        assert_eq!(attempt(&[], "wrong"), wrong);
    }
    for more in [&[][..], &[("id_token_hint", hint.as_str())]] {
        assert_eq!(attempt(more, PASSWORD), wrong, "{more:?}");
    }
    cast.service.wait(300_000);
    assert!(browser.log_in(&browser.authorize(&cast.client, &[]), &cast.person).is_at("/consent"));
}

/// OIDC Core §3.1.2.1: who logs in is logged in, and the client learns that it is not who it asked for.
#[test]
fn somebody_else_than_was_asked_for_is_logged_in_and_the_client_gets_no_code() {
    let cast = cast();
    let (browser, hint) = (Browser::new(&cast.service), cast.hint());
    let page = browser.authorize(&cast.client, &[("id_token_hint", &hint)]);
    let page = browser.log_in(&page, &cast.person);
    assert_eq!(page.sent("error").as_deref(), Some("login_required"));
    assert!(browser.authorize(&cast.client, &[]).is_at("/consent"), "they are logged in");
}

/// An address that nobody told is nobody's: else fifty wrong passwords would keep everybody out.
#[test]
fn after_fifty_wrong_passwords_an_address_rests_and_no_other_does() {
    let cast = cast();
    let (busy, other) = (Some("192.0.2.1"), Some("192.0.2.2"));
    for address in [busy, None] {
        for _ in 0..5 {
            let person = cast.service.person_with_password();
            for _ in 0..10 {
                assert_eq!(cast.attempt(address, &person, "wrong").status, StatusCode::FORBIDDEN);
            }
        }
    }
    let page = cast.attempt(busy, &cast.person, PASSWORD);
    assert_eq!((page.status, &page.headers["retry-after"]), (StatusCode::TOO_MANY_REQUESTS, &"300".parse().unwrap()));
    for address in [other, None] {
        assert!(cast.attempt(address, &cast.person, PASSWORD).is_at("/consent"), "{address:?}");
    }
    cast.service.wait(300_000);
    assert!(cast.attempt(busy, &cast.person, PASSWORD).is_at("/consent"));
}
