//! What clients register that people let in (OIDC Registration §2, RP-Initiated Logout §2, Back-Channel Logout §2.2,
//! RFC 9126 §6): where a person is sent, and how they are known there.

use super::{
    members::{Members, wrong},
    redirect_uri, sector,
};
use crate::http::Stop;
use grantlog_events::{
    Seconds,
    client::{AboutClient, ClientMetadata, GrantType},
    key::Algorithm,
};

const MOST_URIS: usize = 20;
const MOST_RESOURCES: usize = 100;
/// The longest `default_max_age`, in seconds: ten years.
const LONGEST_AGE: u64 = 10 * 365 * 24 * 3600;

/// Reads these members into the metadata, whose redirect URIs stand already.
pub(super) fn read(members: Members<'_>, metadata: &mut ClientMetadata) -> Result<(), Stop> {
    metadata.native = match members.text("application_type")? {
        None | Some("web") => false,
        Some("native") => true,
        Some(_) => return Err(wrong("application_type", "is neither web nor native")),
    };
    metadata.id_token_alg = algorithm(members, "id_token_signed_response_alg")?;
    metadata.userinfo_alg = algorithm(members, "userinfo_signed_response_alg")?;
    metadata.default_max_age = members.seconds("default_max_age", 0..=LONGEST_AGE)?;
    metadata.require_pushed = members.flag("require_pushed_authorization_requests")?;
    // Both are always so; asking for less changes nothing that a client could miss.
    members.flag("require_auth_time")?;
    members.flag("backchannel_logout_session_required")?;
    metadata.resources = resources(members)?;
    metadata.post_logout_redirect_uris = post_logout_redirect_uris(members, metadata.native)?;
    metadata.backchannel_logout_uri = uri(members, "backchannel_logout_uri")?;
    metadata.about = about(members)?;
    metadata.sector_identifier_uri = uri(members, "sector_identifier_uri")?;
    metadata.sector = match members.text("subject_type")? {
        None | Some("public") => None,
        Some("pairwise") => Some(sector::of(&metadata.redirect_uris, metadata.sector_identifier_uri.as_deref())?),
        Some(_) => return Err(wrong("subject_type", "is neither public nor pairwise")),
    };
    Ok(())
}

fn about(members: Members<'_>) -> Result<Option<AboutClient>, Stop> {
    let about = AboutClient {
        client_uri: uri(members, "client_uri")?,
        logo_uri: uri(members, "logo_uri")?,
        policy_uri: uri(members, "policy_uri")?,
        tos_uri: uri(members, "tos_uri")?,
    };
    let is_empty =
        [&about.client_uri, &about.logo_uri, &about.policy_uri, &about.tos_uri].iter().all(|uri| uri.is_none());
    Ok((!is_empty).then_some(about))
}

/// A refresh token that ends with its session must not be promised for longer than a session lives.
pub(super) fn refresh_fits(metadata: &ClientMetadata, session: Seconds) -> Result<(), Stop> {
    let refreshes = metadata.grant_types.contains(&GrantType::RefreshToken);
    let outlives = metadata.scope.contains("offline_access");
    if refreshes && !outlives && metadata.refresh_token_lifetime.is_some_and(|lifetime| lifetime > session) {
        let sentence = "is longer than a session lives, and without the scope offline_access it ends with one";
        return Err(wrong("refresh_token_lifetime", sentence));
    }
    Ok(())
}

fn algorithm(members: Members<'_>, name: &str) -> Result<Option<Algorithm>, Stop> {
    let Some(text) = members.text(name)? else { return Ok(None) };
    Algorithm::named(text).map(Some).ok_or_else(|| wrong(name, "is not ES256, RS256 or EdDSA"))
}

/// A native application is come back to as it is sent codes (RP-Initiated Logout §3).
fn post_logout_redirect_uris(members: Members<'_>, native: bool) -> Result<Vec<String>, Stop> {
    let name = "post_logout_redirect_uris";
    let uris = members.texts(name, MOST_URIS)?;
    if uris.iter().all(|uri| redirect_uri::may_be_returned_to(uri, native)) {
        Ok(uris.into_iter().map(str::to_owned).collect())
    } else {
        Err(wrong(name, "has something other than absolute https URIs without fragment"))
    }
}

fn uri(members: Members<'_>, name: &str) -> Result<Option<String>, Stop> {
    match members.text(name)? {
        Some(uri) if !redirect_uri::is_good(uri) => Err(wrong(name, "is not an absolute https URI without fragment")),
        uri => Ok(uri.map(str::to_owned)),
    }
}

fn resources(members: Members<'_>) -> Result<Vec<String>, Stop> {
    let resources = members.texts("resources", MOST_RESOURCES)?;
    if resources.iter().all(|resource| crate::http::token::is_absolute_uri(resource)) {
        Ok(resources.into_iter().map(str::to_owned).collect())
    } else {
        Err(wrong("resources", "has something other than absolute URIs without fragment"))
    }
}
