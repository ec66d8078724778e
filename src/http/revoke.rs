//! `/revoke` (RFC 7009): the token's own client ends it, with everything exchanged from it.
//!
//! Answered when the event is durable and the home shard has written the user's view. What is no token
//! of this server is no error: the client wants it not to work, and it does not.

use super::{
    OAuthError, Request, Response, Stop, answer, client,
    form::Form,
    operator,
    stop::{because, odd_refusal, odd_reply},
    token::{self, Outcome},
};
use crate::{
    jose::{self, VerifyError},
    ports::World,
};
use grantlog_events::{Refusal, command::RevokeToken};
use http::StatusCode;

/// `POST /revoke`.
pub(super) async fn revoke<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let (mut client, ring) = token::client_and_ring(world, request, &form).await?;
    let presented = form.required("token")?;
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

fn done() -> Response {
    answer::empty(StatusCode::OK)
}
