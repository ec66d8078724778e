//! A revocation ends what it names, and is remembered until that has expired; else the token would come
//! back to life.

use super::{Appended, Held};
use grantlog_events::{Body, Event, Timestamp};

pub(super) fn name_what_they_end(appended: &Appended<'_>) -> Held {
    let is_token = |_: &Event| true;
    let is_grant = |target: &Event| target.grant == Some(target.seq);
    let is_delegation = |target: &Event| matches!(target.body, Body::TokenDelegated(_));
    match &appended.event.body {
        Body::TokenRevoked(ended) => ends(appended, ended.target, ended.until, is_token),
        Body::GrantRevoked(ended) => ends(appended, ended.target, ended.until, is_grant),
        Body::ExchangeVoided(voided) => ends(appended, voided.target, voided.until, is_delegation),
        Body::ExchangeRefused(refused) => target(appended, refused.token).map(|_| ()),
        _ => Ok(()),
    }
}

fn ends(appended: &Appended<'_>, seq: u64, until: Timestamp, fits: fn(&Event) -> bool) -> Held {
    let event = target(appended, seq)?;
    let address = appended.files.at(seq);
    if !fits(&event) {
        return Err(format!("it ends {address}, which is not what it ends"));
    }
    if event.party() != appended.event.party() {
        return Err(format!("it ends {address} under another party's name"));
    }
    if event.body.issued().is_some_and(|token| token.expires_at > until) {
        return Err(format!("its revocation of {address} is forgotten before that has expired"));
    }
    Ok(())
}

fn target(appended: &Appended<'_>, seq: u64) -> Result<Event, String> {
    let event = appended.files.event(seq).filter(|event| seq < appended.event.seq && event.body.issued().is_some());
    event.ok_or_else(|| format!("it names {}, which issued no token before it", appended.files.at(seq)))
}
