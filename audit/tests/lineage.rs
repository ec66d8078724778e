//! A person's grant drawn: session, code, first token, refreshes, exchanges. Pinned; `GOLDEN_UPDATE=1` rewrites it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bundle;

use bundle::{
    grantlog,
    log::{self, people::OFFLINE},
    login::Login,
};
use grantlog_events::{
    Seconds,
    command::{HearClient, Refresh},
};
use std::{fs, path::Path};

fn is_pinned(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("GOLDEN_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(pinned, text, "{file} pins another drawing (GOLDEN_UPDATE=1 rewrites it)");
}

/// Two refreshes, one given again and one given anew; an exchange of the first token with a family of its own.
fn grant(scope: &str) -> Login {
    let mut login = Login::new(scope);
    let (code, first) = (login.code, login.first);
    let log = login.log();
    let exchanged = log.later(1).exchange_with_refresh(first);
    log.later(1).refresh(exchanged, 1);
    let actor = log.issue(None, "openid");
    log.later(1).exchange(first, Some(actor));
    log.later(1).refresh(code, 1);
    log.later(1).refresh(code, 1);
    let command = Refresh { scope: Some(log::scope("openid")), ..log.refreshing(code, 2) };
    let mut short = command.clone();
    short.signing.lifetime = Seconds(5);
    log.later(1).grant(short);
    log.later(6).grant(command);
    login
}

fn drawn(login: &Login, more: &[&str]) -> String {
    let export = login.world.write();
    let (path, jti) = (export.path(), login.world.first.jti(login.first).to_string());
    let ended = grantlog(&[&["lineage", &path, "--jti", &jti], more].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended.out
}

#[test]
fn a_persons_grant_is_drawn_from_the_session_to_the_exchanges() {
    let mut login = grant(OFFLINE);
    is_pinned("lineage.txt", &drawn(&login, &[]));
    is_pinned("lineage.dot", &drawn(&login, &["--dot"]));
    let session = login.session;
    login.log().end_session(session, true);
    is_pinned("lineage-ended.txt", &drawn(&login, &[]));
}

#[test]
fn a_grant_that_died_with_its_session_says_so() {
    let mut login = grant("openid profile");
    let session = login.session;
    login.log().end_session(session, false);
    is_pinned("lineage-bound.txt", &drawn(&login, &[]));
}

#[test]
fn a_grant_whose_person_or_client_lost_everything_says_so() {
    let line = |login: &Login| drawn(login, &[]).lines().nth(1).unwrap().to_owned();
    let mut login = Login::new(OFFLINE);
    let person = login.person.clone();
    login.log().suspend(&person, true);
    assert!(line(&login).contains("grant 1.0.9 subject_suspended to app"), "{}", line(&login));
    login.log().suspend(&person, false);
    assert!(line(&login).contains("grant 1.0.9 active to app"), "{}", line(&login));
    login.log().revoke_subject(&person);
    assert!(line(&login).contains("grant 1.0.9 subject_tokens_revoked to app"), "{}", line(&login));
    let mut login = Login::new(OFFLINE);
    let client = log::client("app");
    login.log().grant(HearClient { client, generation: 1, registry_seq: 4, deleted: true, revoke_tokens: false });
    assert!(line(&login).contains("grant 1.0.9 client_deleted to app"), "{}", line(&login));
}
