//! Discovery (OIDC Discovery, RFC 8414), the key set (RFC 7517), and whether the deployment is open.
//!
//! The issuer comes from configuration, never from `Host`. Only what exists is advertised. The key set
//! is never empty: a ring that cannot sign is a failure. Its lifetime is the one that keys wait for
//! before they sign.

use super::{Request, Response, Stop, answer};
use crate::{jose, ports::World};
use grantlog_events::{
    Digest,
    client::{AuthenticationMethod, GrantType},
    key::{Algorithm, JWKS_LIFETIME},
};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

/// How long a cache may hand out an old key set while it fetches the new one, in seconds.
const STALE_FOR: u64 = 300;
/// For how long it is fresh: with the stale time, and the 30 s of our own ring, one JWKS lifetime, after which a
/// new key may sign.
const FRESH_FOR: u64 = JWKS_LIFETIME.0 - STALE_FOR - 30;

/// What a person's tokens may open, in the words of OIDC Core §5.4, and `groups`.
const SCOPES: [&str; 6] = ["openid", "profile", "email", "phone", "address", "groups"];

const CLAIMS: [&str; 16] = [
    "sub",
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "locale",
    "zoneinfo",
    "email",
    "email_verified",
    "phone_number",
    "address",
    "groups",
    "updated_at",
];

/// Grants that `/token` takes.
const GRANTS: [GrantType; 3] = [GrantType::ClientCredentials, GrantType::JwtBearer, GrantType::TokenExchange];

/// How a client may prove itself.
const METHODS: [AuthenticationMethod; 3] =
    [AuthenticationMethod::SecretBasic, AuthenticationMethod::SecretPost, AuthenticationMethod::PrivateKeyJwt];

/// `GET /.well-known/openid-configuration` and `/.well-known/oauth-authorization-server`.
pub(super) fn metadata<W: World>(world: &W) -> Response {
    let mut response = answer::json(&document(&world.config().issuer));
    cache_for(&mut response, &format!("public, max-age={}", JWKS_LIFETIME.0));
    response
}

fn document(issuer: &str) -> Value {
    let methods: Vec<&str> = METHODS.iter().map(|method| method.name()).collect();
    let algorithms: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    json!({
        "issuer": issuer,
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "introspection_endpoint": format!("{issuer}/introspect"),
        "revocation_endpoint": format!("{issuer}/revoke"),
        "registration_endpoint": format!("{issuer}/register"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "grant_types_supported": GRANTS.map(GrantType::name),
        // There is no authorization endpoint yet, hence nothing it could answer with.
        "response_types_supported": [],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": algorithms,
        "scopes_supported": SCOPES,
        "claims_supported": CLAIMS,
        "token_endpoint_auth_methods_supported": methods,
        "token_endpoint_auth_signing_alg_values_supported": algorithms,
        "introspection_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_signing_alg_values_supported": algorithms,
        "revocation_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_signing_alg_values_supported": algorithms,
        "claims_parameter_supported": false,
        "request_parameter_supported": false,
        // Absent would mean true (OIDC Discovery §3).
        "request_uri_parameter_supported": false,
        "authorization_response_iss_parameter_supported": true,
    })
}

/// `GET /.well-known/jwks.json`.
pub(super) async fn jwks<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let ring = jose::ring::ring(world).await?;
    let tag = format!("\"{}\"", Digest::of(ring.jwks().as_bytes()).hex());
    let mut response = if is_held(request, &tag) {
        answer::empty(StatusCode::NOT_MODIFIED)
    } else {
        answer::with(StatusCode::OK, "application/json", ring.jwks().as_bytes().to_vec())
    };
    cache_for(&mut response, &format!("public, max-age={FRESH_FOR}, stale-while-revalidate={STALE_FOR}"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

/// Weak comparison, as RFC 9110 §13.1.2 wants it for `If-None-Match`.
fn is_held(request: &Request, tag: &str) -> bool {
    let held = request.headers().get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    held.flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|held| held == "*" || held.trim_start_matches("W/") == tag)
}

fn cache_for(response: &mut Response, how: &str) {
    if let Ok(how) = HeaderValue::from_str(how) {
        response.headers_mut().insert(header::CACHE_CONTROL, how);
    }
}

/// `GET /healthz`: 200 once the deployment is open, else 503. Reading the ring opens it.
pub(super) async fn healthz<W: World>(world: &W) -> Result<Response, Stop> {
    jose::ring::ring(world).await?;
    Ok(answer::json(&json!({ "status": "ok" })))
}

#[cfg(test)]
mod tests;
