//! Clients that people let in.

use super::{Answer, Service, text};
use crate::{memory::finished, ports::World};
use grantlog_events::{ClientId, client::ClientMetadata};
use http::Method;
use serde_json::{Value, json};

const HERE: &str = "https://app.example/cb";
const THERE: &str = "https://app.example.net/cb";
const LIST: &str = "https://sector.example/redirect_uris.json";

fn registered(service: &Service, change: &Value) -> Answer {
    let mut metadata = json!({ "redirect_uris": [HERE], "grant_types": ["authorization_code", "refresh_token"] });
    metadata.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
    service.send(Method::POST, "/register", &service.operator("client:register"), Some(&metadata))
}

fn refused(service: &Service, change: &Value) -> String {
    let body = registered(service, change).expect(400);
    assert!(body["error"] == "invalid_client_metadata" || body["error"] == "invalid_redirect_uri", "{body}");
    text(&body, "error_description")
}

#[test]
fn what_is_said_is_said_back() {
    let service = Service::new();
    let said = json!({
        "client_name": "Photo printer", "application_type": "web", "subject_type": "pairwise",
        "token_endpoint_auth_method": "none", "scope": "offline_access openid",
        "id_token_signed_response_alg": "ES256", "userinfo_signed_response_alg": "EdDSA",
        "default_max_age": 600, "require_auth_time": true, "require_pushed_authorization_requests": true,
        "resources": ["https://api.example/"], "post_logout_redirect_uris": ["https://app.example/bye"],
        "backchannel_logout_uri": "https://app.example/told", "backchannel_logout_session_required": true,
        "client_uri": "https://app.example/", "logo_uri": "https://app.example/logo.png",
        "policy_uri": "https://app.example/policy", "tos_uri": "https://app.example/tos",
        "refresh_token_lifetime": 7_776_000, "response_types": ["code"],
    });
    let body = registered(&service, &said).expect(201);
    for (name, value) in said.as_object().unwrap() {
        assert_eq!(&body[name], value, "{name}");
    }
    assert!(body.get("client_secret").is_none());
    let body = registered(&service, &json!({})).expect(201);
    assert_eq!((&body["id_token_signed_response_alg"], &body["subject_type"]), (&json!("RS256"), &json!("public")));
    assert!(body.get("userinfo_signed_response_alg").is_none(), "JSON where nothing is said");
}

#[test]
fn a_name_alone_is_not_enough_and_the_answer_says_what_is_missing() {
    let service = Service::new();
    let operator = service.operator("client:register");
    let body = service.send(Method::POST, "/register", &operator, Some(&json!({ "client_name": "x" }))).expect(400);
    assert_eq!(body["error"], "invalid_redirect_uri");
    assert!(text(&body, "error_description").contains("needs redirect_uris"));
}

/// R19: the deployment's own session counts.
#[test]
fn a_refresh_token_is_not_promised_for_longer_than_the_sessions_of_this_deployment() {
    let service = Service::with(&[("SESSION_LIFETIME", "3600")]);
    registered(&service, &json!({ "refresh_token_lifetime": 3600 })).expect(201);
    let sentence = refused(&service, &json!({ "refresh_token_lifetime": 3601 }));
    assert!(sentence.starts_with("refresh_token_lifetime is longer than a session lives"), "{sentence}");
    let outlives = json!({ "refresh_token_lifetime": 3601, "scope": "openid offline_access" });
    registered(&service, &outlives).expect(201);
}

/// OIDC Registration §5, Core §8.1.
#[test]
fn several_hosts_are_one_sector_where_a_list_that_we_read_has_them_all() {
    let service = Service::new();
    let publish = |list: &str| service.world.outbound().publish(LIST, list.as_bytes());
    let several = json!({ "subject_type": "pairwise", "redirect_uris": [HERE, THERE] });
    assert!(refused(&service, &several).starts_with("subject_type is pairwise"));
    let mut listed = several;
    listed["sector_identifier_uri"] = json!(LIST);
    assert!(refused(&service, &listed).contains("can be read"), "nobody has the list");
    for (list, complaint) in [
        ("not JSON", "can be read"),
        ("{}", "can be read"),
        ("[7]", "can be read"),
        (&json!([HERE]).to_string(), "lacks a redirect URI"),
        (&json!([HERE, format!("{THERE}/")]).to_string(), "lacks a redirect URI"),
    ] {
        publish(list);
        assert!(refused(&service, &listed).contains(complaint), "{list}");
    }
    publish(&json!(["https://more.example/", THERE, HERE]).to_string());
    let body = registered(&service, &listed).expect(201);
    assert_eq!(body["sector_identifier_uri"], LIST);
    let client = metadata_of(&service, &body);
    assert_eq!(client.sector.as_deref(), Some("sector.example"));
}

fn metadata_of(service: &Service, body: &Value) -> ClientMetadata {
    let id = ClientId::parse(&text(body, "client_id")).unwrap();
    finished(crate::http::client::view(&service.world, &id)).unwrap().unwrap().metadata.clone()
}

#[test]
fn by_itself_a_client_neither_learns_other_subjects_nor_gets_more_resources_nor_stops_pushing() {
    let service = Service::new();
    let base = json!({
        "subject_type": "pairwise", "resources": ["https://api.example/"],
        "require_pushed_authorization_requests": true,
    });
    let body = registered(&service, &base).expect(201);
    let (id, token) = (text(&body, "client_id"), text(&body, "registration_access_token"));
    let replaced = |change: &Value| {
        let mut metadata =
            json!({ "client_id": id, "redirect_uris": [HERE], "grant_types": ["authorization_code", "refresh_token"] });
        metadata.as_object_mut().unwrap().extend(base.as_object().cloned().unwrap());
        metadata.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
        service.send(Method::PUT, &format!("/register/{id}"), &token, Some(&metadata))
    };
    replaced(&json!({ "redirect_uris": ["https://app.example/other"] })).expect(200);
    for widening in [
        json!({ "subject_type": "public" }),
        json!({ "redirect_uris": [THERE] }),
        json!({ "resources": ["https://api.example/", "https://more.example/"] }),
        json!({ "require_pushed_authorization_requests": false }),
    ] {
        assert_eq!(replaced(&widening).expect(403)["error"], "insufficient_scope", "{widening}");
    }
    replaced(&json!({ "resources": [] })).expect(200);
}

/// RFC 8252 §7.1; RP-Initiated Logout §3.
#[test]
fn a_native_app_is_reached_by_its_own_scheme_also_after_logout() {
    let service = Service::new();
    let own = json!({
        "redirect_uris": ["com.example.app:/cb"], "post_logout_redirect_uris": ["com.example.app:/bye"],
        "token_endpoint_auth_method": "none",
    });
    let mut native = own.clone();
    native["application_type"] = json!("native");
    let body = registered(&service, &native).expect(201);
    assert_eq!(body["post_logout_redirect_uris"], own["post_logout_redirect_uris"]);
    refused(&service, &own);
    let mut web = own;
    web["redirect_uris"] = json!([HERE]);
    assert!(refused(&service, &web).starts_with("post_logout_redirect_uris"));
    for bad in ["app:/bye", "javascript:alert(1)", "com.example.app:/bye#x"] {
        native["post_logout_redirect_uris"] = json!([bad]);
        assert!(refused(&service, &native).starts_with("post_logout_redirect_uris"), "{bad}");
    }
}
