//! Clients are told that a session ended (OIDC Back-Channel Logout 1.0), until they have taken it, for a day.

use super::{
    super::{
        agreement::logs_and_views_agree,
        deployment::{Client, Service, changed, claims, part},
    },
    Browser,
    browser::Person,
    log::{count, events},
    logout::{logout, text},
};
use crate::{
    jose::ring,
    memory::{When, finished},
    metrics::Metric,
    ports::{Keys, World},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const TOLD_AT: &str = "https://app.example/told";
const HOUR: u64 = 3_600_000;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

fn cast() -> Cast {
    cast_with(&json!({}))
}

fn cast_with(change: &Value) -> Cast {
    let service = Service::new();
    let base = json!({ "backchannel_logout_uri": TOLD_AT });
    let client = service.relying_party(&changed(&base, change));
    let person = service.person_with_password();
    Cast { service, client, person }
}

impl Cast {
    /// Logs the person in and out again; answers with the ID token.
    fn log_in_and_out(&self) -> String {
        let browser = Browser::new(&self.service);
        let tokens = browser.tokens(&self.client, &self.person, &[("scope", "openid")]);
        let id_token = text(&tokens, "id_token").to_owned();
        assert_eq!(browser.get(&logout(&[("id_token_hint", &id_token)])).status, 200);
        id_token
    }

    fn answers(&self, status: Option<u16>) {
        self.service.world.outbound().answer(TOLD_AT, status);
    }

    /// What the client was sent so far.
    fn told(&self) -> Vec<String> {
        let posted = self.service.world.outbound().posted().into_iter().filter(|(url, _)| url == TOLD_AT);
        posted.map(|(_, form)| form.strip_prefix("logout_token=").unwrap().to_owned()).collect()
    }

    /// Attempts by virtual time: one tick a minute.
    fn rings_every_minute_for(&self, hours: u64) {
        for _ in 0..hours * 60 {
            self.service.wait(60_000);
            self.service.ring_alarms();
        }
    }

    fn settled(&self) -> Vec<(String, u64, Option<String>)> {
        let settled = events(&self.service).into_iter().filter_map(|event| match event.body {
            Body::LogoutDelivered(told) => Some((event.client?.to_string(), told.attempts, None)),
            Body::LogoutAbandoned(told) => Some((event.client?.to_string(), told.attempts, Some(told.reason))),
            _ => None,
        });
        settled.collect()
    }
}

/// Back-Channel Logout §2.4, §2.5, §2.6: as a client checks it.
#[test]
fn a_client_is_told_by_a_logout_token_that_it_can_check() {
    let cast = cast();
    cast.answers(Some(200));
    // The home knows that nobody waits, until somebody does.
    cast.service.ring_alarms();
    let id_token = cast.log_in_and_out();
    assert!(cast.told().is_empty(), "the logout waits for nobody");
    cast.service.ring_alarms();
    let told = cast.told();
    let [token] = told.as_slice() else { panic!("{told:?}") };
    let (header, said) = (part(token, 0), claims(token));
    assert_eq!((&header["typ"], &header["alg"]), (&json!("logout+jwt"), &json!("RS256")));
    let login = claims(&id_token);
    for name in ["iss", "sub", "aud", "sid"] {
        assert_eq!(said[name], login[name], "{name}");
    }
    assert_eq!(said["events"], json!({ "http://schemas.openid.net/event/backchannel-logout": {} }));
    assert!(said["jti"].is_string() && said.get("nonce").is_none());
    assert_eq!(said["exp"].as_u64().unwrap() - said["iat"].as_u64().unwrap(), 120);
    assert_eq!(said["iat"], cast.service.world.now().seconds());
    assert!(is_signed_by_us(&cast.service, token));
    assert_eq!(cast.settled(), [(cast.client.id.clone(), 1, None)]);
    // Once.
    cast.rings_every_minute_for(25);
    assert_eq!(cast.told().len(), 1);
}

fn is_signed_by_us(service: &Service, token: &str) -> bool {
    let (message, signature) = token.rsplit_once('.').unwrap();
    let ring = finished(ring::ring(&service.world)).unwrap();
    let key = ring.verifying(part(token, 0)["kid"].as_str().unwrap()).unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    finished(service.world.keys().verify(&key.public, message.as_bytes(), &signature)).unwrap()
}

/// A logout token is no ID token: it logs nobody out, and opens nothing.
#[test]
fn a_logout_token_is_good_for_nothing_else() {
    let cast = cast();
    cast.answers(Some(200));
    cast.log_in_and_out();
    cast.service.ring_alarms();
    let token = cast.told().remove(0);
    let browser = Browser::new(&cast.service);
    browser.tokens(&cast.client, &cast.person, &[("scope", "openid")]);
    let page = browser.get(&logout(&[("id_token_hint", &token)]));
    assert!(page.is_at("/logout"), "not asked: {}", page.html);
    assert_eq!(cast.service.userinfo(&token).status, 401);
    assert_eq!(count(&cast.service, "session_ended"), 1);
}

/// OIDC Core §8.1: as this client knows the person; signed as its ID tokens are, by the algorithm it registered.
#[test]
fn the_person_is_named_and_the_token_signed_as_in_the_clients_id_tokens() {
    for algorithm in ["RS256", "ES256", "EdDSA"] {
        let cast = cast_with(&json!({ "subject_type": "pairwise", "id_token_signed_response_alg": algorithm }));
        cast.answers(Some(204));
        let id_token = cast.log_in_and_out();
        cast.service.ring_alarms();
        let token = cast.told().remove(0);
        for signed in [&id_token, &token] {
            assert_eq!(part(signed, 0)["alg"], algorithm);
            assert!(is_signed_by_us(&cast.service, signed));
        }
        assert_eq!(claims(&token)["sub"], claims(&id_token)["sub"]);
        assert_ne!(claims(&token)["sub"], cast.person.subject.as_str());
        assert_eq!(count(&cast.service, "logout_delivered"), 1);
    }
}

/// §2.5: each attempt is a token of its own; the waits grow.
#[test]
fn a_client_that_is_down_is_told_again_at_growing_intervals_until_it_takes_it() {
    let cast = cast();
    cast.answers(None);
    cast.log_in_and_out();
    cast.service.ring_alarms();
    let begun = cast.service.world.now();
    let mut at = vec![0];
    for _ in 0..2 * 3_600 {
        cast.service.wait(1_000);
        cast.service.ring_alarms();
        if cast.told().len() > at.len() {
            at.push(cast.service.world.now().since(begun) / 1_000);
        }
    }
    assert_eq!(at, [0, 10, 70, 370, 1_270, 4_870]);
    for status in [500, 404, 302, 201] {
        cast.answers(Some(status));
        let before = cast.told().len();
        cast.rings_every_minute_for(2);
        assert!(cast.told().len() > before);
        assert_eq!(cast.settled(), [], "{status}");
    }
    cast.answers(Some(200));
    cast.rings_every_minute_for(2);
    let told = cast.told();
    assert_eq!(cast.settled(), [(cast.client.id.clone(), told.len() as u64, None)]);
    let ids: BTreeSet<String> = told.iter().map(|token| claims(token)["jti"].to_string()).collect();
    assert_eq!(ids.len(), told.len());
    let last = claims(told.last().unwrap());
    assert!(last["exp"].as_u64().unwrap() > cast.service.world.now().seconds() - 2 * HOUR / 1_000);
}

#[test]
fn it_is_given_up_after_a_day_and_not_before_and_the_log_says_so() {
    let cast = cast();
    cast.answers(Some(500));
    cast.log_in_and_out();
    cast.service.ring_alarms();
    cast.rings_every_minute_for(23);
    assert_eq!(cast.settled(), []);
    cast.rings_every_minute_for(3);
    let told = cast.told().len();
    assert_eq!(
        cast.settled(),
        [(cast.client.id.clone(), told as u64, Some("the client did not take it within a day".to_owned()))]
    );
    assert!((25..40).contains(&told), "{told}");
    let metric = |metric| cast.service.world.counted(metric);
    assert_eq!((metric(Metric::LogoutsDelivered), metric(Metric::LogoutsAbandoned)), (0, 1));
    cast.rings_every_minute_for(2);
    assert_eq!(cast.told().len(), told);
}

#[test]
fn a_client_that_is_gone_or_wants_no_word_any_more_is_given_up_at_once() {
    let ends: [(End, &str); 2] = [
        (
            |cast, _| {
                let path = format!("/register/{}", cast.client.id);
                cast.service.send(::http::Method::DELETE, &path, &cast.client.token, None).expect(204);
            },
            "the client is deleted",
        ),
        (
            |cast, _| cast.service.update(&cast.client, &json!({ "backchannel_logout_uri": null })),
            "the client has no backchannel_logout_uri any more",
        ),
    ];
    for (end, reason) in ends {
        let cast = cast();
        cast.answers(Some(200));
        cast.log_in_and_out();
        end(&cast, &Browser::new(&cast.service));
        cast.service.ring_alarms();
        assert!(cast.told().is_empty());
        assert_eq!(cast.settled(), [(cast.client.id.clone(), 1, Some(reason.to_owned()))]);
    }
}

/// Something that ends the session of a browser.
type End = fn(&Cast, &Browser<'_>);

/// Everybody whom the session was used for is told, once each, and nobody else; however it ended.
#[test]
fn every_client_of_the_session_is_told_however_it_ends() {
    let ends: [End; 4] = [
        |_, browser| {
            let page = browser.get("/logout");
            browser.post("/logout", &[("challenge", &page.challenge())]);
        },
        |cast, _| {
            cast.service.suspend(&cast.person.subject);
        },
        |cast, _| {
            let subject = cast.person.subject.as_str();
            cast.service.end(&json!({ "subject": subject, "reason": "stolen" })).expect(200);
        },
        |cast, _| {
            let path = format!("/scim/v2/Users/{}", cast.person.subject);
            let erased = cast.service.send(::http::Method::DELETE, &path, &cast.service.operator("scim"), None);
            assert_eq!(erased.status, 204);
        },
    ];
    for (number, end) in ends.iter().enumerate() {
        let cast = cast();
        let other = cast.service.relying_party(&json!({ "backchannel_logout_uri": "https://other.example/told" }));
        let silent = cast.service.relying_party(&json!({}));
        let unused = cast.service.relying_party(&json!({ "backchannel_logout_uri": "https://unused.example/told" }));
        let browser = Browser::new(&cast.service);
        for client in [&cast.client, &other, &silent, &cast.client] {
            browser.tokens(client, &cast.person, &[("scope", "openid")]);
        }
        Browser::new(&cast.service).tokens(&unused, &cast.service.person_with_password(), &[("scope", "openid")]);
        end(&cast, &browser);
        for url in [TOLD_AT, "https://other.example/told", "https://unused.example/told"] {
            cast.service.world.outbound().answer(url, Some(200));
        }
        cast.service.ring_alarms();
        let told: Vec<String> = cast.service.world.outbound().posted().into_iter().map(|(url, _)| url).collect();
        let told_of: BTreeSet<&str> = told.iter().map(String::as_str).collect();
        assert_eq!((told.len(), told_of), (2, BTreeSet::from([TOLD_AT, "https://other.example/told"])), "{number}");
    }
}

/// One that does not answer holds nobody else up.
#[test]
fn a_client_that_is_down_holds_no_other_up() {
    let cast = cast();
    let other = cast.service.relying_party(&json!({ "backchannel_logout_uri": "https://other.example/told" }));
    let browser = Browser::new(&cast.service);
    for _ in 0..10 {
        cast.log_in_and_out();
    }
    for client in [&cast.client, &other] {
        browser.tokens(client, &cast.person, &[("scope", "openid")]);
    }
    let page = browser.get("/logout");
    browser.post("/logout", &[("challenge", &page.challenge())]);
    cast.service.world.outbound().answer("https://other.example/told", Some(200));
    cast.service.ring_alarms();
    assert_eq!(cast.settled(), [(other.id, 1, None)]);
    let posted = cast.service.world.outbound().posted().len();
    assert_eq!(posted, 12, "each is tried once");
}

/// What stands beside the log while a client is told in vain is gone with the last word on it.
#[test]
fn nothing_is_left_of_a_notice_that_is_settled() {
    let cast = cast();
    cast.answers(None);
    cast.log_in_and_out();
    cast.service.ring_alarms();
    let home = cast.service.home(&cast.person.subject);
    let left = || cast.service.world.shard(home).store().all_secrets().keys().any(|name| name.starts_with("attempts/"));
    let waits = || cast.service.world.shard(home).store().all_rows().keys().any(|key| key.starts_with("notice/"));
    assert!(left() && waits());
    cast.answers(Some(200));
    cast.service.wait(10_000);
    cast.service.ring_alarms();
    assert_eq!(count(&cast.service, "logout_delivered"), 1);
    assert!(!left() && !waits());
    let metric = |metric| cast.service.world.counted(metric);
    assert_eq!((metric(Metric::LogoutsDelivered), metric(Metric::LogoutsAbandoned)), (1, 0));
    logs_and_views_agree(&cast.service);
}

/// Trouble of the deployment's own is no verdict on a client: it is told once all is well.
#[test]
fn a_failure_at_any_step_loses_nothing() {
    for nth in 0.. {
        let cast = cast();
        cast.answers(Some(200));
        cast.log_in_and_out();
        cast.service.world.faults().fail(nth, When::Before, false);
        let rang = finished(cast.service.world.ring_alarms());
        let struck = cast.service.world.faults().mend();
        cast.service.wait(10_000);
        cast.service.ring_alarms();
        assert_eq!(count(&cast.service, "logout_delivered"), 1, "a fault at {nth}");
        assert_eq!(count(&cast.service, "logout_abandoned"), 0);
        if !struck {
            assert!(rang.is_ok() && nth > 20);
            break;
        }
    }
}
