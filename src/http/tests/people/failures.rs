//! Every call of a logout and of the account page failing in turn, before and after it was done, once and for good.
//!
//! The answer is 503 or the right one; a session that has ended stays so, once, and the same request succeeds when
//! all is well again (V1, V2).

use super::{
    super::{
        agreement::logs_and_views_agree,
        deployment::{Client, Service},
    },
    Browser,
    browser::{Page, Person},
    log::count,
    logout::{BACK, logout, sending_back, text},
};
use crate::memory::When;
use serde_json::Value;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

/// A request in a browser in which the person is logged in, with the tokens that were got by it.
type Make = fn(&Cast, &Browser<'_>, &Value) -> Box<dyn Fn(&Browser<'_>) -> Page>;

/// Runs the request with each of its steps failing; answers how often one did.
fn survives(make: Make, is_right: fn(&Page) -> bool, event: &str) {
    let mut struck = 0;
    for (when, lasting, cold) in WAYS {
        for nth in 0.. {
            // Few shards, so that whatever everybody must hear is soon said.
            let service = Service::with(&[("LOG_SHARDS", "2")]);
            let (client, person) = (sending_back(&service), service.person_with_password());
            let cast = Cast { service, client, person };
            let browser = Browser::new(&cast.service);
            let tokens = browser.tokens(&cast.client, &cast.person, &[("scope", "openid")]);
            let request = make(&cast, &browser, &tokens);
            if cold {
                cast.service.forget();
            }
            cast.service.world.faults().fail(nth, when, lasting);
            let answer = request(&browser);
            let missed = !cast.service.world.faults().mend();
            let step = format!("step {nth} {when:?} lasting {lasting} cold {cold}");
            assert!(answer.status == 503 || is_right(&answer), "{step}: {} {}", answer.status, answer.html);
            // Either the alarms come first and need no help, or the person does.
            if lasting {
                logs_and_views_agree(&cast.service);
            }
            // Where it was done before, the browser may have lost what it would be asked for.
            let again = request(&browser);
            assert!(is_right(&again), "{step}, again: {} {}", again.status, again.html);
            logs_and_views_agree(&cast.service);
            assert_eq!(count(&cast.service, event), 1, "{step}");
            assert!(!cast.service.is_active(&cast.client, text(&tokens, "access_token")), "{step}");
            if missed {
                assert!(is_right(&answer), "{step}");
                break;
            }
            struck += 1;
            assert!(nth < 400, "the fault never misses");
        }
    }
    assert!(struck >= 8, "nothing ever failed");
}

/// When it fails, whether all after it fail too, whether the isolate is cold.
const WAYS: [(When, bool, bool); 4] =
    [(When::Before, false, true), (When::Before, true, false), (When::After, false, false), (When::After, true, true)];

fn leads_back(page: &Page) -> bool {
    page.status == 303 && page.location() == BACK
}

#[test]
fn a_logout_survives_any_failure() {
    let by_id_token: Make = |_, _, tokens| {
        let path = logout(&[("id_token_hint", text(tokens, "id_token")), ("post_logout_redirect_uri", BACK)]);
        Box::new(move |browser| browser.get(&path))
    };
    survives(by_id_token, leads_back, "session_ended");
}

#[test]
fn a_confirmed_logout_survives_any_failure() {
    let by_yes: Make = |cast, browser, _| {
        let path = logout(&[("client_id", cast.client.id.as_str()), ("post_logout_redirect_uri", BACK)]);
        let challenge = browser.get(&path).challenge();
        Box::new(move |browser| browser.post("/logout", &[("challenge", &challenge)]))
    };
    survives(by_yes, leads_back, "session_ended");
}

#[test]
fn a_withdrawn_consent_survives_any_failure() {
    let withdraw: Make = |cast, browser, _| {
        let (challenge, client) = (browser.get("/account").challenge(), cast.client.id.clone());
        Box::new(move |browser| {
            let form = [("challenge", challenge.as_str()), ("action", "withdraw"), ("target", client.as_str())];
            browser.post("/account", &form)
        })
    };
    survives(withdraw, |page| page.status == 303 && page.location() == "/account?done=withdraw", "consent_withdrawn");
}
