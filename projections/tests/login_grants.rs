//! Login grants in the read model: one row for each redeemed code, and what ends them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod log;

use grantlog_events::{
    Place, Subject,
    command::{EraseSubject, HearClient},
};
use grantlog_projections::read_model::{Field, Shadow, Table, changes};
use log::{Log, people::OFFLINE};

const SHARD: Place = Place { epoch: 1, shard: 0 };

fn rows(log: &Log) -> Vec<Vec<Field>> {
    let mut shadow = Shadow::default();
    log.events.iter().for_each(|(event, _)| shadow.take(event));
    shadow.rows(Table::Grants)
}

/// Addresses of the grants that have ended, with when.
fn ended(log: &Log) -> Vec<(String, u64)> {
    let ended = |row: Vec<Field>| match (&row[0], &row[5]) {
        (Field::Text(address), Field::Integer(at)) => Some((address.clone(), *at)),
        _ => None,
    };
    rows(log).into_iter().filter_map(ended).collect()
}

fn text(value: &(impl ToString + ?Sized)) -> Field {
    Field::Text(value.to_string())
}

/// Two logins of one person: the first with a grant that dies with it and one that outlives it.
struct Logins {
    log: Log,
    person: Subject,
    first: u64,
    bound: u64,
    offline: u64,
    other: u64,
}

fn logins() -> Logins {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let first = log.log_in(&person);
    let second = log.log_in(&person);
    let [bound, offline, other] = [(first, "openid"), (first, OFFLINE), (second, "openid")].map(|(session, scope)| {
        let code = log.later(1).code(&person, session, scope);
        log.redeem(code);
        code
    });
    Logins { log, person, first, bound, offline, other }
}

fn here(seq: u64) -> String {
    SHARD.at(seq).to_string()
}

#[test]
fn a_redeemed_code_is_a_row_and_neither_a_code_nor_a_token_is() {
    let mut log = Log::open(SHARD);
    let person = log.person(1);
    let session = log.log_in(&person);
    let code = log.later(1).code(&person, session, "openid profile");
    assert!(rows(&log).is_empty());
    let first = log.later(1).redeem(code);
    let row = vec![
        text(&here(code)),
        text("1/0"),
        text(&person),
        text("app"),
        Field::Integer(log.now.0),
        Field::Null,
        Field::Integer(first),
        text(&here(session)),
        text("openid profile"),
    ];
    assert_eq!(rows(&log), std::slice::from_ref(&row));
    log.later(1).refresh(code, 1);
    log.later(1).refresh(code, 1);
    log.later(1).exchange(first, None);
    log.later(1).exchange_with_refresh(first);
    let later = &log.events[usize::try_from(first).unwrap() + 1..];
    assert!(later.iter().all(|(event, _)| changes(event).is_empty()), "a write for a token");
    assert_eq!(rows(&log), [row]);
}

#[test]
fn a_grant_that_outlives_its_session_names_none() {
    let Logins { log, offline, .. } = logins();
    let row = rows(&log).into_iter().find(|row| row[0] == text(&here(offline))).unwrap();
    assert_eq!((&row[7], &row[8]), (&Field::Null, &text(OFFLINE)));
}

/// V15: the end of a session ends what is bound to it, and nothing of another one.
#[test]
fn the_end_of_a_session_ends_exactly_what_it_ended() {
    let Logins { mut log, first, bound, offline, .. } = logins();
    let mut all = log.clone();
    log.later(5).end_session(first, false);
    assert_eq!(ended(&log), [(here(bound), log.now.0)]);
    all.later(5).end_session(first, true);
    assert_eq!(ended(&all), [(here(bound), all.now.0), (here(offline), all.now.0)]);
}

/// V12: whatever ends grants ends their rows, once.
#[test]
fn every_way_to_end_grants_ends_their_rows() {
    type Ends = fn(&mut Logins);
    let all: [(&str, Ends); 5] = [
        ("a consent", |it| {
            let (person, session) = (it.person.clone(), it.first);
            it.log.withdraw(&person, session);
        }),
        ("everything of a person", |it| {
            let person = it.person.clone();
            it.log.revoke_subject(&person);
        }),
        ("a person", |it| {
            let subject = it.person.clone();
            it.log.grant(EraseSubject { subject });
        }),
        ("a client", |it| {
            it.log.grant(told_of_app(true));
        }),
        ("everything of a client", |it| {
            it.log.grant(told_of_app(false));
        }),
    ];
    for (what, end) in all {
        let mut it = logins();
        it.log.later(7);
        end(&mut it);
        let at = it.log.now.0;
        let [bound, offline, other] = [it.bound, it.offline, it.other].map(|seq| (here(seq), at));
        let mut expected = vec![bound, offline, other];
        expected.sort();
        assert_eq!(ended(&it.log), expected, "{what}");
        let first = it.first;
        it.log.later(1).end_session(first, true);
        assert_eq!(ended(&it.log), expected, "{what}: what ended stays as it ended");
    }
    let mut it = logins();
    let offline = it.offline;
    it.log.later(7).revoke_grant(offline);
    assert_eq!(ended(&it.log), [(here(offline), it.log.now.0)]);
}

fn told_of_app(deleted: bool) -> HearClient {
    HearClient { client: log::client("app"), generation: 1, registry_seq: 9, deleted, revoke_tokens: !deleted }
}

#[test]
fn another_clients_change_ends_nothing() {
    let mut it = logins();
    it.log.grant(HearClient { client: log::client("other"), ..told_of_app(true) });
    let client = log::client("app");
    it.log.grant(HearClient { client, generation: 1, registry_seq: 9, deleted: false, revoke_tokens: false });
    assert_eq!(ended(&it.log), []);
}
