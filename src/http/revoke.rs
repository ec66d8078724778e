//! `/revoke` (RFC 7009): the token's own client ends it, with everything exchanged from it.
//!
//! Answered when the event is durable and the home shard has written the user's view. What is no token
//! of this server is no error: the client wants it not to work, and it does not.

use super::{
    OAuthError, Request, Response, Stop, answer,
    client::{self, AuthenticatedClient},
    form::Form,
    operator,
    stop::{because, odd_refusal, odd_reply},
    token::{self, Outcome},
};
use crate::{
    jose::{self, VerifyError},
    ports::World,
    refresh_token::RefreshToken,
};
use grantlog_events::{
    Refusal,
    command::{RevokeRefresh, RevokeToken},
};
use http::StatusCode;

/// `POST /revoke`.
pub(super) async fn revoke<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let (mut client, ring) = token::client_and_ring(world, request, &form, client::Accepts::Public).await?;
    let presented = form.required("token")?;
    if let Some(token) = RefreshToken::parse(presented) {
        if !operator::is_log(world, token.family.place).await? {
            return Ok(done());
        }
        token::spend_assertion(world, &ring, &client).await?;
        return revoke_refresh(world, request, &form, client, &token).await;
    }
    let token = match jose::access_token::verify(world, presented).await {
        Ok(token) => token,
        Err(VerifyError::Failure(failure)) => return Err(failure.into()),
        Err(VerifyError::Invalid(_)) => return Ok(done()),
    };
    if !operator::is_log(world, token.presented.jti.address.place).await? {
        return Ok(done());
    }
    token::spend_assertion(world, &ring, &client).await?;
    for _ in 0..2 {
        let command = RevokeToken { caller: client.caller(), token: token.presented.clone() };
        match token::call(world, token.presented.jti.address.place, command).await? {
            Outcome::Granted(_) | Outcome::Refused(Refusal::TokenUnknown) => return Ok(done()),
            Outcome::Refused(Refusal::ClientViewStale) => {
                client.view = client::reproven(world, request, &form, &client).await?;
            }
            Outcome::Refused(Refusal::TokenOfAnotherClient) => {
                return because(OAuthError::InvalidGrant, "The token was issued to another client.");
            }
            Outcome::Refused(refusal) => return Err(odd_refusal(refusal)),
        }
    }
    Err(odd_reply())
}

/// A refresh token takes its grant with it.
async fn revoke_refresh<W: World>(
    world: &W,
    request: &Request,
    form: &Form,
    mut client: AuthenticatedClient,
    presented: &RefreshToken,
) -> Result<Response, Stop> {
    for _ in 0..2 {
        let command = RevokeRefresh { caller: client.caller(), token: presented.presented() };
        match token::call_with(world, presented.family.place, command, Some(presented.secret)).await?.0 {
            Outcome::Granted(_) | Outcome::Refused(Refusal::RefreshTokenUnknown) => return Ok(done()),
            Outcome::Refused(Refusal::ClientViewStale) => {
                client.view = client::reproven(world, request, form, &client).await?;
            }
            Outcome::Refused(Refusal::TokenOfAnotherClient) => {
                return because(OAuthError::InvalidGrant, "The token was issued to another client.");
            }
            Outcome::Refused(refusal) => return Err(super::stop::odd_refusal(refusal)),
        }
    }
    Err(super::stop::odd_reply())
}

fn done() -> Response {
    answer::empty(StatusCode::OK)
}
