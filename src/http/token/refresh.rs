//! `refresh_token` (RFC 6749 §6): every use rotates; the shard decides what a rotated one is.

use super::{
    Accepts, Form, Outcome, Request, Response, Stop, call_with, client, client_and_ring, client_credentials,
    issued::{Issued, refused},
    refresh_lifetime, signing, signing_id_token, spend_assertion,
};
use crate::{http::operator::is_log, jose, ports::World, refresh_token::RefreshToken};
use grantlog_events::{Refusal, client::GrantType, command::Refresh};

pub(super) async fn refresh<W: World>(world: &W, request: &Request, form: &Form) -> Result<Response, Stop> {
    let (mut client, mut ring) = client_and_ring(world, request, form, Accepts::Public).await?;
    may_refresh(&client)?;
    let presented = form.required("refresh_token")?;
    let Some(token) = RefreshToken::parse(presented) else { return Err(refused(Refusal::RefreshTokenUnknown)) };
    let place = token.family.place;
    if !is_log(world, place).await? {
        return Err(refused(Refusal::RefreshTokenUnknown));
    }
    let scope = client_credentials::scope(form)?;
    spend_assertion(world, &ring, &client).await?;
    for attempt in 0..2 {
        let command = Refresh {
            caller: client.caller(),
            signing: signing(world, &ring, &client)?,
            id_token: Some(signing_id_token(world, &ring, &client)?),
            token: token.presented(),
            scope: scope.clone(),
            client_scope: client.metadata().scope.clone(),
            lifetime: refresh_lifetime(world, &client),
            grace: world.config().refresh_grace,
        };
        match call_with(world, place, command, Some(token.secret)).await? {
            (Outcome::Granted(events), secret) => {
                let event = events.first().ok_or_else(super::odd_reply)?;
                return Issued::of(event, &client).bearing(secret).answer(world, &ring).await;
            }
            (Outcome::Refused(Refusal::ClientViewStale), _) if attempt == 0 => {
                client.view = client::reproven(world, request, form, &client).await?;
                may_refresh(&client)?;
            }
            (Outcome::Refused(Refusal::KeyCompromised), _) if attempt == 0 => {
                ring = jose::ring::reload(world).await?;
            }
            (Outcome::Refused(refusal), _) => return Err(refused(refusal)),
        }
    }
    Err(super::odd_reply())
}

/// A client that exchanges has its refresh tokens from there.
fn may_refresh(client: &client::AuthenticatedClient) -> Result<(), Stop> {
    let exchanges = client.metadata().token_exchange.as_ref().is_some_and(|policy| policy.refresh_token);
    if exchanges { Ok(()) } else { client.may_use(GrantType::RefreshToken) }
}
