//! Grants that end with something else, a session or a consent: named in its event, and where that has no room
//! for all of them, each of the others by an event of its own.

use super::lasting;
use crate::{
    Body, ClientId, Draft, State, Subject, Timestamp,
    body::{Ended, RevokedBy},
    state::GrantRow,
    token::Party,
};

/// The most grants that one event names: that many fit into it.
const MOST_GRANTS: usize = 1_000;

/// A grant that ends.
pub(super) struct Ending {
    grant: u64,
    client: ClientId,
    /// When all under it has expired.
    until: Timestamp,
}

/// Those of a person's grants that fit and could still give something.
pub(super) fn standing(
    state: &State,
    subject: &Subject,
    fits: impl Fn(&GrantRow) -> bool,
    now: Timestamp,
) -> Vec<Ending> {
    let party = Party::Subject(subject.clone());
    let begun = state.grants(&party).filter(|(grant, row)| fits(row) && state.revoked(&party, *grant).is_none());
    let ends = begun.map(|(grant, row)| Ending {
        grant,
        client: row.client.clone(),
        until: lasting::until(state, &party, grant, row.until),
    });
    ends.filter(|ends| now < ends.until).collect()
}

/// As the event of what they end with names them.
pub(super) fn named(ends: &[Ending]) -> Vec<(u64, Timestamp)> {
    ends.iter().take(MOST_GRANTS).map(|ends| (ends.grant, ends.until)).collect()
}

/// The events of those that it has no room for.
pub(super) fn apart(ends: Vec<Ending>, subject: &Subject, by: RevokedBy, reason: &str) -> impl Iterator<Item = Draft> {
    ends.into_iter().skip(MOST_GRANTS).map(move |ends| {
        let (target, until) = (ends.grant, ends.until);
        let body = Ended { target, by, reason: reason.to_owned(), until, machine: None };
        Draft::of(Body::GrantRevoked(body)).about(Some(subject.clone())).of_client(ends.client)
    })
}
