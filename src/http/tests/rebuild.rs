//! Every view made anew from its log is the live one, and a live one that was tampered with is found.

use super::{
    deployment::{Client, Service, claims},
    people::{Browser, Person},
};
use crate::{
    memory::finished,
    ports::{Parameter, Views, World},
};
use ::http::Method;
use grantlog_events::{Place, Subject};
use grantlog_projections::read_model::Table;
use serde_json::{Value, json};

fn compared(service: &Service) -> Value {
    let admin = service.operator("admin");
    service.send(Method::POST, "/admin/rebuilds", &admin, None).expect(200)
}

fn differing(answer: &Value) -> Vec<String> {
    let views = answer["views"].as_array().unwrap().iter().filter(|view| view["equal"] == false);
    views.map(|view| format!("{} {}", view["log"].as_str().unwrap(), view["view"].as_str().unwrap())).collect()
}

fn rows(answer: &Value, name: &str) -> u64 {
    let views = answer["views"].as_array().unwrap().iter().filter(|view| view["view"] == name);
    views.map(|view| view["rows"].as_u64().unwrap()).sum()
}

/// E6, E1: more events than one page of the projector, most of which show nothing; none is skipped.
#[test]
fn every_view_made_anew_equals_the_live_one() {
    let service = Service::with(&[("LOG_SHARDS", "1")]);
    let app = service.app();
    let people: Vec<Subject> = (0..3).map(|_| service.person()).collect();
    for _ in 0..600 {
        service.machine(&app);
    }
    let token = service.login(&app, &people[0]);
    service.revoke(&app, &token);
    let operator = service.operator("scim");
    service.send(Method::DELETE, &format!("/scim/v2/Users/{}", people[1]), &operator, None).expect(204);
    let answer = compared(&service);
    assert_eq!((differing(&answer), &answer["equal"]), (Vec::new(), &Value::Bool(true)));
    assert_eq!((rows(&answer, "users"), rows(&answer, "read_model.subjects")), (2, 3));
    assert_eq!((rows(&answer, "clients"), rows(&answer, "read_model.clients")), (1, 1));
    assert_eq!((rows(&answer, "read_model.revocations"), rows(&answer, "read_model.keys")), (1, 6));
}

/// E6, V15: grants that ended with a session, by name, with their person and with their client, and one that lives.
#[test]
fn login_grants_made_anew_equal_the_live_ones_however_they_ended() {
    let service = Service::with(&[("LOG_SHARDS", "1")]);
    let [app, other] = [0; 2].map(|_| service.relying_party(&json!({})));
    let (ada, bob) = (service.person_with_password(), service.person_with_password());
    let revoke = |target: Value| {
        let admin = service.operator("admin");
        service.send(Method::POST, "/admin/revocations", &admin, Some(&target)).expect(200)
    };
    let grants = |person: &Person, client: &Client, scope: &str| {
        let browser = Browser::new(&service);
        let tokens = browser.tokens(client, person, &[("scope", scope)]);
        claims(tokens["id_token"].as_str().unwrap())["sid"].as_str().unwrap().to_owned()
    };
    let bound = grants(&ada, &app, "openid");
    let with_grants = grants(&ada, &other, "openid offline_access");
    revoke(json!({ "sid": bound }));
    revoke(json!({ "sid": with_grants }));
    grants(&bob, &other, "openid");
    revoke(json!({ "subject": bob.subject.as_str() }));
    grants(&bob, &other, "openid offline_access");
    revoke(json!({ "client_id": other.id }));
    grants(&ada, &app, "openid offline_access");
    let answer = compared(&service);
    assert_eq!(differing(&answer), Vec::<String>::new());
    assert_eq!(rows(&answer, "read_model.grants"), 5);
    let live = finished(service.world.views().read_model_rows(Place { epoch: 1, shard: 0 }, Table::Grants)).unwrap();
    assert_eq!(live.iter().filter(|row| row[5] == Parameter::Null).count(), 1, "{live:?}");
}

/// A login costs a row of the read model and no view; a refresh costs neither.
#[test]
fn a_redeemed_code_has_a_row_and_leaves_the_users_view_alone() {
    let service = Service::with(&[("LOG_SHARDS", "1")]);
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let place = Place { epoch: 1, shard: 0 };
    let views = service.world.views();
    let follow = || finished(service.world.ring_alarms()).unwrap();
    let owes = || service.world.shard(place).has_follow_up();
    follow();
    let view = views.value(&format!("user:{}", person.subject));
    let tokens = Browser::new(&service).tokens(&client, &person, &[]);
    assert!(owes());
    follow();
    assert_eq!(finished(views.read_model_rows(place, Table::Grants)).unwrap().len(), 1);
    service.refresh(&client, tokens["refresh_token"].as_str().unwrap()).expect(200);
    assert!(!owes());
    assert_eq!(views.value(&format!("user:{}", person.subject)), view);
}

/// E6: the comparison can fail.
#[test]
fn a_view_that_is_not_what_its_log_gives_is_named() {
    let service = Service::with(&[("LOG_SHARDS", "1")]);
    let (one, other) = (service.person(), service.person());
    assert_eq!(differing(&compared(&service)), Vec::<String>::new());
    let stolen = service.world.views().value(&format!("user:{other}")).unwrap();
    finished(service.world.views().put_user(&one, Some(&stolen))).unwrap();
    assert_eq!(differing(&compared(&service)), ["1/0 users"]);
}

/// The scope `admin` alone may ask for it.
#[test]
fn a_rebuild_needs_the_scope_admin() {
    let service = Service::new();
    let auditor = service.operator("audit");
    service.send(Method::POST, "/admin/rebuilds", &auditor, None).expect(403);
}
