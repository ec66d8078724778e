//! `/userinfo`: the view decides within its bound, the log at once where it is asked instead.

use super::deployment::{Service, token_in};
use crate::memory::finished;
use crate::ports::{Views, World};
use ::http::{Method, header};
use grantlog_events::{Stored, Subject};
use grantlog_projections::user::UserView;
use serde_json::{Value, json};

fn view(service: &Service, subject: &Subject) -> Vec<u8> {
    service.world.views().value(&format!("user:{subject}")).unwrap()
}

fn put_back(service: &Service, subject: &Subject, old: &[u8]) {
    finished(service.world.views().put_user(subject, Some(old))).unwrap();
}

#[test]
fn claims_are_those_that_the_scope_opens_by_get_and_by_post() {
    let service = Service::new();
    let app = service.app();
    let user = json!({
        "userName": "ada", "name": { "givenName": "Ada" }, "locale": "en",
        "emails": [{ "value": "ada@example.org", "primary": true }],
    });
    let body = service.send(Method::POST, "/scim/v2/Users", &service.operator("scim"), Some(&user)).expect(201);
    let subject = Subject::parse(body["id"].as_str().unwrap()).unwrap();
    let token = service.login(&app, &subject);
    let everything = json!({
        "sub": subject.as_str(), "name": "Ada", "given_name": "Ada", "preferred_username": "ada", "locale": "en",
        "email": "ada@example.org", "email_verified": true,
    });
    let answer = service.userinfo(&token);
    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(answer.expect(200), everything);
    let post = ::http::Request::post("/userinfo").header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    assert_eq!(
        service.handle(post.body(format!("access_token={token}").into_bytes()).unwrap()).expect(200),
        everything
    );
    let narrow = token_in(service.exchange(&service.exchanger(), &token, &[("scope", "openid email")]));
    assert_eq!(
        service.userinfo(&narrow).expect(200),
        json!({ "sub": subject.as_str(), "email": "ada@example.org", "email_verified": true })
    );
}

/// I3: what is wrong is in the challenge, in the words of RFC 6750.
#[test]
fn a_token_for_others_without_openid_or_of_a_machine_is_refused() {
    let service = Service::new();
    let (app, backend) = (service.app(), service.exchanger());
    let token = service.login(&app, &service.person());
    let elsewhere = token_in(service.exchange(&backend, &token, &[("audience", "api")]));
    let without = token_in(service.exchange(&backend, &token, &[("scope", "read")]));
    let challenge = |token: &str, status: u16| {
        let answer = service.userinfo(token);
        let challenge = answer.headers[header::WWW_AUTHENTICATE].to_str().unwrap().to_owned();
        answer.expect(status);
        challenge
    };
    assert!(challenge(&elsewhere, 401).contains("error=\"invalid_token\""));
    assert!(challenge(&without, 403).contains("error=\"insufficient_scope\""));
    assert!(challenge(&service.machine(&app), 401).contains("error=\"invalid_token\""));
    assert!(challenge("x.y.z", 401).contains("error=\"invalid_token\""));
    let missing = service.get("/userinfo");
    assert_eq!(missing.headers[header::WWW_AUTHENTICATE], "Bearer realm=\"grantlog\"");
    assert_eq!(missing.expect(401), Value::Null);
    service.wait(900_000);
    assert!(challenge(&token, 401).contains("error=\"invalid_token\""));
}

/// V3: an older copy of the view is what another place may still see; the log sees through it at once.
#[test]
fn an_old_view_is_believed_unless_the_log_is_asked() {
    for (values, metadata, believed) in [
        (&[][..], json!({}), 200),
        (&[("USERINFO_CONSISTENCY", "log")][..], json!({}), 401),
        (&[][..], json!({ "userinfo_consistency": "log" }), 401),
    ] {
        let service = Service::with(values);
        let app = service.register(&service.app_metadata(&metadata));
        let subject = service.person();
        let (token, kept) = (service.login(&app, &subject), service.login(&app, &subject));
        let old = view(&service, &subject);
        service.revoke(&app, &token).expect(200);
        let new = view(&service, &subject);
        for cold in [false, true] {
            assert_eq!(service.userinfo(&token).status, 401);
            put_back(&service, &subject, &old);
            if cold {
                service.forget();
            }
            assert_eq!(service.userinfo(&token).status, believed, "{values:?} {metadata}");
            assert_eq!(service.userinfo(&kept).status, 200);
            put_back(&service, &subject, &new);
        }
    }
}

/// XG, V3: a suspension is answered when the view says so, and the view carries its position.
#[test]
fn a_suspension_after_the_view_was_written_is_seen_at_once() {
    for consistency in ["kv", "log"] {
        let service = Service::with(&[("USERINFO_CONSISTENCY", consistency)]);
        let subject = service.person();
        let token = service.login(&service.app(), &subject);
        service.userinfo(&token).expect(200);
        let seq = |service: &Service| UserView::from_bytes(&view(service, &subject)).unwrap().seq;
        let before = seq(&service);
        service.suspend(&subject);
        assert!(seq(&service) > before);
        assert_eq!(service.userinfo(&token).status, 401, "{consistency}");
        service.set_active(&subject, true);
        service.userinfo(&token).expect(200);
        service.end(&json!({ "subject": subject.as_str() })).expect(200);
        assert_eq!(service.userinfo(&token).status, 401, "{consistency}");
    }
}

/// A view that is not there is no verdict: the home knows.
#[test]
fn a_person_without_a_view_is_asked_about_at_home() {
    let service = Service::new();
    let (app, subject) = (service.app(), service.person());
    let (token, dead) = (service.login(&app, &subject), service.login(&app, &subject));
    service.revoke(&app, &dead).expect(200);
    finished(service.world.views().put_user(&subject, None)).unwrap();
    assert_eq!(service.userinfo(&token).expect(200)["given_name"], "Ada");
    assert_eq!(service.userinfo(&dead).status, 401);
    assert_eq!(service.world.views().value(&format!("user:{subject}")), None, "only the home writes it");
    service.send(Method::DELETE, &format!("/scim/v2/Users/{subject}"), &service.operator("scim"), None).expect(204);
    assert_eq!(service.userinfo(&token).status, 401);
}

/// V7: ten thousand groups are one read, and come as they were stored.
#[test]
fn ten_thousand_groups_are_one_read() {
    let service = Service::new();
    let (app, subject) = (service.app(), service.person());
    let token = service.login(&app, &subject);
    let groups: Vec<String> = (0..10_000).map(|number| format!("group-{number}")).collect();
    let mut large = UserView::from_bytes(&view(&service, &subject)).unwrap();
    let members = json!({ "groups": groups }).to_string();
    large.claims.push(("groups".to_owned(), members[1..members.len() - 1].to_owned()));
    put_back(&service, &subject, &large.to_bytes());
    service.userinfo(&token).expect(200);
    service.world.faults().start_counting();
    let body = service.userinfo(&token).expect(200);
    assert_eq!(service.world.faults().counted().calls, ["views.user"]);
    assert_eq!(body["groups"].as_array().unwrap().len(), 10_000);
}
