//! From the JSON of RFC 7591 §2 to [`ClientMetadata`]: each rule that a registration must meet.
//!
//! Unknown members are ignored, as the RFC wants; what would change the meaning of a registration and
//! is not supported here is refused, never dropped in silence.

use super::{
    exchange_policy,
    members::{Members, wrong},
    people, redirect_uri,
};
use crate::http::{OAuthError, Stop, client::OPERATOR_SCOPES, stop::because};
use grantlog_events::{
    Scope, Seconds, Stored,
    client::{AuthenticationMethod, ClientMetadata, GrantType},
    key::{Algorithm, LONGEST_TOKEN},
};
use serde_json::{Map, Value};

const MOST_REDIRECT_URIS: usize = 20;
const MOST_SCOPES: usize = 100;
/// The longest life of a refresh token, in seconds: a year.
const LONGEST_REFRESH: u64 = 365 * 24 * 3600;
/// An event holds 16 KiB with its envelope, so metadata that is larger than this does not fit.
const MOST_BYTES: usize = 12 * 1024;

/// Reads a client's metadata.
pub(super) fn parse(object: &Map<String, Value>) -> Result<ClientMetadata, Stop> {
    let members = Members(object);
    refuse_unsupported(members)?;
    let mut metadata = ClientMetadata {
        name: members.text("client_name")?.map(str::to_owned),
        redirect_uris: redirect_uris(members)?,
        grant_types: grant_types(members)?,
        authentication: authentication(members)?,
        scope: scope(members)?,
        jwks: exchange_policy::jwks(members)?,
        access_token_alg: algorithm(members)?,
        access_token_lifetime: members.seconds("access_token_lifetime", 1..=LONGEST_TOKEN.0)?,
        refresh_token_lifetime: members.seconds("refresh_token_lifetime", 1..=LONGEST_REFRESH)?,
        userinfo_from_log: userinfo_from_log(members)?,
        token_exchange: exchange_policy::policy(members)?,
        assertion_issuers: exchange_policy::issuers(members)?,
        id_token_alg: None,
        userinfo_alg: None,
        default_max_age: None,
        require_pushed: false,
        resources: Vec::new(),
        post_logout_redirect_uris: Vec::new(),
        backchannel_logout_uri: None,
        sector: None,
        sector_identifier_uri: None,
        native: false,
        about: None,
    };
    people::read(members, &mut metadata)?;
    is_consistent(&metadata)?;
    if metadata.to_bytes().len() > MOST_BYTES {
        return because(OAuthError::InvalidClientMetadata, "The metadata is larger than 12 KiB.");
    }
    Ok(metadata)
}

/// Members whose only supported value is the one we would act on.
fn refuse_unsupported(members: Members<'_>) -> Result<(), Stop> {
    if members.value("jwks_uri").is_some() {
        return Err(wrong("jwks_uri", "is not supported: keys are registered by value, in jwks"));
    }
    for name in ["id_token_encrypted_response_alg", "userinfo_encrypted_response_alg", "request_object_signing_alg"] {
        if members.value(name).is_some() {
            return Err(wrong(name, "is not supported"));
        }
    }
    if members.texts("response_types", 10)?.iter().any(|kind| *kind != "code") {
        return Err(wrong("response_types", "has something other than code"));
    }
    Ok(())
}

fn redirect_uris(members: Members<'_>) -> Result<Vec<String>, Stop> {
    let uris = members.texts("redirect_uris", MOST_REDIRECT_URIS)?;
    let native = members.value("application_type").is_some_and(|kind| kind == "native");
    for uri in &uris {
        redirect_uri::check(uri, native)?;
    }
    Ok(uris.into_iter().map(str::to_owned).collect())
}

/// RFC 7591 §2: `authorization_code` where nothing is said.
fn grant_types(members: Members<'_>) -> Result<Vec<GrantType>, Stop> {
    if members.value("grant_types").is_none() {
        return Ok(vec![GrantType::AuthorizationCode]);
    }
    let mut grants = Vec::new();
    for name in members.texts("grant_types", GrantType::ALL.len())? {
        let grant =
            GrantType::named(name).ok_or_else(|| wrong("grant_types", "has a grant type that is not supported"))?;
        if !grants.contains(&grant) {
            grants.push(grant);
        }
    }
    if grants.is_empty() { Err(wrong("grant_types", "is empty")) } else { Ok(grants) }
}

/// RFC 7591 §2: `client_secret_basic` where nothing is said.
fn authentication(members: Members<'_>) -> Result<AuthenticationMethod, Stop> {
    match members.text("token_endpoint_auth_method")? {
        None => Ok(AuthenticationMethod::SecretBasic),
        Some(name) => {
            AuthenticationMethod::named(name).ok_or_else(|| wrong("token_endpoint_auth_method", "is not supported"))
        }
    }
}

/// `openid` where nothing is said: who the person is, and nothing about them.
fn scope(members: Members<'_>) -> Result<Scope, Stop> {
    let text = match members.value("scope") {
        None => return Scope::parse("openid").map_err(|_| wrong("scope", "is not a list of scopes")),
        Some(value) => value.as_str().ok_or_else(|| wrong("scope", "is not a string"))?,
    };
    let scope = Scope::parse(text).map_err(|_| wrong("scope", "is not a list of scopes"))?;
    if scope.tokens().any(|token| token.len() > 512) || scope.tokens().count() > MOST_SCOPES {
        return Err(wrong("scope", "has more than 100 scopes, or one of more than 512 bytes"));
    }
    if scope.tokens().any(|token| OPERATOR_SCOPES.contains(&token)) {
        return Err(wrong("scope", "has a scope of the operator's, which cannot be registered"));
    }
    Ok(scope)
}

fn algorithm(members: Members<'_>) -> Result<Algorithm, Stop> {
    match members.text("access_token_signed_response_alg")? {
        None => Ok(Algorithm::Es256),
        Some(name) => Algorithm::named(name)
            .ok_or_else(|| wrong("access_token_signed_response_alg", "is not ES256, RS256 or EdDSA")),
    }
}

fn userinfo_from_log(members: Members<'_>) -> Result<bool, Stop> {
    match members.text("userinfo_consistency")? {
        None | Some("kv") => Ok(false),
        Some("log") => Ok(true),
        Some(_) => Err(wrong("userinfo_consistency", "is neither kv nor log")),
    }
}

/// What must fit together.
fn is_consistent(metadata: &ClientMetadata) -> Result<(), Stop> {
    let by_code = metadata.grant_types.contains(&GrantType::AuthorizationCode);
    if by_code && metadata.redirect_uris.is_empty() {
        let sentence =
            "The grant type authorization_code, which is meant where no grant_types are named, needs redirect_uris.";
        return because(OAuthError::InvalidRedirectUri, sentence);
    }
    match metadata.authentication {
        AuthenticationMethod::PrivateKeyJwt if metadata.jwks.is_none() => {
            return Err(wrong("token_endpoint_auth_method", "is private_key_jwt, which needs jwks"));
        }
        AuthenticationMethod::None if !is_for_public_clients(&metadata.grant_types) => {
            return Err(wrong("token_endpoint_auth_method", "is none, which only goes with authorization_code"));
        }
        AuthenticationMethod::SecretBasic
        | AuthenticationMethod::SecretPost
        | AuthenticationMethod::PrivateKeyJwt
        | AuthenticationMethod::None => {}
    }
    // A refresh token that dies before the access token it came with could never be used.
    let shorter = |refresh: Seconds| metadata.access_token_lifetime.is_some_and(|access| refresh < access);
    if metadata.refresh_token_lifetime.is_some_and(shorter) {
        return Err(wrong("refresh_token_lifetime", "is shorter than access_token_lifetime"));
    }
    Ok(())
}

fn is_for_public_clients(grants: &[GrantType]) -> bool {
    let public = |grant: &GrantType| matches!(grant, GrantType::AuthorizationCode | GrantType::RefreshToken);
    grants.contains(&GrantType::AuthorizationCode) && grants.iter().all(public)
}

#[cfg(test)]
mod tests;
