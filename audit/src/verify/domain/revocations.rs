//! A revocation ends what it names, and is remembered until that has expired with all that descends from it;
//! else the token would come back to life.

use super::{Appended, Held};
use grantlog_events::{Body, Event, Timestamp};

pub(super) fn name_what_they_end(appended: &Appended<'_>) -> Held {
    let is_delegation = |target: &Event| matches!(target.body, Body::TokenDelegated(_));
    match &appended.event.body {
        Body::TokenRevoked(ended) => ends(appended, ended.target, ended.until, is_token),
        Body::GrantRevoked(ended) => ends(appended, ended.target, ended.until, is_grant),
        Body::ExchangeVoided(voided) => ends(appended, voided.target, voided.until, is_delegation),
        Body::ExchangeRefused(refused) => target(appended, refused.token, is_token).map(|_| ()),
        Body::SessionEnded(ended) => {
            for (grant, until) in &ended.grants {
                ends(appended, *grant, *until, is_grant)?;
                is_of_session(appended, *grant, ended.session)?;
            }
            Ok(())
        }
        Body::ConsentWithdrawn(withdrawn) => {
            for (grant, until) in &withdrawn.grants {
                ends(appended, *grant, *until, is_grant)?;
                is_of_client(appended, *grant)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn is_token(target: &Event) -> bool {
    target.body.issued().is_some()
}

/// A code, a first token, or the exchange that a family of refresh tokens began with.
fn is_grant(target: &Event) -> bool {
    let family = target.body.issued().and_then(|token| token.refresh.as_ref()).map(|refresh| refresh.family);
    target.grant == Some(target.seq) || family == Some(target.seq)
}

fn ends(appended: &Appended<'_>, seq: u64, until: Timestamp, fits: fn(&Event) -> bool) -> Held {
    let event = target(appended, seq, |event| is_token(event) || is_grant(event))?;
    let address = appended.files.at(seq);
    if !fits(&event) {
        return Err(format!("it ends {address}, which is not what it ends"));
    }
    if event.party() != appended.event.party() {
        return Err(format!("it ends {address} under another party's name"));
    }
    if lasts(appended, &event).is_some_and(|lasts| lasts > until) {
        return Err(format!("its revocation of {address} is forgotten before that has expired"));
    }
    Ok(())
}

/// When the token and everything under it has expired.
fn lasts(appended: &Appended<'_>, event: &Event) -> Option<Timestamp> {
    let own = event.body.issued().map(|token| token.expires_at);
    let party = event.party();
    let grant = party.as_ref().and_then(|party| appended.state.grant(party, event.seq)).map(|row| row.until);
    let beneath = party.as_ref().and_then(|party| appended.state.lasting(party, event.seq)).map(|row| row.until);
    [own, grant, beneath].into_iter().flatten().max()
}

fn target(appended: &Appended<'_>, seq: u64, fits: fn(&Event) -> bool) -> Result<Event, String> {
    let event = appended.files.event(seq).filter(|event| seq < appended.event.seq && fits(event));
    event.ok_or_else(|| format!("it names {}, which issued no token before it", appended.files.at(seq)))
}

fn is_of_session(appended: &Appended<'_>, grant: u64, session: u64) -> Held {
    let row = appended.event.party().and_then(|party| appended.state.grant(&party, grant));
    if row.is_some_and(|row| row.session == Some(session)) {
        return Ok(());
    }
    Err(format!("it ends {}, which was not given in its session", appended.files.at(grant)))
}

fn is_of_client(appended: &Appended<'_>, grant: u64) -> Held {
    let row = appended.event.party().and_then(|party| appended.state.grant(&party, grant));
    if row.is_some_and(|row| Some(&row.client) == appended.event.client.as_ref()) {
        return Ok(());
    }
    Err(format!("it ends {}, which is another client's", appended.files.at(grant)))
}
