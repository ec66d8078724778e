//! KV as Cloudflare documents it: old elsewhere, one write a second, and writes that fail, linger or land late. What
//! was acknowledged is seen within the bounds all the same, and never lost.

mod any_writes;

use super::{
    agreement::logs_and_views_agree,
    deployment::{Answer, Client, Service, part},
};
use crate::{
    http,
    memory::{Fate, Kv},
    ports::World,
};
use ::http::Method;
use futures_util::future::join_all;
use grantlog_events::{Subject, Timestamp};
use serde_json::{Value, json};
use std::iter::repeat_n;

/// How old a value may be elsewhere, in milliseconds.
const LAG: u64 = 60_000;
/// For how long an isolate remembers a client, in milliseconds.
const REMEMBERED: u64 = 30_000;
/// Between two rings of an alarm that did not get everything done, in milliseconds.
const ALARM: u64 = 5_000;
/// How long after it was given up a write may still land, in milliseconds.
const LANDS_WITHIN: u64 = 30_000;

/// A person at an app, whom an edge beside their home and one far away know well.
struct Stage {
    here: Service,
    there: Service,
    app: Client,
    person: Subject,
}

impl Stage {
    fn new() -> Self {
        let here = Service::new();
        let (app, person) = (here.app(), here.person());
        here.ring_alarms();
        here.wait(2 * LAG);
        here.world.let_time_pass();
        let stage = Self { there: here.far_away(), here, app, person };
        stage.kv().lag(LAG);
        stage.kv().limit();
        stage
    }

    fn kv(&self) -> &Kv {
        self.here.world.views().kv()
    }

    /// The key of the person's view.
    fn key(&self) -> String {
        format!("user:{}", self.person)
    }

    fn now(&self) -> u64 {
        self.here.world.now().0
    }

    fn go_to(&self, instant: u64) {
        self.here.world.set_now(Timestamp(instant));
    }

    fn login(&self) -> String {
        self.here.login(&self.app, &self.person)
    }

    fn revoke(&self, token: &str) -> Answer {
        self.here.revoke(&self.app, token)
    }

    /// Rings every alarm; answers whether nothing is left to do.
    fn alarms_ring(&self) -> bool {
        self.here.world.finished(self.here.world.ring_alarms()).is_ok()
    }
}

/// Ends a token, or all that its person or client has; answers when that is acknowledged.
type End = fn(&Stage, &str) -> Answer;

const OF_THE_PERSON: [End; 5] = [
    |stage, token| stage.revoke(token),
    |stage, token| stage.here.end(&json!({ "jti": part(token, 1)["jti"] })),
    |stage, _| stage.here.end(&json!({ "subject": stage.person.as_str() })),
    |stage, _| {
        let suspend = json!({ "Operations": [{ "op": "replace", "path": "active", "value": false }] });
        scim(stage, Method::PATCH, Some(&suspend))
    },
    |stage, _| scim(stage, Method::DELETE, None),
];

fn scim(stage: &Stage, method: Method, body: Option<&Value>) -> Answer {
    stage.here.send(method, &format!("/scim/v2/Users/{}", stage.person), &stage.here.operator("scim"), body)
}

/// V3: at once where the view is written; elsewhere after a minute at most, and until then it may be otherwise.
#[test]
fn what_ends_a_persons_token_is_seen_here_at_once_and_elsewhere_within_a_minute() {
    for (number, end) in OF_THE_PERSON.iter().enumerate() {
        let stage = Stage::new();
        let token = stage.login();
        stage.there.userinfo(&token).expect(200);
        let answer = end(&stage, &token);
        assert!(answer.status.is_success(), "{number}: {answer:?}");
        let acknowledged = stage.now();
        assert_eq!(stage.here.userinfo(&token).status, 401, "{number}");
        stage.go_to(acknowledged + LAG - 1);
        assert_eq!(stage.there.userinfo(&token).status, 200, "{number}: an old copy is believed");
        stage.go_to(acknowledged + LAG);
        assert_eq!(stage.there.userinfo(&token).status, 401, "{number}");
    }
}

const OF_THE_CLIENT: [End; 2] = [
    |stage, _| stage.here.end(&json!({ "client_id": stage.app.id })),
    |stage, _| stage.here.send(Method::DELETE, &format!("/register/{}", stage.app.id), &stage.app.token, None),
];

/// V3: half a minute more where an isolate remembers the client, read when it was as old as it may be.
#[test]
fn what_ends_a_clients_tokens_is_seen_elsewhere_within_ninety_seconds() {
    for (number, end) in OF_THE_CLIENT.iter().enumerate() {
        let stage = Stage::new();
        let token = stage.login();
        let beside = stage.here.elsewhere();
        beside.userinfo(&token).expect(200);
        let answer = end(&stage, &token);
        assert!(answer.status.is_success(), "{number}: {answer:?}");
        let acknowledged = stage.now();
        assert_eq!(stage.here.userinfo(&token).status, 401, "{number}");
        stage.go_to(acknowledged + REMEMBERED);
        assert_eq!(beside.userinfo(&token).status, 401, "{number}");
        stage.go_to(acknowledged + LAG - 1);
        for instant in [acknowledged + LAG - 1, acknowledged + LAG + REMEMBERED - 2] {
            stage.go_to(instant);
            assert_eq!(stage.there.userinfo(&token).status, 200, "{number}: what is remembered is believed");
        }
        stage.go_to(acknowledged + LAG + REMEMBERED - 1);
        assert_eq!(stage.there.userinfo(&token).status, 401, "{number}");
    }
}

/// V3: that a key is compromised is read from the registry, not from KV.
#[test]
fn what_a_compromised_key_signed_is_refused_elsewhere_within_half_a_minute() {
    let stage = Stage::new();
    let token = stage.login();
    stage.there.userinfo(&token).expect(200);
    stage.here.end(&json!({ "kid": part(&token, 0)["kid"] })).expect(200);
    stage.go_to(stage.now() + REMEMBERED);
    assert_eq!(stage.there.userinfo(&token).status, 401);
}

/// That KV elsewhere knows of no such person or client is no verdict.
#[test]
fn who_has_just_come_is_known_everywhere_at_once_and_so_is_what_ends_their_tokens() {
    let stage = Stage::new();
    let (app, person) = (stage.here.app(), stage.here.person());
    let (token, dead) = (stage.there.login(&app, &person), stage.there.login(&app, &person));
    stage.there.userinfo(&token).expect(200);
    stage.here.revoke(&app, &dead).expect(200);
    assert_eq!(stage.there.userinfo(&dead).status, 401, "as long as no copy is there, the home is asked");
    stage.there.userinfo(&token).expect(200);
}

/// E1: an older view that lands on a newer one stands until the next alarm, and after half a minute none lands.
#[test]
fn a_write_that_lands_late_brings_a_dead_token_back_until_the_next_alarm_and_no_longer() {
    for fate in [Fate::Late(2_500), Fate::Late(29_999), Fate::Hangs(2_500), Fate::Hangs(17_900), Fate::Hangs(31_400)] {
        let stage = Stage::new();
        let (first, second) = (stage.login(), stage.login());
        stage.kv().plan(&stage.key(), [fate]);
        let begun = stage.now();
        stage.revoke(&first);
        stage.go_to(stage.now().max(begun + 2_000));
        stage.revoke(&second).expect(200);
        let acknowledged = stage.now();
        let (mut back, mut near, mut far, mut alarm) = (0, 0, 0, acknowledged + ALARM);
        while stage.now() < acknowledged + 3 * LAG {
            if stage.now() >= alarm {
                stage.alarms_ring();
                alarm = stage.now() + ALARM;
            }
            if stage.here.userinfo(&second).status == 200 {
                (back, near) = (back + 500, stage.now());
            }
            if stage.now() >= acknowledged + LAG && stage.there.userinfo(&second).status == 200 {
                far = stage.now();
            }
            stage.go_to(stage.now() + 500);
        }
        assert!(back > 0, "{fate:?}: it did not land on the newer view: the test says nothing");
        assert!(back <= ALARM, "{fate:?}: {back} ms");
        let bound = begun + 2_000 + LANDS_WITHIN + ALARM;
        assert!(near < bound && far < bound + LAG, "{fate:?}: {near} {far}");
        assert!(stage.alarms_ring());
        stage.here.userinfo(&first).expect(401);
    }
}

/// What cannot be shown is not acknowledged; the event stands, and the alarm shows it as soon as it can.
#[test]
fn a_revocation_that_kv_does_not_take_is_503_until_an_alarm_has_shown_it() {
    for fate in [Fate::TooOften, Fate::Lost] {
        let stage = Stage::new();
        let token = stage.login();
        stage.kv().plan(&stage.key(), repeat_n(fate, 1_000));
        for _ in 0..2 {
            let begun = stage.now();
            stage.revoke(&token).expect(503);
            assert!(stage.now() - begun < 2_500, "{fate:?}: its caller waited {} ms", stage.now() - begun);
            assert!(!stage.here.is_active(&stage.app, &token), "{fate:?}: the event stands");
            assert!(!stage.alarms_ring());
        }
        stage.kv().plan(&stage.key(), []);
        stage.alarms_ring();
        stage.here.userinfo(&token).expect(401);
        stage.go_to(stage.now() + LANDS_WITHIN);
        assert!(stage.alarms_ring(), "{fate:?}");
        stage.revoke(&token).expect(200);
    }
}

/// More than KV takes of one key: who comes too early waits, and many wait together for one write.
#[test]
fn more_revocations_than_a_write_a_second_are_acknowledged_with_the_next_write() {
    let stage = Stage::new();
    let tokens: Vec<String> = (0..21).map(|_| stage.login()).collect();
    let (first, others) = tokens.split_first().unwrap();
    stage.revoke(first).expect(200);
    let (begun, before) = (stage.now(), stage.kv().writes(&stage.key()));
    let world = &stage.here.world;
    let request = |token: &String| stage.here.request("/revoke", &stage.app, &[("token", token)]);
    let answers = world.finished(join_all(others.iter().map(|token| http::handle(world, request(token)))));
    assert!(answers.iter().all(|answer| answer.status() == 200), "{answers:?}");
    assert!(stage.now() - begun < 2_000, "{} ms", stage.now() - begun);
    // Each look at a key that may not be written yet is a refused write: twenty of them a second.
    assert!(stage.kv().writes(&stage.key()) - before <= 23, "{}", stage.kv().writes(&stage.key()) - before);
    for token in &tokens {
        stage.here.userinfo(token).expect(401);
    }
}

/// A client may be changed right after it was registered, though KV takes the second view a second later.
#[test]
fn two_changes_of_a_client_within_a_second_are_both_acknowledged_and_shown() {
    let stage = Stage::new();
    let app = stage.here.app();
    let begun = stage.now();
    let path = format!("/register/{}", app.id);
    stage.here.send(Method::DELETE, &path, &app.token, None).expect(204);
    assert!((900..2_000).contains(&(stage.now() - begun)), "{} ms", stage.now() - begun);
    stage.here.forget();
    stage.here.token(&app.id, &app.secret, "grant_type=client_credentials").expect(401);
    logs_and_views_agree(&stage.here);
}
