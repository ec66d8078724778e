//! A refresh token buys once: each rotation counts the generation by one, in a family that stands (RFC 9700
//! §4.14.2). Nothing is refreshed after reuse, revocation or expiry.
//!
//! The same generation comes twice only where a lost answer was asked for again after its access token had
//! expired: then it is the same refresh token with a new access token, and lives no longer.

use super::{Appended, Held, authorized};
use grantlog_events::{
    Body,
    command::{InspectRefresh, PresentedRefresh},
    decide::{Answer, decide},
    state::GrantRow,
    token::{IssuedToken, RefreshGranted},
};

pub(super) fn follows(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let Some(refresh) = &token.refresh else { return Err("it refreshes and brings no refresh token".to_owned()) };
    let (allowed, row) = family(appended, refresh.family)?;
    authorized::is_not_exceeded(appended, token, &allowed)?;
    stands(appended, refresh.family, row)?;
    counts_on(appended, token, refresh, row)?;
    lives_no_longer(token, refresh, &allowed, row)
}

/// What a family is allowed, and how far it has come.
pub(super) fn family<'a>(
    appended: &Appended<'a>,
    family: u64,
) -> Result<(authorized::Authorization<'a>, &'a GrantRow), String> {
    let root = appended.state.event(family).and_then(authorized::Authorization::of);
    let root = root.ok_or_else(|| format!("it names {}, where no family begins", appended.files.at(family)))?;
    let row = root.root.party().and_then(|party| appended.state.grant(&party, family));
    let row = row.filter(|row| row.generation > 0);
    row.map(|row| (root, row)).ok_or_else(|| format!("the family {} has no refresh token", appended.files.at(family)))
}

/// Asked of the rule that the shards decide by.
fn stands(appended: &Appended<'_>, family: u64, row: &GrantRow) -> Held {
    let token = PresentedRefresh { family, generation: row.generation };
    match decide(appended.state, &InspectRefresh { token }.into(), appended.event.occurred_at).answer {
        Answer::Refused(why) => {
            Err(format!("it refreshes in the family {}, which is over ({})", appended.files.at(family), why.name()))
        }
        Answer::Granted | Answer::Stands(_) | Answer::NothingToDo => Ok(()),
    }
}

/// The same generation comes twice only where the first answer could not be given again.
fn counts_on(appended: &Appended<'_>, token: &IssuedToken, refresh: &RefreshGranted, row: &GrantRow) -> Held {
    let is_over = row.token_until.is_some_and(|until| until <= appended.event.occurred_at);
    let keys_changed = !row.is_signed_by(&token.kid, token.id_token.as_ref().map(|id_token| &id_token.kid));
    let is_lost_answer = row.rotated_at.is_some() && (is_over || keys_changed);
    match refresh.generation {
        next if next.checked_sub(1) == Some(row.generation) => Ok(()),
        same if same == row.generation && is_lost_answer => Ok(()),
        same if same == row.generation => Err(format!("it is a second successor, of the generation {same}")),
        other => Err(format!("its generation is {other}, though the last was {}", row.generation)),
    }
}

fn lives_no_longer(
    token: &IssuedToken,
    refresh: &RefreshGranted,
    allowed: &authorized::Authorization<'_>,
    row: &GrantRow,
) -> Held {
    let is_rotated = refresh.generation != row.generation;
    let limit = match &allowed.root.body {
        Body::CodeIssued(code) if is_rotated => (!code.offline).then_some(code.session_until),
        _ => row.refresh_until,
    };
    if limit.is_some_and(|limit| refresh.until > limit) {
        return Err("its refresh token lives longer than it may".to_owned());
    }
    let is_exchanged = !matches!(allowed.root.body, Body::CodeIssued(_));
    if is_exchanged && token.expires_at > refresh.until {
        return Err("it outlives its exchanged family".to_owned());
    }
    Ok(())
}
