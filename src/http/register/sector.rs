//! The sector by which pairwise subjects are told apart (OIDC Core §8.1): the host of the sector identifier, or
//! the one host of all redirect URIs.

use super::members::wrong;
use crate::{
    failure::Failure,
    http::Stop,
    ports::{Outbound, World},
};
use grantlog_events::client::ClientMetadata;

/// The sector of a client with these URIs.
pub(super) fn of(redirect_uris: &[String], identifier: Option<&str>) -> Result<String, Stop> {
    if let Some(identifier) = identifier {
        return host(identifier).ok_or_else(|| wrong("sector_identifier_uri", "names no host"));
    }
    let mut hosts = redirect_uris.iter().map(|uri| host(uri));
    let first = hosts.next().flatten();
    first.filter(|first| hosts.all(|host| host.as_ref() == Some(first))).ok_or_else(|| {
        wrong("subject_type", "is pairwise, which needs redirect_uris of one host or a sector_identifier_uri")
    })
}

/// Every redirect URI must be in the document that the identifier points to (OIDC Registration §5).
pub(super) async fn is_confirmed<W: World>(world: &W, metadata: &ClientMetadata) -> Result<(), Stop> {
    let Some(identifier) = &metadata.sector_identifier_uri else { return Ok(()) };
    let unread = || wrong("sector_identifier_uri", "points to no list of redirect URIs that can be read");
    let document = match world.outbound().get(identifier).await {
        Ok(document) => document.ok_or_else(unread)?,
        Err(Failure { .. }) => return Err(unread()),
    };
    let listed: Vec<String> = serde_json::from_slice(&document).map_err(|_| unread())?;
    if metadata.redirect_uris.iter().all(|uri| listed.contains(uri)) {
        Ok(())
    } else {
        Err(wrong("sector_identifier_uri", "points to a list that lacks a redirect URI"))
    }
}

/// In lower case: a host is the same however it is written (RFC 3986 §3.2.2), and a sector's people depend on it.
fn host(uri: &str) -> Option<String> {
    let (_, rest) = uri.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next(),
        None => authority.split(':').next(),
    };
    host.filter(|host| !host.is_empty()).map(str::to_ascii_lowercase)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    fn sector(uris: &[&str], identifier: Option<&str>) -> Option<String> {
        of(&uris.iter().map(|uri| (*uri).to_owned()).collect::<Vec<_>>(), identifier).ok()
    }

    #[test]
    fn one_host_is_a_sector_and_several_need_an_identifier() {
        let of = |uris: &[&str]| sector(uris, None);
        assert_eq!(of(&["https://a.example/x", "https://a.example:8443/y"]).as_deref(), Some("a.example"));
        assert_eq!(of(&["https://A.Example/x", "https://a.example/y"]).as_deref(), Some("a.example"));
        assert_eq!(of(&["https://a.example/x", "https://b.example/x"]), None);
        assert_eq!(of(&["com.example.app:/cb"]), None, "an app's own scheme is of no host");
        assert_eq!(of(&[]), None);
        let several = ["https://a.example/x", "https://b.example/x"];
        assert_eq!(sector(&several, Some("https://sector.example/list")).as_deref(), Some("sector.example"));
    }
}
