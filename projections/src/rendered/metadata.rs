//! A client's registered metadata under the names of RFC 7591 and of the contract's own members.

use super::Members;
use grantlog_events::{
    ClientId,
    client::{Admitted, AssertionIssuer, ClientMetadata, ExchangePolicy, GrantType},
    key::Algorithm,
};
use serde_json::{Value, json};

/// The registered metadata as JSON; no secret is part of it.
#[must_use]
pub fn metadata(metadata: &ClientMetadata) -> Value {
    let mut members = Members::default();
    members.put_some("client_name", metadata.name.clone());
    members.put_list("redirect_uris", metadata.redirect_uris.iter().cloned().map(Value::from).collect());
    members.put("grant_types", metadata.grant_types.iter().map(|grant| grant.name()).collect::<Vec<_>>());
    members.put("token_endpoint_auth_method", metadata.authentication.name());
    members.put("scope", metadata.scope.to_string());
    members.put_some("jwks", metadata.jwks.as_deref().map(as_json));
    members.put("access_token_signed_response_alg", metadata.access_token_alg.name());
    members.put_some("access_token_lifetime", metadata.access_token_lifetime.map(|seconds| seconds.0));
    members.put_some("refresh_token_lifetime", metadata.refresh_token_lifetime.map(|seconds| seconds.0));
    members.put("userinfo_consistency", if metadata.userinfo_from_log { "log" } else { "kv" });
    members.put_some("token_exchange", metadata.token_exchange.as_ref().map(exchange_policy));
    members.put_list("assertion_issuers", metadata.assertion_issuers.iter().map(assertion_issuer).collect());
    for_people(&mut members, metadata);
    members.into()
}

/// What only clients that people let in have (OIDC Registration §2, the logout specifications, RFC 9126).
fn for_people(members: &mut Members, metadata: &ClientMetadata) {
    if !metadata.grant_types.contains(&GrantType::AuthorizationCode) {
        return;
    }
    members.put("application_type", if metadata.native { "native" } else { "web" });
    members.put("subject_type", if metadata.sector.is_some() { "pairwise" } else { "public" });
    members.put("id_token_signed_response_alg", metadata.id_token_alg.unwrap_or(Algorithm::Rs256).name());
    members.put_some("userinfo_signed_response_alg", metadata.userinfo_alg.map(Algorithm::name));
    members.put_some("default_max_age", metadata.default_max_age.map(|seconds| seconds.0));
    members.put("require_auth_time", true);
    members.put("require_pushed_authorization_requests", metadata.require_pushed);
    members.put_list("resources", texts(&metadata.resources));
    members.put_list("post_logout_redirect_uris", texts(&metadata.post_logout_redirect_uris));
    members.put_some("backchannel_logout_uri", metadata.backchannel_logout_uri.clone());
    if metadata.backchannel_logout_uri.is_some() {
        members.put("backchannel_logout_session_required", true);
    }
    members.put_some("sector_identifier_uri", metadata.sector_identifier_uri.clone());
    let about = metadata.about.as_ref();
    members.put_some("client_uri", about.and_then(|about| about.client_uri.clone()));
    members.put_some("logo_uri", about.and_then(|about| about.logo_uri.clone()));
    members.put_some("policy_uri", about.and_then(|about| about.policy_uri.clone()));
    members.put_some("tos_uri", about.and_then(|about| about.tos_uri.clone()));
}

fn texts(texts: &[String]) -> Vec<Value> {
    texts.iter().cloned().map(Value::from).collect()
}

/// JSON that the log keeps as text: shown as what it is, or as text where it is not JSON.
pub(super) fn as_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn exchange_policy(policy: &ExchangePolicy) -> Value {
    json!({
        "audiences": policy.audiences,
        "resources": policy.resources,
        "impersonation": policy.impersonation,
        "actors": admitted(&policy.actors),
        "subject_clients": admitted(&policy.subject_clients),
        "refresh_token": policy.refresh_token,
    })
}

fn admitted(admitted: &Admitted) -> Value {
    match admitted {
        Admitted::Any => json!("any"),
        Admitted::Only(clients) => clients.iter().map(ClientId::as_str).collect(),
    }
}

fn assertion_issuer(issuer: &AssertionIssuer) -> Value {
    json!({ "issuer": issuer.issuer, "jwks": as_json(&issuer.jwks) })
}
