//! Clients that are told of a logout late: after they were down, after the server was killed, by whom it may be held up.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod moody;

use grantlog_tests::{
    Browser, Person, Registration, RelyingParty, Service,
    audit::Auditor,
    jwt,
    relying_party::{REDIRECT, Tokens},
    server::OwnServer,
};
use moody::{Mood, Moody};
use serde_json::{Value, json};
use std::{
    thread,
    time::{Duration, Instant},
};

/// A client that wants to be told at the listener's address.
fn client(service: &Service, listener: &Moody) -> RelyingParty {
    let registration = Registration::relying_party("Back-channel", &[REDIRECT])
        .with("backchannel_logout_uri", json!(listener.url("/told")));
    RelyingParty::with(service, &registration)
}

/// Logs a person in; answers with the browser and what the client got.
fn logged_in(service: &Service, party: &RelyingParty) -> (Browser, Tokens) {
    let (person, browser) = (Person::create(service), Browser::new(service));
    let tokens = party.tokens(&browser, &person, &[]);
    (browser, tokens)
}

/// Answers with how long it took.
fn log_out(service: &Service, browser: &Browser, tokens: &Tokens) -> Duration {
    let begun = Instant::now();
    let page = browser.go(&format!("{}?id_token_hint={}", service.endpoint("end_session_endpoint"), tokens.id()));
    assert_eq!(page.answer.status, 200, "{page:?}");
    begun.elapsed()
}

/// What the log says of logouts that clients were told of, once it says something.
fn settled(service: &Service, client: &str) -> Vec<Value> {
    let auditor = Auditor::of(service);
    for _ in 0..50 {
        let query = |name| auditor.events(&[("type", name), ("client_id", client)]);
        let found = [query("logout_delivered"), query("logout_abandoned")].concat();
        if !found.is_empty() {
            return found;
        }
        thread::sleep(Duration::from_millis(100));
    }
    Vec::new()
}

/// Back-Channel Logout §2.5: never lost. It is the object's own alarm that remembers: nobody asks the restarted
/// server for anything but its health until the client has heard.
#[test]
fn a_client_that_was_down_is_told_although_the_server_was_killed_meanwhile() {
    let mut server = OwnServer::start("logout");
    let listener = Moody::listen();
    let service = server.service();
    let party = client(&service, &listener);
    let (browser, tokens) = logged_in(&service, &party);
    for mood in [Mood::Down, Mood::Broken] {
        listener.become_(mood);
        let (browser, tokens) = logged_in(&service, &party);
        log_out(&service, &browser, &tokens);
        assert!(listener.next(Duration::from_secs(10)).is_some(), "it is tried at once: {mood:?}");
    }
    log_out(&service, &browser, &tokens);
    server.kill();
    while listener.next(Duration::from_millis(200)).is_some() {}
    listener.become_(Mood::Well);
    server.resume();
    let mut told = Vec::new();
    while let Some(token) = listener.next(Duration::from_secs(if told.len() < 3 { 40 } else { 8 })) {
        told.push(jwt::verify(&token, &service.jwks()).expect("it is signed by a key of ours"));
    }
    assert_eq!(told.len(), 3, "each once: {told:?}");
    assert!(told.iter().any(|claims| claims["sid"] == tokens.claims()["sid"]));
    let events = settled(&service, &party.client.id);
    assert_eq!(events.len(), 3, "{events:?}");
    assert!(events.iter().all(|event| event["type"] == "logout_delivered"), "{events:?}");
    assert!(events.iter().any(|event| event["body"]["attempts"].as_u64() > Some(1)), "{events:?}");
}

/// A client that takes the connection and never answers holds up neither the person nor anybody else.
#[test]
fn a_client_that_never_answers_keeps_nobody_waiting() {
    let service = Service::shared();
    let (listener, well) = (Moody::listen(), Moody::listen());
    listener.become_(Mood::Silent);
    let (party, other) = (client(&service, &listener), client(&service, &well));
    let (person, browser) = (Person::create(&service), Browser::new(&service));
    let tokens = party.tokens(&browser, &person, &[]);
    drop(other.tokens(&browser, &person, &[]));
    let took = log_out(&service, &browser, &tokens);
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(well.next(Duration::from_secs(3)).is_some(), "who answers is told at once");
    assert!(listener.next(Duration::from_secs(3)).is_some());
    // The same person's home goes on meanwhile: a login with its code, and a second logout.
    let begun = Instant::now();
    let again = other.tokens(&browser, &person, &[]);
    log_out(&service, &browser, &again);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(4), "{took:?}");
}
