//! A code buys tokens once (RFC 6749 §4.1.3). Whoever cannot prove to be its owner changes nothing.

use super::{Decision, family::Root, issue};
use crate::{
    Body, Refusal, State, Timestamp,
    body::{CodeIssued, RevokedBy},
    command::{RedeemCode, Signing},
    envelope::Outcome,
    token::{Cause, IdTokenIssued, IssuedToken, RefreshGranted, TokenKind},
};

pub(super) fn redeem(state: &State, command: &RedeemCode, now: Timestamp) -> Result<Decision, Refusal> {
    issue::caller_is_current(state, &command.caller)?;
    issue::key_is_trusted(state, &command.signing)?;
    command.id_token.as_ref().map_or(Ok(()), |signing| issue::key_is_trusted(state, signing))?;
    let root = Root::at(state, command.code.address.seq).ok_or(Refusal::CodeUnknown)?;
    let Body::CodeIssued(code) = &root.event.body else { return Err(Refusal::CodeUnknown) };
    is_owner(command, root, code)?;
    // Only now: a stolen code without its verifier must not end anybody's session.
    if root.row.redeemed.is_some() {
        return Ok(reused(state, root));
    }
    if now >= code.until {
        return Err(Refusal::CodeExpired);
    }
    root.stands(state)?;
    if !code.offline && now >= code.session_until {
        return Err(Refusal::SessionEnded);
    }
    // What the person may not have any more since the code was given is left out.
    let scope = issue::entitled(state, root.event.subject.as_ref(), &code.scope);
    if scope.is_empty() {
        return Err(Refusal::ScopeEmpty);
    }
    let refresh = command.refresh.map(|lifetime| RefreshGranted {
        family: root.event.seq,
        generation: 1,
        until: root.refresh_until(lifetime, now),
    });
    let token = IssuedToken {
        kind: TokenKind::Access,
        kid: command.signing.kid.clone(),
        algorithm: command.signing.algorithm,
        expires_at: issue::expiry(&command.signing, now),
        audience: code.audience.clone(),
        cause: Cause::Code,
        may_act: None,
        acr: Some(code.acr.clone()),
        amr: code.amr.clone(),
        auth_time: Some(code.auth_time),
        assertion_issuer: None,
        machine: None,
        session: root.session(),
        claims: code.claims.clone(),
        refresh,
        id_token: id_token(command.id_token.as_ref(), &scope, now),
        scope,
    };
    Ok(Decision::grant(root.draft(Body::CodeRedeemed(token))))
}

fn is_owner(command: &RedeemCode, root: Root<'_>, code: &CodeIssued) -> Result<(), Refusal> {
    if root.event.jti() != command.code {
        return Err(Refusal::CodeUnknown);
    }
    if root.event.client.as_ref() != Some(&command.caller.client) {
        return Err(Refusal::TokenOfAnotherClient);
    }
    if code.redirect != command.redirect {
        return Err(Refusal::RedirectUriDiffers);
    }
    if code.challenge != command.challenge {
        return Err(Refusal::VerifierWrong);
    }
    Ok(())
}

/// RFC 6749 §4.1.2: what the code bought is revoked.
fn reused(state: &State, root: Root<'_>) -> Decision {
    let refusal = Refusal::CodeReused;
    let is_dead = root.event.party().is_some_and(|party| state.revoked(&party, root.event.seq).is_some());
    if is_dead {
        return Decision::refuse(refusal);
    }
    let mut draft = root.draft(root.ended(state, RevokedBy::CodeReuse, ""));
    draft.outcome = Outcome::Refused(refusal);
    Decision::refuse(refusal).recording(draft)
}

/// An ID token comes with the scope `openid`; it lives as long as the access token.
pub(super) fn id_token(signing: Option<&Signing>, scope: &crate::Scope, now: Timestamp) -> Option<IdTokenIssued> {
    signing.filter(|_| scope.contains("openid")).map(|signing| IdTokenIssued {
        kid: signing.kid.clone(),
        algorithm: signing.algorithm,
        expires_at: issue::expiry(signing, now),
    })
}
