//! `oidcc-config`: the discovery document (OIDC Discovery §3), also of the logout plans.

use grantlog_tests::Service;
use serde_json::{Value, json};

fn document() -> (Service, Value) {
    let service = Service::shared();
    let document = service.metadata().clone();
    (service, document)
}

#[track_caller]
fn lists(document: &Value, name: &str, value: &str) {
    let list = document[name].as_array().unwrap_or_else(|| panic!("{name} is missing"));
    assert!(list.contains(&json!(value)), "{name} lacks {value}");
}

#[test]
fn oidcc_discovery_endpoint_verification() {
    let (service, document) = document();
    assert_eq!(document["issuer"], service.issuer);
    for name in [
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "jwks_uri",
        "registration_endpoint",
        "introspection_endpoint",
        "revocation_endpoint",
        "pushed_authorization_request_endpoint",
    ] {
        assert!(document[name].as_str().is_some_and(|url| url.starts_with(&service.issuer)), "{name}");
    }
    lists(&document, "response_types_supported", "code");
    lists(&document, "response_modes_supported", "form_post");
    lists(&document, "subject_types_supported", "public");
    lists(&document, "subject_types_supported", "pairwise");
    lists(&document, "id_token_signing_alg_values_supported", "RS256");
    lists(&document, "scopes_supported", "openid");
    lists(&document, "claims_supported", "sub");
    lists(&document, "grant_types_supported", "authorization_code");
    lists(&document, "grant_types_supported", "refresh_token");
    lists(&document, "token_endpoint_auth_methods_supported", "client_secret_basic");
    lists(&document, "code_challenge_methods_supported", "S256");
    assert_eq!(document["claims_parameter_supported"], true);
    assert_eq!(document["request_parameter_supported"], false);
    assert_eq!(document["request_uri_parameter_supported"], false);
    assert_eq!(document["authorization_response_iss_parameter_supported"], true);
    assert!(!service.jwks()["keys"].as_array().unwrap().is_empty());
}

#[test]
fn oidcc_rp_initiated_logout_discovery_endpoint_verification() {
    let (service, document) = document();
    assert!(document["end_session_endpoint"].as_str().is_some_and(|url| url.starts_with(&service.issuer)));
}

#[test]
fn oidcc_backchannel_logout_discovery_endpoint_verification() {
    let (_, document) = document();
    assert_eq!(document["backchannel_logout_supported"], true);
    assert_eq!(document["backchannel_logout_session_supported"], true);
}
