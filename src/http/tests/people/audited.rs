//! What an auditor sees of a person's login: the events, and the history of the tokens it led to.

use super::{
    super::deployment::{Client, Service, claims},
    Browser,
    browser::Person,
};
use ::http::Method;
use serde_json::{Value, json};

fn asked(service: &Service, path: &str) -> Value {
    service.send(Method::GET, path, &service.operator("audit"), None).expect(200)
}

fn types(events: &Value) -> Vec<&str> {
    events["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

fn jti(tokens: &Value) -> String {
    claims(tokens["access_token"].as_str().unwrap())["jti"].as_str().unwrap().to_owned()
}

/// A login with a refresh, which came twice, and an exchange; the first tokens and the refreshed ones.
fn login(service: &Service) -> (Client, Person, Value, Value) {
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    let first = Browser::new(service).tokens(&client, &person, &[("scope", "openid offline_access")]);
    let token = first["refresh_token"].as_str().unwrap();
    let second = service.refresh(&client, token).expect(200);
    service.refresh(&client, token).expect(200);
    (client, person, first, second)
}

const LOGIN: [&str; 6] =
    ["session_started", "consent_granted", "code_issued", "code_redeemed", "token_refreshed", "refresh_replayed"];

/// E13: that a refresh token was issued is an event, and why one failed too.
#[test]
fn the_events_of_a_login_are_found_by_person_client_and_type() {
    let service = Service::new();
    let (client, person, ..) = login(&service);
    let (other, ..) = login(&service);
    let of_person = asked(&service, &format!("/audit/events?subject={}", person.subject));
    assert_eq!(types(&of_person)[1..], LOGIN);
    let of_client = asked(&service, &format!("/audit/events?client_id={}", client.id));
    let of_login = LOGIN.iter().filter(|name| **name != "session_started");
    assert_eq!(types(&of_client), ["client_registered"].iter().chain(of_login).copied().collect::<Vec<_>>());
    for name in LOGIN {
        let path = format!("/audit/events?type={name}&subject={}", person.subject);
        assert_eq!(types(&asked(&service, &path)), [name]);
        let both = asked(&service, &format!("/audit/events?type={name}"));
        assert_eq!(types(&both), [name, name], "one for each person");
    }
    let path = format!("/audit/events?type=code_redeemed&client_id={}", other.id);
    let event = &asked(&service, &path)["events"][0];
    let address = event["grant"].as_str().unwrap();
    assert_eq!(event["body"]["refresh_token"]["family"], address);
    assert_eq!(event["body"]["refresh_token"]["generation"], 1);
}

#[test]
fn the_history_of_a_refreshed_token_leads_back_to_the_code_and_on_to_what_ended_it() {
    let service = Service::new();
    let (client, _, first, second) = login(&service);
    let before = asked(&service, &format!("/audit/tokens/{}", jti(&second)));
    assert_eq!(types(&before), ["code_issued", "code_redeemed", "token_refreshed", "refresh_replayed"]);
    assert_eq!((&before["state"], &before["client_id"]), (&json!("active"), &json!(client.id)));
    assert_eq!(before["grant"], before["events"][0]["address"]);
    service.wait(31_000);
    service.refresh(&client, first["refresh_token"].as_str().unwrap()).expect(400);
    for tokens in [&first, &second] {
        let after = asked(&service, &format!("/audit/tokens/{}", jti(tokens)));
        assert_eq!((&after["state"], &after["reason"]), (&json!("revoked"), &json!("refresh_token_reuse")));
        let last = after["events"].as_array().unwrap().last().unwrap();
        assert_eq!((&last["type"], &last["address"]), (&json!("grant_revoked"), &after["ended_by"]["address"]));
        assert_eq!(last["outcome"], json!({ "refused": "refresh_token_reused" }));
    }
}
