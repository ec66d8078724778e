//! Discovery (OIDC Discovery, RFC 8414), the key set (RFC 7517), and whether the deployment is open.
//!
//! The issuer comes from configuration, never from `Host`. Only what exists is advertised. The key set
//! is never empty: a ring that cannot sign is a failure. Its lifetime is the one that keys wait for
//! before they sign.

use super::{Request, Response, Stop, answer, authorize::ACR_PASSWORD};
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
const SCOPES: [&str; 7] = ["openid", "profile", "email", "phone", "address", "groups", "offline_access"];

const CLAIMS: [&str; 22] = [
    "sub",
    "iss",
    "aud",
    "auth_time",
    "acr",
    "amr",
    "sid",
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
const GRANTS: [GrantType; 5] = [
    GrantType::AuthorizationCode,
    GrantType::RefreshToken,
    GrantType::ClientCredentials,
    GrantType::JwtBearer,
    GrantType::TokenExchange,
];

/// How a client may prove itself; a public one, at the token and revocation endpoints, does not.
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
    let with_public: Vec<&str> = methods.iter().copied().chain([AuthenticationMethod::None.name()]).collect();
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "pushed_authorization_request_endpoint": format!("{issuer}/par"),
        "require_pushed_authorization_requests": false,
        "end_session_endpoint": format!("{issuer}/logout"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "introspection_endpoint": format!("{issuer}/introspect"),
        "revocation_endpoint": format!("{issuer}/revoke"),
        "registration_endpoint": format!("{issuer}/register"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "grant_types_supported": GRANTS.map(GrantType::name),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "code_challenge_methods_supported": ["S256"],
        "prompt_values_supported": ["none", "login", "consent", "select_account"],
        "display_values_supported": ["page"],
        "claim_types_supported": ["normal"],
        "ui_locales_supported": ["en", "ja"],
        "acr_values_supported": [ACR_PASSWORD],
        "subject_types_supported": ["public", "pairwise"],
        "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true,
        "userinfo_signing_alg_values_supported": algorithms,
        "id_token_signing_alg_values_supported": algorithms,
        "scopes_supported": SCOPES,
        "claims_supported": CLAIMS,
        "token_endpoint_auth_methods_supported": with_public,
        "token_endpoint_auth_signing_alg_values_supported": algorithms,
        "introspection_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_signing_alg_values_supported": algorithms,
        "revocation_endpoint_auth_methods_supported": with_public,
        "revocation_endpoint_auth_signing_alg_values_supported": algorithms,
        "claims_parameter_supported": true,
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
