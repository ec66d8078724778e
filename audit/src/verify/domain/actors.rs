//! Actors stay, newest first: a delegation adds one in front, an impersonation adds none (RFC 8693 §4.1).
//!
//! Who a token says may act is the one who acts, and no token that demands an actor comes out without
//! one. An actor's token of the same log was live.

use super::{Exchanged, Held};
use grantlog_events::{Body, token::Actor};
use grantlog_projections::token_history::refusal;

pub(super) fn stay(exchanged: &Exchanged<'_>) -> Held {
    let (event, parent) = (exchanged.appended.event, exchanged.parent);
    let delegated = matches!(event.body, Body::TokenDelegated(_));
    let (newest, before) = match event.actors.split_first() {
        Some((newest, before)) if delegated => (Some(newest), before),
        None if delegated => return Err("it is a delegation in which nobody acts".to_owned()),
        _ => (None, event.actors.as_slice()),
    };
    if before != parent.actors {
        return Err("its actors are not its parent's, newest first".to_owned());
    }
    match newest {
        Some(actor) => may_act(exchanged, actor).and_then(|()| was_live(exchanged, actor)),
        None if exchanged.parent_token.may_act.is_some() => {
            Err("its parent demands an actor, and nobody acts".to_owned())
        }
        None => Ok(()),
    }
}

fn may_act(exchanged: &Exchanged<'_>, actor: &Actor) -> Held {
    let named = exchanged.parent_token.may_act.as_ref().and_then(|may_act| may_act.sub.as_ref());
    match named {
        Some(party) if *party != actor.party => Err(format!("{} acts, where only {party} may", actor.party)),
        _ => Ok(()),
    }
}

/// Actors of other logs are looked up when all logs have been read.
fn was_live(exchanged: &Exchanged<'_>, actor: &Actor) -> Held {
    let appended = exchanged.appended;
    if actor.jti.address.place != appended.files.place {
        return Ok(());
    }
    let issued = appended.state.event(actor.jti.address.seq).filter(|event| event.body.issued().is_some());
    let genuine = issued.filter(|event| event.jti() == actor.jti && event.party().as_ref() == Some(&actor.party));
    let Some(genuine) = genuine else {
        return Err(format!("its actor's token {} was never issued to it", actor.jti));
    };
    match refusal(appended.state, genuine, appended.event.occurred_at) {
        None => Ok(()),
        Some(why) => Err(format!("its actor's token {} was dead ({})", actor.jti, why.name())),
    }
}
