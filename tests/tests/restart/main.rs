//! `kill -9` under load, several times on the same state: nothing that was acknowledged is lost.
//!
//! By default 2,000 revocations must hold (VD); `GRANTLOG_LONG=1` makes it 20,000.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod load;

use grantlog_tests::{
    Client, Registration, Service,
    audit::Auditor,
    command_line, environment, jwt, parallel,
    party::{Cast, SCOPE},
    server::OwnServer,
};
use load::{Acknowledged, Load};
use std::{thread, time::Duration};

const ROUNDS: u64 = 4;
const THREADS: usize = 8;
/// Who revoke at once wait together for one write of the view.
const MANY_THREADS: usize = 32;

/// VD, E16: every token that was handed out is known, every revocation that was acknowledged holds.
#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let mut server = OwnServer::start("restart");
    let cast = Cast::of(&server.service());
    let mut kept = Acknowledged::default();
    for round in 0..ROUNDS {
        let load = Load::begin(&cast);
        thread::sleep(Duration::from_millis(700 + 150 * round));
        server.kill();
        let gained = load.end();
        println!(
            "round {round}: {} tokens and {} revocations acknowledged before the kill",
            gained.tokens.len(),
            gained.revoked.len()
        );
        kept.add(gained);
        server.resume();
        must_hold(&cast, &kept);
    }
    assert!(kept.tokens.len() > 50 && kept.revoked.len() > 10, "there was hardly any load: the test says nothing");
    must_verify(&server);
}

/// VD: many live revocations of one person, in one shard, hold after a restart.
#[test]
fn every_one_of_many_revocations_holds_after_a_restart() {
    let count = if environment::is_long() { 20_000 } else { 2_000 };
    println!("{count} revocations (20,000 with GRANTLOG_LONG=1)");
    let mut server = OwnServer::start("revocations");
    let cast = Cast::of(&server.service());
    // They outlive the test, so that none is dead for being old.
    let app = Registration::frontend("app", &cast.login).lifetime(24 * 3_600).scope(SCOPE).register(&cast.service);
    let token = || app.token_for(&cast.login, &cast.user.id, SCOPE);
    let revoked = parallel::each(MANY_THREADS, &vec![(); count], |_, ()| {
        let token = token();
        let answer = app.revoke(&token);
        assert_eq!(answer.status, 200, "{answer:?}");
        token
    });
    let living = token();
    server.kill();
    server.resume();
    cast.must_live(&app, &living);
    parallel::each(THREADS, &revoked, |_, token| {
        app.introspect(token).must_be_inactive();
        cast.service.userinfo(token).send().must_challenge(401, "invalid_token");
    });
}

/// K8: the keys survive; a token signed before verifies after, and so does one signed after.
#[test]
fn the_key_set_is_the_same_after_a_restart() {
    let mut server = OwnServer::start("keys");
    let cast = Cast::of(&server.service());
    let (before, token) = (cast.service.jwks(), cast.first_token());
    for _ in 0..2 {
        server.kill();
        server.resume();
        assert_eq!(cast.service.jwks(), before);
        cast.must_live(&cast.frontend, &token);
        assert!(jwt::verify(&cast.first_token(), &before).is_ok());
    }
}

/// V12 by signing key: everything the key signed is dead, also after a restart; a spare signs on (K1).
#[test]
fn everything_that_a_compromised_key_signed_is_dead() {
    let mut server = OwnServer::start("compromise");
    let cast = Cast::of(&server.service());
    let (first, before) = (cast.first_token(), cast.service.jwks());
    let kid = jwt::header(&first)["kid"].clone();
    let answer = cast.service.revoke_all(&serde_json::json!({ "kid": kid, "reason": "found in a backup" }));
    assert_eq!(answer.status, 200, "{answer:?}");
    for _ in 0..2 {
        is_distrusted(&cast, &first);
        let next = cast.first_token();
        assert_ne!(jwt::header(&next)["kid"], kid);
        assert!(jwt::verify(&next, &before).is_ok(), "the key that signs now was published before");
        cast.must_live(&cast.frontend, &next);
        server.kill();
        server.resume();
    }
}

fn is_distrusted(cast: &Cast, token: &str) {
    cast.frontend.introspect(token).must_be_inactive();
    cast.backend.exchange(token).send().must_refuse(400, "invalid_request");
    cast.service.userinfo(token).send().must_challenge(401, "invalid_token");
}

fn must_hold(cast: &Cast, kept: &Acknowledged) {
    parallel::each(THREADS, &kept.tokens, |_, (token, is_child)| {
        let answer = owner(cast, *is_child).introspect(token);
        assert!(answer.status == 200 && answer.is_active(), "an acknowledged token was lost: {answer:?}");
    });
    parallel::each(THREADS, &kept.revoked, |_, token| cast.must_be_dead(&cast.frontend, token));
    cast.must_live(&cast.frontend, &cast.first_token());
}

fn owner(cast: &Cast, is_child: bool) -> &Client {
    if is_child { &cast.backend } else { &cast.frontend }
}

fn must_verify(server: &OwnServer) {
    let (service, directory): (Service, _) = (server.service(), server.directory().join("export"));
    let exported = command_line::export(&service.issuer, &Auditor::of(&service).token, &directory);
    assert_eq!(exported.code, 0, "{}", exported.printed);
    let verified = command_line::verify(&directory);
    assert_eq!(verified.code, 0, "{}", verified.printed);
}
