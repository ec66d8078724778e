//! `authorization_code` (RFC 6749 §4.1.3, RFC 7636 §4.5): a code buys tokens, once, for who asked for it.

use super::{
    Accepts, Form, OAuthError, Outcome, Request, Response, Stop, because, call_with, client, client_and_ring,
    id_claims,
    issued::{Issued, refused},
    refresh_lifetime, signing, signing_id_token, spend_assertion,
};
use crate::{authorization_code::AuthorizationCode, http::operator::is_log, jose, ports::World};
use grantlog_events::{Digest, Refusal, client::GrantType, command::RedeemCode};

pub(super) async fn redeem<W: World>(world: &W, request: &Request, form: &Form) -> Result<Response, Stop> {
    let (mut client, mut ring) = client_and_ring(world, request, form, Accepts::Public).await?;
    client.may_use(GrantType::AuthorizationCode)?;
    let text = form.required("code")?;
    let redirect = Digest::of(form.required("redirect_uri")?.as_bytes()).half();
    let challenge = challenge(form)?;
    let Some(code) = AuthorizationCode::open(world.config(), text) else {
        return Err(refused(Refusal::CodeUnknown));
    };
    let place = code.jti.address.place;
    if !is_log(world, place).await? {
        return Err(refused(Refusal::CodeUnknown));
    }
    spend_assertion(world, &ring, &client).await?;
    for attempt in 0..2 {
        let command = RedeemCode {
            caller: client.caller(),
            signing: signing(world, &ring, &client)?,
            id_token: Some(signing_id_token(world, &ring, &client)?),
            code: code.jti.clone(),
            redirect,
            challenge,
            refresh: client
                .metadata()
                .grant_types
                .contains(&GrantType::RefreshToken)
                .then(|| refresh_lifetime(world, &client)),
        };
        match call_with(world, place, command, None).await? {
            (Outcome::Granted(events), secret) => {
                let event = events.first().ok_or_else(super::odd_reply)?;
                let claims = id_claims::read(world, event, &code.carried.claims).await?;
                let issued = Issued::of(event, &client).bearing(secret);
                let issued = issued.in_session(code.session().dashed(), code.carried.nonce.clone(), claims);
                return issued.answer(world, &ring).await;
            }
            (Outcome::Refused(Refusal::ClientViewStale), _) if attempt == 0 => {
                client.view = client::reproven(world, request, form, &client).await?;
                client.may_use(GrantType::AuthorizationCode)?;
            }
            (Outcome::Refused(Refusal::KeyCompromised), _) if attempt == 0 => {
                ring = jose::ring::reload(world).await?;
            }
            (Outcome::Refused(refusal), _) => return Err(refused(refusal)),
        }
    }
    Err(super::odd_reply())
}

/// SHA-256 of the code verifier (RFC 7636 §4.6).
fn challenge(form: &Form) -> Result<Option<[u8; 32]>, Stop> {
    let Some(verifier) = form.value("code_verifier") else { return Ok(None) };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~');
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(plain) {
        return because(OAuthError::InvalidGrant, "The code_verifier has not the form that RFC 7636 gives it.");
    }
    Ok(Some(Digest::of(verifier.as_bytes()).0))
}
