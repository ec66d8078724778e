//! Every call of each step of a login failing in turn, before and after it was done, once and for good.
//!
//! The answer is 503 or the right one, never a verdict; when all is well again the person comes through, and logs,
//! state and views agree (V1, V2, E16).

use super::{
    super::{
        agreement::logs_and_views_agree,
        deployment::{Client, Service},
    },
    Browser,
    browser::{PASSWORD, Page, Person},
};
use crate::{http::tests::deployment::Answer, memory::When};
use serde_json::json;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

impl Cast {
    /// Few shards, so that whatever everybody must hear is soon said.
    fn new() -> Self {
        let service = Service::with(&[("LOG_SHARDS", "2")]);
        let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
        Self { service, client, person }
    }
}

fn ways() -> impl Iterator<Item = (When, bool, bool)> {
    let each = [false, true];
    [When::Before, When::After]
        .into_iter()
        .flat_map(move |when| each.into_iter().flat_map(move |lasting| each.map(|cold| (when, lasting, cold))))
}

/// Runs one step with each of its calls failing; `step` is prepared well, done under the fault, and judged.
fn survives<T>(
    prepare: fn(&Cast, &Browser<'_>) -> T,
    step: fn(&Cast, &Browser<'_>, &T) -> Outcome,
    comes_through: fn(&Cast, &Browser<'_>, &T),
) {
    let mut struck = 0;
    for (when, lasting, cold) in ways() {
        for nth in 0.. {
            let cast = Cast::new();
            let browser = Browser::new(&cast.service);
            let prepared = prepare(&cast, &browser);
            if cold {
                cast.service.forget();
            }
            cast.service.world.faults().fail(nth, when, lasting);
            let outcome = step(&cast, &browser, &prepared);
            let missed = !cast.service.world.faults().mend();
            let said = format!("step {nth} {when:?} lasting {lasting} cold {cold}");
            if let Outcome::Wrong(what) = &outcome {
                panic!("{said}: {what}");
            }
            logs_and_views_agree(&cast.service);
            comes_through(&cast, &browser, &prepared);
            logs_and_views_agree(&cast.service);
            if missed {
                assert!(matches!(outcome, Outcome::Right), "{said}");
                break;
            }
            struck += 1;
        }
    }
    assert!(struck >= 4, "nothing ever failed");
}

enum Outcome {
    Right,
    Unavailable,
    Wrong(String),
}

fn page(page: &Page, is_right: bool) -> Outcome {
    match page.status.as_u16() {
        503 => {
            assert_eq!(page.headers["retry-after"], "1");
            assert!(page.html.starts_with("<!DOCTYPE html>"), "a person is told on a page");
            assert!(!page.headers.contains_key("location"));
            Outcome::Unavailable
        }
        _ if is_right => Outcome::Right,
        status => Outcome::Wrong(format!("{status} {} {:?}", page.html, page.headers.get("location"))),
    }
}

fn answer(answer: &Answer) -> Outcome {
    match answer.status.as_u16() {
        503 if answer.body.get("access_token").is_none() => Outcome::Unavailable,
        200 if answer.body["access_token"].is_string() => Outcome::Right,
        _ => Outcome::Wrong(format!("{answer:?}")),
    }
}

fn comes_through<T>(cast: &Cast, browser: &Browser<'_>, _: &T) {
    let tokens = browser.tokens(&cast.client, &cast.person, &[]);
    assert!(cast.service.is_active(&cast.client, tokens["access_token"].as_str().unwrap()));
}

#[test]
fn an_authorization_request_survives_any_failure() {
    let step = |cast: &Cast, browser: &Browser<'_>, (): &()| {
        let shown = browser.authorize(&cast.client, &[]);
        page(&shown, shown.is_at("/login"))
    };
    survives(|_, _| (), step, comes_through);
}

#[test]
fn silent_authentication_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| {
        browser.code(&cast.client, &cast.person, &[]);
    };
    let step = |cast: &Cast, browser: &Browser<'_>, (): &()| {
        let shown = browser.authorize(&cast.client, &[("prompt", "none")]);
        let is_right = shown.status == 303 && shown.sent("code").is_some();
        page(&shown, is_right)
    };
    survives(prepare, step, comes_through);
}

#[test]
fn a_login_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| browser.authorize(&cast.client, &[]).challenge();
    let step = |cast: &Cast, browser: &Browser<'_>, challenge: &String| {
        let fields = [("challenge", challenge.as_str()), ("username", &cast.person.username), ("password", PASSWORD)];
        let shown = browser.post("/login", &fields);
        page(&shown, shown.is_at("/consent"))
    };
    survives(prepare, step, comes_through);
}

/// A wrong password is never taken for right, nor a right one for wrong, because a log could not be asked.
#[test]
fn a_failed_login_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| browser.authorize(&cast.client, &[]).challenge();
    let step = |cast: &Cast, browser: &Browser<'_>, challenge: &String| {
        let fields = [("challenge", challenge.as_str()), ("username", &cast.person.username), ("password", "wrong")];
        let shown = browser.post("/login", &fields);
        page(&shown, shown.status == 403)
    };
    survives(prepare, step, comes_through);
}

#[test]
fn consent_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| {
        let asked = browser.authorize(&cast.client, &[]);
        browser.log_in(&asked, &cast.person).challenge()
    };
    let step = |_: &Cast, browser: &Browser<'_>, challenge: &String| {
        let shown = browser.post("/consent", &[("challenge", challenge), ("decision", "allow")]);
        let is_right = shown.status == 303 && shown.sent("code").is_some();
        page(&shown, is_right)
    };
    survives(prepare, step, comes_through);
}

#[test]
fn redeeming_a_code_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| browser.code(&cast.client, &cast.person, &[]);
    let step = |cast: &Cast, _: &Browser<'_>, code: &String| answer(&cast.service.redeem(&cast.client, code));
    survives(prepare, step, comes_through);
}

/// R1: whatever became of the answer, the same refresh token shown again gives one that works.
#[test]
fn a_refresh_survives_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| {
        browser.tokens(&cast.client, &cast.person, &[])["refresh_token"].as_str().unwrap().to_owned()
    };
    let step = |cast: &Cast, _: &Browser<'_>, token: &String| answer(&cast.service.refresh(&cast.client, token));
    let comes_through = |cast: &Cast, _: &Browser<'_>, token: &String| {
        let again = cast.service.refresh(&cast.client, token).expect(200);
        assert!(cast.service.is_active(&cast.client, again["access_token"].as_str().unwrap()));
        cast.service.refresh(&cast.client, again["refresh_token"].as_str().unwrap()).expect(200);
    };
    survives(prepare, step, comes_through);
}

/// V1: whether a refresh token lives is said by its log or by nobody.
#[test]
fn introspecting_and_revoking_a_refresh_token_survive_any_failure() {
    let prepare = |cast: &Cast, browser: &Browser<'_>| {
        browser.tokens(&cast.client, &cast.person, &[])["refresh_token"].as_str().unwrap().to_owned()
    };
    let introspect = |cast: &Cast, _: &Browser<'_>, token: &String| {
        let said = cast.service.introspect(&cast.client, token);
        match said.status.as_u16() {
            503 => Outcome::Unavailable,
            200 if said.body["active"] == true => Outcome::Right,
            _ => Outcome::Wrong(format!("{said:?}")),
        }
    };
    survives(prepare, introspect, comes_through);
    let revoke =
        |cast: &Cast, _: &Browser<'_>, token: &String| match cast.service.revoke(&cast.client, token).status.as_u16() {
            503 => Outcome::Unavailable,
            200 => Outcome::Right,
            status => Outcome::Wrong(status.to_string()),
        };
    let is_dead = |cast: &Cast, _: &Browser<'_>, token: &String| {
        cast.service.revoke(&cast.client, token).expect(200);
        assert_eq!(cast.service.refresh(&cast.client, token).expect(400)["error"], "invalid_grant");
    };
    survives(prepare, revoke, is_dead);
}
