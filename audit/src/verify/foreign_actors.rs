//! Actors from other logs: the token that an exchange names was issued there, to that party (17).
//!
//! Whether it was live at that moment only its own shard could say; two logs have no common clock. Logs
//! are read one after the other, so an actor's log may end before its token: that is no fault.

use super::log::Pass;
use crate::{
    bundle::Bundle,
    exit::{Exit, Failure},
};
use grantlog_events::{Address, Place, token::Actor};
use std::collections::BTreeMap;

/// An actor named in one log, whose token is another log's.
pub(super) struct ForeignActor {
    pub(super) named_at: Address,
    pub(super) actor: Actor,
}

pub(super) fn are_genuine(bundle: &Bundle, pass: &Pass) -> Result<(), Failure> {
    let mut by_home: BTreeMap<Place, Vec<&ForeignActor>> = BTreeMap::new();
    for foreign in &pass.foreign_actors {
        by_home.entry(foreign.actor.jti.address.place).or_default().push(foreign);
    }
    for (home, actors) in by_home {
        let files = bundle.read_place(home).map_err(|_| no_such_log(home, &actors))?;
        for foreign in actors {
            let jti = &foreign.actor.jti;
            let issued = files.event(jti.address.seq).filter(|event| event.body.issued().is_some());
            let genuine =
                issued.is_some_and(|event| event.jti() == *jti && event.party().as_ref() == Some(&foreign.actor.party));
            if jti.address.seq < files.len() && !genuine {
                return Err(broken(format!("{}: its actor's token {jti} was never issued to it.", foreign.named_at)));
            }
        }
    }
    Ok(())
}

fn no_such_log(home: Place, actors: &[&ForeignActor]) -> Failure {
    let named_at = actors.first().map(|foreign| foreign.named_at.to_string()).unwrap_or_default();
    broken(format!(
        "{named_at}: its actor's token belongs to the log {}-{}, which was never born.",
        home.epoch, home.shard
    ))
}

fn broken(sentence: String) -> Failure {
    Failure::new(Exit::InvariantBroken, sentence)
}
