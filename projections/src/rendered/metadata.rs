//! A client's registered metadata under the names of RFC 7591 and of the contract's own members.

use super::Members;
use grantlog_events::{
    ClientId,
    client::{Admitted, AssertionIssuer, ClientMetadata, ExchangePolicy},
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
    members.into()
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
