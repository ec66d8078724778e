//! `token_exchange` and `assertion_issuers`: the contract's own members, which give rights, so that
//! absence always means less.

use super::members::{Members, wrong};
use crate::{http::Stop, jose};
use grantlog_events::{
    ClientId,
    client::{Admitted, AssertionIssuer, ExchangePolicy},
};
use serde_json::Value;

/// The most audiences, resources or clients that one policy names.
const MOST_TARGETS: usize = 100;
/// The most issuers whose assertions one client may present.
const MOST_ISSUERS: usize = 20;

/// What a policy may say. A member that is misspelt would give less than was meant, or, if it was to take
/// something away, more.
const MEMBERS: [&str; 6] = ["audiences", "resources", "impersonation", "actors", "subject_clients", "refresh_token"];

/// `token_exchange`; absent means that the client may not exchange.
pub(super) fn policy(metadata: Members<'_>) -> Result<Option<ExchangePolicy>, Stop> {
    let Some(policy) = metadata.object("token_exchange")? else { return Ok(None) };
    policy.none_but("token_exchange", &MEMBERS)?;
    Ok(Some(ExchangePolicy {
        audiences: owned(policy.texts("audiences", MOST_TARGETS)?),
        resources: resources(policy)?,
        impersonation: policy.flag("impersonation")?,
        actors: admitted(policy, "actors")?,
        subject_clients: admitted(policy, "subject_clients")?,
        refresh_token: policy.flag("refresh_token")?,
    }))
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}

/// RFC 8707 §2: an absolute URI without fragment.
fn resources(policy: Members<'_>) -> Result<Vec<String>, Stop> {
    let resources = policy.texts("resources", MOST_TARGETS)?;
    let absolute = |uri: &&str| {
        let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let named = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        named && uri.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#')
    };
    if resources.iter().all(absolute) {
        Ok(owned(resources))
    } else {
        Err(wrong("resources", "has something other than absolute URIs without fragment"))
    }
}

fn admitted(policy: Members<'_>, name: &str) -> Result<Admitted, Stop> {
    if policy.value(name).and_then(Value::as_str) == Some("any") {
        return Ok(Admitted::Any);
    }
    let clients = policy.texts(name, MOST_TARGETS)?.into_iter().map(ClientId::parse);
    let clients = clients.collect::<Result<_, _>>();
    clients.map(Admitted::Only).map_err(|_| wrong(name, "has something other than client ids"))
}

/// `assertion_issuers`: each with the keys that its assertions are checked with.
pub(super) fn issuers(metadata: Members<'_>) -> Result<Vec<AssertionIssuer>, Stop> {
    let mut issuers: Vec<AssertionIssuer> = Vec::new();
    for entry in metadata.objects("assertion_issuers", MOST_ISSUERS)? {
        let issuer = entry.text("issuer")?.ok_or_else(|| wrong("assertion_issuers", "has an entry without issuer"))?;
        if issuers.iter().any(|held| held.issuer == issuer) {
            return Err(wrong("assertion_issuers", "names an issuer twice"));
        }
        let jwks = jwks(entry)?.ok_or_else(|| wrong("assertion_issuers", "has an entry without jwks"))?;
        issuers.push(AssertionIssuer { issuer: issuer.to_owned(), jwks });
    }
    Ok(issuers)
}

/// `jwks`, checked, as JSON text.
pub(super) fn jwks(members: Members<'_>) -> Result<Option<String>, Stop> {
    let Some(value) = members.value("jwks") else { return Ok(None) };
    let json = value.to_string();
    jose::jwks::validate(&json)
        .map(|()| Some(json))
        .map_err(|sentence| Stop::Error(crate::http::OAuthError::InvalidClientMetadata, sentence.to_owned()))
}
