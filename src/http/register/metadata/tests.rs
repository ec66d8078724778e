#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use super::*;
use serde_json::{Value, json};

fn parsed(value: &Value) -> Result<ClientMetadata, (OAuthError, String)> {
    let Value::Object(object) = value else { panic!("not an object") };
    parse(object).map_err(|stop| match stop {
        Stop::Error(error, sentence) => (error, sentence),
        other => panic!("{other:?}"),
    })
}

fn machine() -> Value {
    json!({ "grant_types": ["client_credentials"] })
}

fn with(name: &str, value: Value) -> Value {
    let mut metadata = machine();
    metadata[name] = value;
    metadata
}

#[test]
fn what_is_not_said_means_little() {
    let metadata = parsed(&machine()).unwrap();
    assert_eq!(metadata.authentication, AuthenticationMethod::SecretBasic);
    assert_eq!(metadata.scope.to_string(), "openid");
    assert_eq!(metadata.access_token_alg, Algorithm::Es256);
    assert_eq!(metadata.token_exchange, None);
    assert!(!metadata.userinfo_from_log);
}

#[test]
fn without_grant_types_it_is_the_code_grant_which_needs_redirect_uris() {
    assert_eq!(parsed(&json!({})).unwrap_err().0, OAuthError::InvalidRedirectUri);
    let metadata = parsed(&json!({ "redirect_uris": ["https://app.example/cb"] })).unwrap();
    assert_eq!(metadata.grant_types, [GrantType::AuthorizationCode]);
}

#[test]
fn an_exchange_policy_gives_only_what_it_names() {
    let policy = parsed(&with("token_exchange", json!({}))).unwrap().token_exchange.unwrap();
    assert!(!policy.impersonation && !policy.refresh_token);
    assert_eq!(policy.actors, grantlog_events::client::Admitted::Only(Vec::new()));
    let policy = parsed(&with("token_exchange", json!({ "actors": "any", "subject_clients": ["c-1"] }))).unwrap();
    assert_eq!(policy.token_exchange.unwrap().actors, grantlog_events::client::Admitted::Any);
}

#[test]
fn each_wrong_member_is_refused_by_name() {
    let issuer = json!({ "issuer": "https://idp.example", "jwks": { "keys": [] } });
    for (name, value) in [
        ("grant_types", json!(["password"])),
        ("grant_types", json!([])),
        ("grant_types", json!("client_credentials")),
        ("token_endpoint_auth_method", json!("tls_client_auth")),
        ("token_endpoint_auth_method", json!("none")),
        ("token_endpoint_auth_method", json!("private_key_jwt")),
        ("scope", json!(["openid"])),
        ("scope", json!("openid \"")),
        ("scope", json!("openid client:register")),
        ("scope", json!("admin")),
        ("scope", json!("scim")),
        ("scope", json!("audit")),
        ("jwks_uri", json!("https://app.example/jwks")),
        ("jwks", json!({ "keys": [] })),
        ("jwks", json!({ "keys": [{ "kty": "oct", "k": "AAAA" }] })),
        ("subject_type", json!("pairwise")),
        ("response_types", json!(["token"])),
        ("access_token_signed_response_alg", json!("HS256")),
        ("access_token_lifetime", json!(0)),
        ("access_token_lifetime", json!(86_401)),
        ("access_token_lifetime", json!("900")),
        ("access_token_lifetime", json!(1.5)),
        ("refresh_token_lifetime", json!(0)),
        ("userinfo_consistency", json!("d1")),
        ("client_name", json!("x".repeat(513))),
        ("client_name", json!("two\nlines")),
        ("token_exchange", json!([])),
        ("token_exchange", json!({ "audiences": vec!["a"; 101] })),
        ("token_exchange", json!({ "resources": ["not a uri"] })),
        ("token_exchange", json!({ "resources": ["https://api.example/#x"] })),
        ("token_exchange", json!({ "actors": "all" })),
        ("token_exchange", json!({ "actors": ["1-AAAAAAAAAAAAAAAAAAAAAA"] })),
        ("token_exchange", json!({ "impersonation": "yes" })),
        ("assertion_issuers", json!([{ "issuer": "https://idp.example" }])),
        ("assertion_issuers", json!([issuer])),
        ("assertion_issuers", json!(["https://idp.example"])),
    ] {
        let shown = value.to_string();
        let (error, sentence) = parsed(&with(name, value)).unwrap_err();
        assert_eq!(error, OAuthError::InvalidClientMetadata, "{name} {shown}");
        assert!(sentence.ends_with('.') && sentence.len() < 160, "{sentence}");
    }
}

/// Misspelt, it would give less than was meant, and nobody would know why.
#[test]
fn a_member_that_token_exchange_does_not_have_is_refused_by_name() {
    let with_member = |name: &str| parsed(&with("token_exchange", json!({ "impersonation": true, name: true })));
    let (error, sentence) = with_member("audience").unwrap_err();
    assert_eq!(
        (error, sentence.as_str()),
        (OAuthError::InvalidClientMetadata, "token_exchange has no member audience.")
    );
    let (_, sentence) = with_member("<script>alert(1)</script>").unwrap_err();
    assert_eq!(sentence, "token_exchange has no member of that name.");
}

/// R19: what a refresh token is for must not end before it.
#[test]
fn a_refresh_token_does_not_die_before_the_access_token_it_came_with() {
    let mut metadata = with("access_token_lifetime", json!(3600));
    metadata["refresh_token_lifetime"] = json!(60);
    assert_eq!(parsed(&metadata).unwrap_err().0, OAuthError::InvalidClientMetadata);
}

#[test]
fn metadata_that_no_event_could_hold_is_refused_up_front() {
    let audiences: Vec<String> = (0..90).map(|number| format!("{number}{}", "a".repeat(200))).collect();
    let (error, sentence) = parsed(&with("token_exchange", json!({ "audiences": audiences }))).unwrap_err();
    assert_eq!((error, sentence.as_str()), (OAuthError::InvalidClientMetadata, "The metadata is larger than 12 KiB."));
}

#[test]
fn null_counts_as_absent_and_unknown_members_are_ignored() {
    let mut metadata = with("client_name", Value::Null);
    metadata["contacts"] = json!(["somebody@example.org"]);
    assert_eq!(parsed(&metadata), parsed(&machine()));
}

fn person(change: &Value) -> Value {
    let mut metadata = json!({
        "redirect_uris": ["https://app.example/cb"],
        "grant_types": ["authorization_code", "refresh_token"],
    });
    for (name, value) in change.as_object().unwrap() {
        metadata[name] = value.clone();
    }
    metadata
}

#[test]
fn a_client_for_people_says_how_they_are_sent_and_known() {
    let metadata = parsed(&person(&json!({
        "subject_type": "pairwise",
        "id_token_signed_response_alg": "EdDSA",
        "userinfo_signed_response_alg": "RS256",
        "post_logout_redirect_uris": ["https://app.example/bye"],
        "backchannel_logout_uri": "https://app.example/logout",
        "backchannel_logout_session_required": true,
        "require_pushed_authorization_requests": true,
        "default_max_age": 3600,
        "resources": ["https://api.example/"],
        "tos_uri": "https://app.example/tos",
        "contacts": ["someone@app.example"],
    })))
    .unwrap();
    assert_eq!(metadata.sector.as_deref(), Some("app.example"));
    assert_eq!(metadata.id_token_alg, Some(Algorithm::EdDsa));
    assert_eq!(metadata.userinfo_alg, Some(Algorithm::Rs256));
    assert!(metadata.require_pushed && !metadata.native);
    let shown = grantlog_projections::rendered::metadata(&metadata);
    assert_eq!(shown["subject_type"], "pairwise");
    assert_eq!(shown["tos_uri"], "https://app.example/tos");
    // Who works at a client is personal, and an event is for ever.
    assert!(shown.get("contacts").is_none());
}

#[test]
fn what_no_client_for_people_may_have_is_refused_by_name() {
    for (name, value) in [
        ("subject_type", json!("secret")),
        ("application_type", json!("toaster")),
        ("id_token_signed_response_alg", json!("none")),
        ("id_token_signed_response_alg", json!("HS256")),
        ("userinfo_signed_response_alg", json!("none")),
        ("post_logout_redirect_uris", json!(["http://app.example/bye"])),
        ("backchannel_logout_uri", json!("https://app.example/logout#x")),
        ("resources", json!(["api"])),
        ("default_max_age", json!(-1)),
        ("tos_uri", json!("javascript:alert(1)")),
        ("id_token_encrypted_response_alg", json!("RSA-OAEP")),
    ] {
        let (error, sentence) = parsed(&person(&json!({ name: value }))).unwrap_err();
        assert_eq!(error, OAuthError::InvalidClientMetadata, "{name}");
        assert!(sentence.starts_with(name), "{sentence}");
    }
}

#[test]
fn only_a_native_application_has_a_scheme_of_its_own() {
    let uris = json!(["com.example.app:/cb"]);
    assert!(parsed(&person(&json!({ "redirect_uris": uris }))).is_err());
    assert!(parsed(&person(&json!({ "redirect_uris": uris, "application_type": "native" }))).is_ok());
    for bad in ["javascript:alert(1)", "app:/cb", "data.x:text/html,<script>"] {
        let native = json!({ "redirect_uris": [bad], "application_type": "native" });
        assert_eq!(parsed(&person(&native)).unwrap_err().0, OAuthError::InvalidRedirectUri, "{bad}");
    }
}

/// R19: a refresh token is promised for no longer than what it hangs on lives.
#[test]
fn a_refresh_token_that_ends_with_its_session_is_promised_for_no_longer() {
    let day = Seconds(86_400);
    let fits = |change: Value| super::super::people::refresh_fits(&parsed(&person(&change)).unwrap(), day).is_ok();
    assert!(fits(json!({ "refresh_token_lifetime": 86_400 })));
    assert!(!fits(json!({ "refresh_token_lifetime": 86_401 })));
    assert!(fits(json!({ "refresh_token_lifetime": 7_776_000, "scope": "openid offline_access" })));
}
