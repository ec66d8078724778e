//! The rules of the domain, asked of every event as it takes its place (17).
//!
//! One file per rule. A rule sees the state before the event and, for a token, the event it was
//! exchanged from; whether that one was live is asked of the rule that the shards decide by.

mod actors;
mod authorized;
mod bound;
mod codes;
mod exchanged_family;
mod first_token;
mod genesis;
mod growth;
pub(super) mod limits;
mod lineage;
mod parent;
mod plain;
mod redeemed;
mod refreshed;
mod replays;
mod revocations;
mod sessions;

use super::{foreign_actors::ForeignActor, log::Pass};
use crate::{
    bundle::LogFiles,
    exit::{Exit, Failure},
};
use grantlog_events::{Body, Event, State, token::IssuedToken};
use grantlog_projections::replay::Replay;
use std::collections::btree_map::Entry;

/// What a rule says of an event: nothing, or the sentence that names the breach.
type Held = Result<(), String>;

/// An event in the state it was appended in.
struct Appended<'a> {
    event: &'a Event,
    /// The state before it.
    state: &'a State,
    files: &'a LogFiles,
}

/// A token with the one it was exchanged from.
struct Exchanged<'a> {
    appended: &'a Appended<'a>,
    token: &'a IssuedToken,
    parent: &'a Event,
    parent_token: &'a IssuedToken,
}

/// Whether `event` keeps every rule.
pub(super) fn holds(
    pass: &mut Pass,
    files: &LogFiles,
    replay: &mut Replay,
    event: &Event,
    bytes: &[u8],
) -> Result<(), Failure> {
    let breach = |sentence| Failure::new(Exit::InvariantBroken, format!("{}: {sentence}.", event.address()));
    has_an_id_of_its_own(pass, event).map_err(breach)?;
    parent::recall(replay, files, event);
    let appended = Appended { event, state: replay.state(), files };
    judge(&appended, bytes).map_err(breach)?;
    let here = files.place;
    let foreign = event.actors.iter().filter(|actor| actor.jti.address.place != here).cloned();
    pass.foreign_actors.extend(foreign.map(|actor| ForeignActor { named_at: event.address(), actor }));
    Ok(())
}

fn judge(appended: &Appended<'_>, bytes: &[u8]) -> Held {
    plain::holds(appended, bytes)?;
    genesis::stands_first(appended)?;
    revocations::name_what_they_end(appended)?;
    sessions::begin_and_end_once(appended)?;
    codes::are_consented_to(appended)?;
    replays::repeat_the_last_answer(appended)?;
    let Some(token) = appended.event.body.issued() else { return Ok(()) };
    plain::token(appended, token)?;
    bound::to_no_ended_session(appended, token)?;
    match &appended.event.body {
        Body::CodeRedeemed(_) => redeemed::was_good(appended, token),
        Body::TokenRefreshed(_) => refreshed::follows(appended, token),
        _ => exchanged_or_first(appended, token),
    }
}

fn exchanged_or_first(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let Some(parent) = parent::of(appended)? else { return first_token::may_be_issued(appended, token) };
    let parent_token = parent.body.issued().ok_or("it was exchanged from an event that issued no token")?;
    let exchanged = Exchanged { appended, token, parent, parent_token };
    parent::is_live(&exchanged)?;
    lineage::continues(&exchanged)?;
    growth::is_none(&exchanged)?;
    exchanged_family::begins(&exchanged)?;
    actors::stay(&exchanged)
}

fn has_an_id_of_its_own(pass: &mut Pass, event: &Event) -> Held {
    match pass.ids.entry(event.id) {
        Entry::Vacant(free) => {
            free.insert(event.address());
            Ok(())
        }
        Entry::Occupied(taken) => Err(format!("it has the id of the event {}", taken.get())),
    }
}
