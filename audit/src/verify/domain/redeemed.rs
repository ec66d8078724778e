//! A code buys once, while it is good, and the refresh token that comes with it begins its family.
//!
//! Whether the code was good is asked of the rule that the shards decide by.

use super::{Appended, Held, authorized};
use grantlog_events::{
    Body, Event, Seconds,
    body::CodeIssued,
    command::{Caller, RedeemCode, Signing},
    decide::{Answer, decide},
    token::IssuedToken,
};

pub(super) fn was_good(appended: &Appended<'_>, token: &IssuedToken) -> Held {
    let event = appended.event;
    let root = event.grant.and_then(|seq| appended.state.event(seq));
    let Some((root, code)) = root.and_then(code) else {
        return Err("it was bought with a code that was never given".to_owned());
    };
    let Some(allowed) = authorized::Authorization::of(root) else { return Ok(()) };
    authorized::is_not_exceeded(appended, token, &allowed)?;
    is_redeemable(appended, root, code, token)?;
    begins_a_family(root, code, token)
}

fn code(root: &Event) -> Option<(&Event, &CodeIssued)> {
    if let Body::CodeIssued(code) = &root.body { Some((root, code)) } else { None }
}

fn is_redeemable(appended: &Appended<'_>, root: &Event, code: &CodeIssued, token: &IssuedToken) -> Held {
    let Some(client) = root.client.clone() else { return Err("its code was given to no client".to_owned()) };
    let redeem = RedeemCode {
        caller: Caller { client, generation: u64::MAX },
        signing: Signing { kid: token.kid.clone(), algorithm: token.algorithm, lifetime: Seconds(1) },
        id_token: None,
        code: root.jti(),
        redirect: code.redirect,
        challenge: code.challenge,
        refresh: None,
    };
    match decide(appended.state, &redeem.into(), appended.event.occurred_at).answer {
        Answer::Refused(why) => {
            Err(format!("it was bought with the code {}, which was good no more ({})", root.address(), why.name()))
        }
        Answer::Granted | Answer::Stands(_) | Answer::NothingToDo => Ok(()),
    }
}

fn begins_a_family(root: &Event, code: &CodeIssued, token: &IssuedToken) -> Held {
    let Some(refresh) = &token.refresh else { return Ok(()) };
    if refresh.family != root.seq || refresh.generation != 1 {
        return Err("its refresh token is not the first of its code".to_owned());
    }
    if !code.offline && refresh.until > code.session_until {
        return Err("its refresh token outlives the session".to_owned());
    }
    Ok(())
}
