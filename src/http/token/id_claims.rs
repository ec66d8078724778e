//! Claims that a client asked for in the ID token by name (OIDC Core §5.5), from the user's view.

use super::{Stop, odd_reply};
use crate::{
    failure::Failure,
    ports::{Views, World},
};
use grantlog_events::{Event, Stored};
use grantlog_projections::user::UserView;
use serde_json::{Map, Value};

/// The named claims that the person has; nothing is read where none was asked for.
pub(super) async fn read<W: World>(world: &W, event: &Event, names: &[String]) -> Result<Map<String, Value>, Stop> {
    let mut claims = Map::new();
    let Some(subject) = event.subject.as_ref().filter(|_| !names.is_empty()) else { return Ok(claims) };
    let bytes = world.views().user(subject).await?.ok_or_else(odd_reply)?;
    let view =
        UserView::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading a user's view", malformed))?;
    for (_, members) in &view.claims {
        let read: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}"))
            .map_err(|error| Failure::lasting("reading a user's view", error))?;
        claims.extend(read.into_iter().filter(|(name, _)| names.contains(name)));
    }
    Ok(claims)
}
