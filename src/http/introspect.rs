//! `/introspect` (RFC 7662): verify first, then one read-only call to the shard that issued the token.
//!
//! Active is said only to the token's client, to clients in its audience, and to clients whose exchange
//! policy admits it; to everyone else every token is inactive.

use super::{
    Request, Response, Stop, answer,
    client::{self, Accepts, AuthenticatedClient},
    form::Form,
    operator::{self, Inspected},
    stop::{is_not_live, odd_refusal, odd_reply},
    token::{self, Outcome},
};
use crate::{
    jose::{self, VerifyError},
    pairwise,
    ports::World,
    refresh_token::RefreshToken,
};
use grantlog_events::{ClientId, Event, command::InspectRefresh};
use serde_json::{Value, json};

/// `POST /introspect`.
pub(super) async fn introspect<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let (client, _) = token::client_and_ring(world, request, &form, Accepts::Confidential).await?;
    let presented = form.required("token")?;
    if let Some(token) = RefreshToken::parse(presented) {
        return refresh_token(world, &client, &token).await;
    }
    let token = match jose::access_token::verify(world, presented).await {
        Ok(token) => token,
        Err(VerifyError::Failure(failure)) => return Err(failure.into()),
        Err(VerifyError::Invalid(_)) => return Ok(inactive()),
    };
    if !may_be_told(&client, &token.presented.client, &token.audience) {
        return Ok(inactive());
    }
    match operator::inspect(world, &token).await? {
        // What is told is the event's wording; the token's own could have been signed with a leaked key.
        Inspected::Live(event) => told(world, &client, &event, token.names_pairwise()).await,
        Inspected::Dead => Ok(inactive()),
    }
}

fn may_be_told(client: &AuthenticatedClient, issued_to: &ClientId, audience: &[String]) -> bool {
    let policy = client.metadata().token_exchange.as_ref();
    client.id() == issued_to
        || audience.iter().any(|audience| audience == client.id().as_str())
        || policy.is_some_and(|policy| policy.subject_clients.admits(issued_to))
}

async fn told<W: World>(
    world: &W,
    client: &AuthenticatedClient,
    event: &Event,
    names_pairwise: bool,
) -> Result<Response, Stop> {
    let (Some(issued), Some(issued_to)) = (event.body.issued(), &event.client) else { return Err(odd_reply()) };
    if !may_be_told(client, issued_to, &issued.audience) {
        return Ok(inactive());
    }
    // People are named as in the token: as its own client knows them.
    let own = if names_pairwise { client::view(world, issued_to).await? } else { None };
    let sector = own.as_ref().and_then(|own| own.metadata.sector.as_deref());
    let claims = jose::access_token::claims(world.config(), event, sector);
    let Some(Value::Object(mut members)) = claims else { return Err(odd_reply()) };
    members.remove("lin");
    members.extend([("active".to_owned(), json!(true)), ("token_type".to_owned(), json!("Bearer"))]);
    Ok(answer::json(&Value::Object(members)))
}

/// A refresh token is told to its own client alone.
async fn refresh_token<W: World>(
    world: &W,
    client: &AuthenticatedClient,
    token: &RefreshToken,
) -> Result<Response, Stop> {
    if !operator::is_log(world, token.family.place).await? {
        return Ok(inactive());
    }
    let command = InspectRefresh { token: token.presented() };
    let events = match token::call_with(world, token.family.place, command, Some(token.secret)).await?.0 {
        Outcome::Granted(events) => events,
        Outcome::Refused(refusal) if is_not_live(refusal) => return Ok(inactive()),
        Outcome::Refused(refusal) => return Err(odd_refusal(refusal)),
    };
    let event = events.first().ok_or_else(odd_reply)?;
    let (Some(issued), Some(party)) = (event.body.issued(), event.party()) else { return Err(odd_reply()) };
    let Some(refresh) = issued.refresh.as_ref().filter(|_| event.client.as_ref() == Some(client.id())) else {
        return Ok(inactive());
    };
    Ok(answer::json(&json!({
        "active": true,
        "token_type": "refresh_token",
        "client_id": client.id().as_str(),
        "sub": pairwise::word_sub(world.config(), client.metadata().sector.as_deref(), &party),
        "scope": issued.scope.to_string(),
        "iat": event.occurred_at.seconds(),
        "exp": refresh.until.seconds(),
        "iss": world.config().issuer,
    })))
}

fn inactive() -> Response {
    answer::json(&json!({ "active": false }))
}
