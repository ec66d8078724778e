//! People by SCIM (RFC 7643, RFC 7644), and what `/userinfo` tells of them (OIDC Core §5.4).

use crate::round_trips;
use grantlog_tests::{
    Registration, Service, User, parallel,
    party::Cast,
    random::unique,
    request::encoded,
    user::{SCIM, scim},
};
use serde_json::{Value, json};

/// RFC 7644 §3.3, §3.4: created, read, found by name.
#[test]
fn a_person_is_created_read_and_found() {
    let service = Service::shared();
    let mark = unique();
    let user = User::create_with(&service, &User::attributes(&mark));
    let read = user.read().expect(200);
    assert!(read.header("content-type").starts_with(SCIM), "{read:?}");
    let resource = read.json();
    assert_eq!(resource["id"].as_str(), Some(user.id.as_str()));
    assert_eq!(resource["userName"].as_str(), Some(user.name.as_str()));
    assert_eq!(resource["name"]["givenName"], format!("Given{mark}"));
    assert_eq!(resource["active"], true);
    assert_eq!(found(&service, &user.name)["Resources"][0]["id"].as_str(), Some(user.id.as_str()));
    assert_eq!(found(&service, "nobody at all")["totalResults"], 0);
}

/// RFC 7644 §3.3: a name belongs to one person (409), in whatever case it is written.
#[test]
fn a_name_belongs_to_one_person() {
    let service = Service::shared();
    let user = User::create(&service);
    for name in [user.name.clone(), user.name.to_uppercase()] {
        let answer = post(&service, &json!({ "userName": name }));
        assert_eq!((answer.status, answer.json()["scimType"].as_str()), (409, Some("uniqueness")), "{answer:?}");
    }
}

/// Of many who ask for one name at once, one gets it, and the others are told that it is taken (E2).
#[test]
fn of_many_who_ask_for_one_name_at_once_one_gets_it() {
    let service = Service::shared();
    let name = format!("contested-{}", unique());
    let token = service.operator_token("scim");
    let verdicts = parallel::each(8, &[(); 16], |_, ()| claimed(&service, &token, &name));
    assert_eq!(verdicts.iter().filter(|status| **status == 201).count(), 1, "{verdicts:?}");
    assert!(verdicts.iter().all(|status| matches!(status, 201 | 409)), "{verdicts:?}");
}

fn claimed(service: &Service, token: &str, name: &str) -> u16 {
    let body = json!({ "userName": name }).to_string().into_bytes();
    scim(service, "POST", "", token).content(SCIM, body).send().status
}

/// RFC 7644 §3.5.1: `PUT` replaces; the old name is free again.
#[test]
fn replacing_a_person_replaces_the_name_too() {
    let service = Service::shared();
    let user = User::create(&service);
    let renamed = format!("renamed-{}", unique());
    let body = json!({ "userName": renamed, "active": true });
    let answer = user.request("PUT").content(SCIM, body.to_string().into_bytes()).send().expect(200).json();
    assert_eq!((answer["userName"].as_str(), &answer["name"]), (Some(renamed.as_str()), &Value::Null));
    assert_eq!(found(&service, &user.name)["totalResults"], 0);
    assert_eq!(post(&service, &json!({ "userName": user.name })).status, 201);
}

/// RFC 7644 §3.5.2: `PATCH` changes what it names; the next `/userinfo` says so.
#[test]
fn a_changed_attribute_is_what_userinfo_says_next() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let email = format!("{}@changed.example", unique());
    let answer = cast.user.patch("emails", &json!([{ "value": email, "primary": true }]));
    assert!(matches!(answer.status, 200 | 204), "{answer:?}");
    let claims = cast.service.userinfo(&token).send().expect(200).json();
    assert_eq!(claims["email"], email);
    assert!(claims["given_name"].is_string(), "what was not named stays");
}

/// RFC 7643 §7: a password is written and never read.
#[test]
fn a_password_is_never_told() {
    let service = Service::shared();
    let secret = format!("password-{}", unique());
    let mut attributes = User::attributes(&unique());
    attributes["password"] = json!(secret);
    let created = post(&service, &attributes).expect(201);
    let read =
        scim(&service, "GET", &format!("/{}", created.text("id")), &service.operator_token("scim")).send().expect(200);
    for answer in [created, read] {
        let text = String::from_utf8(answer.body).unwrap();
        assert!(!text.contains(&secret) && !text.contains("password"), "{text}");
    }
}

/// OIDC Core §5.4: each scope opens its claims, and no other.
#[test]
fn scopes_open_their_claims_and_no_others() {
    let cast = Cast::on_shared();
    let all = "openid profile email phone address groups";
    let frontend = Registration::frontend("all scopes", &cast.login).scope(all).register(&cast.service);
    let claims = |scope: &str| {
        let token = frontend.token_for(&cast.login, &cast.user.id, scope);
        let claims = cast.service.userinfo(&token).send().expect(200).json();
        assert_eq!(claims["sub"].as_str(), Some(cast.user.id.as_str()));
        claims
    };
    let groups: [(&str, &[&str]); 4] = [
        ("profile", &["name", "given_name", "family_name", "preferred_username", "locale", "zoneinfo"]),
        ("email", &["email", "email_verified"]),
        ("phone", &["phone_number"]),
        ("address", &["address"]),
    ];
    assert_eq!(claims("openid").as_object().unwrap().len(), 1);
    for (scope, opened) in groups {
        let told = claims(&format!("openid {scope}"));
        for (other, names) in groups {
            assert!(names.iter().all(|name| told[*name].is_null() == (other != scope)), "{scope} and {other}: {told}");
        }
        assert!(opened.iter().all(|name| !told[*name].is_null()));
    }
}

/// OIDC Core §5.3.1: `POST` works as `GET` does, and so does the token in the body (RFC 6750 §2.2).
#[test]
fn userinfo_may_be_posted_to() {
    let cast = Cast::on_shared();
    let token = cast.first_token();
    let by_get = cast.service.userinfo(&token).send().expect(200);
    assert!(by_get.header("content-type").starts_with("application/json"));
    let by_post = cast.service.post_to("userinfo_endpoint").bearer(&token).send().expect(200);
    let in_body = cast.service.post_to("userinfo_endpoint").form(&[("access_token", &token)]).send().expect(200);
    assert_eq!(by_get.json(), by_post.json());
    assert_eq!(by_get.json(), in_body.json());
}

/// V7: ten thousand groups, however many requests brought them, are one answer after one read.
#[test]
fn ten_thousand_groups_are_told_after_one_read() {
    const GROUPS: usize = 10_000;
    let cast = Cast::on_shared();
    let frontend = Registration::frontend("groups", &cast.login).scope("openid groups").register(&cast.service);
    let groups: Vec<Value> = (0..GROUPS).map(|n| json!({ "display": format!("group {n}") })).collect();
    for some in groups.chunks(1_000) {
        let operations = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [{ "op": "add", "path": "groups", "value": some }],
        });
        let answer = cast.user.request("PATCH").content(SCIM, operations.to_string().into_bytes()).send();
        assert!(matches!(answer.status, 200 | 204), "{answer:?}");
    }
    let token = frontend.token_for(&cast.login, &cast.user.id, "openid groups");
    let claims = cast.service.userinfo(&token).send().expect(200).json();
    assert_eq!(claims["groups"].as_array().map(Vec::len), Some(GROUPS));
    assert_eq!(round_trips::warm(|| cast.service.userinfo(&token)), 1);
}

fn post(service: &Service, attributes: &Value) -> grantlog_tests::Answer {
    scim(service, "POST", "", &service.operator_token("scim")).content(SCIM, attributes.to_string().into_bytes()).send()
}

fn found(service: &Service, name: &str) -> Value {
    let filter = encoded(&format!("userName eq \"{name}\""));
    scim(service, "GET", &format!("?filter={filter}"), &service.operator_token("scim")).send().expect(200).json()
}
