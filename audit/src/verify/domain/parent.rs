//! A token that was exchanged comes from a token of the same log that was live at that moment.

use super::{Appended, Exchanged, Held};
use crate::bundle::LogFiles;
use grantlog_events::{Body, Event};
use grantlog_projections::{replay::Replay, token_history::refusal};

/// Puts at hand the tokens whose life an exchange depends on, and the event that a family begins with.
pub(super) fn recall(replay: &mut Replay, files: &LogFiles, event: &Event) {
    // Only its shard could tell whether a refresh token was genuine; a log records no other use of one.
    replay.state_mut().refresh_is_proven = true;
    let actors = event.actors.iter().map(|actor| actor.jti.address);
    let actors = actors.filter(|address| address.place == files.place).map(|address| address.seq);
    let named = event.ancestors.last().copied().into_iter().chain(actors).chain(family(event));
    for seq in named.filter(|seq| *seq < event.seq) {
        if replay.state().event(seq).is_none()
            && let Some(earlier) = files.event(seq)
        {
            replay.state_mut().recall(earlier);
        }
    }
}

fn family(event: &Event) -> Option<u64> {
    match &event.body {
        Body::CodeRedeemed(_) => event.grant,
        Body::TokenRefreshed(token) => token.refresh.as_ref().map(|refresh| refresh.family),
        Body::RefreshReplayed(replayed) => Some(replayed.family),
        Body::RefreshRefused(refused) => Some(refused.family),
        _ => None,
    }
}

/// The event that issued the token it was exchanged from; `None` for a first token.
pub(super) fn of<'a>(appended: &Appended<'a>) -> Result<Option<&'a Event>, String> {
    let event = appended.event;
    match (&event.body, event.ancestors.last()) {
        (Body::TokenIssued(_), None) => Ok(None),
        (Body::TokenIssued(_), Some(_)) => Err("it begins a grant and has ancestors".to_owned()),
        (_, None) => Err("it is an exchange from no token".to_owned()),
        (_, Some(seq)) => {
            let address = appended.files.at(*seq);
            let parent = appended.state.event(*seq).filter(|parent| parent.body.issued().is_some());
            parent.map(Some).ok_or_else(|| format!("it was exchanged from {address}, which issued no token before it"))
        }
    }
}

pub(super) fn is_live(exchanged: &Exchanged<'_>) -> Held {
    let Appended { event, state, .. } = exchanged.appended;
    match refusal(state, exchanged.parent, event.occurred_at) {
        None => Ok(()),
        Some(why) => Err(format!("it was exchanged from the dead token {} ({})", exchanged.parent.jti(), why.name())),
    }
}
