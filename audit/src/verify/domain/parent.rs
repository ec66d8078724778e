//! A token that was exchanged comes from a token of the same log that was live at that moment.

use super::{Appended, Exchanged, Held};
use crate::bundle::LogFiles;
use grantlog_events::{Body, Event};
use grantlog_projections::{replay::Replay, token_history::refusal};

/// Puts at hand the tokens whose life an exchange depends on.
pub(super) fn recall(replay: &mut Replay, files: &LogFiles, event: &Event) {
    let actors = event.actors.iter().map(|actor| actor.jti.address);
    let actors = actors.filter(|address| address.place == files.place).map(|address| address.seq);
    for seq in event.ancestors.last().copied().into_iter().chain(actors).filter(|seq| *seq < event.seq) {
        if replay.state().event(seq).is_none()
            && let Some(earlier) = files.event(seq)
        {
            replay.state_mut().recall(earlier);
        }
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
