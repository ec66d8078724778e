//! `/introspect` (RFC 7662): verify first, then one read-only call to the shard that issued the token.
//!
//! Active is said only to the token's client, to clients in its audience, and to clients whose exchange
//! policy admits it; to everyone else every token is inactive.

use super::{
    Request, Response, Stop, answer,
    client::AuthenticatedClient,
    form::Form,
    operator::{self, Inspected},
    stop::odd_reply,
    token,
};
use crate::{
    jose::{self, VerifyError},
    ports::World,
};
use grantlog_events::{ClientId, Event};
use serde_json::{Value, json};

/// `POST /introspect`.
pub(super) async fn introspect<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let form = Form::of_body(request)?;
    let (client, _) = token::client_and_ring(world, request, &form).await?;
    let presented = form.required("token")?;
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
        Inspected::Live(event) => told(world, &client, &event),
        Inspected::Dead => Ok(inactive()),
    }
}

fn may_be_told(client: &AuthenticatedClient, issued_to: &ClientId, audience: &[String]) -> bool {
    let policy = client.metadata().token_exchange.as_ref();
    client.id() == issued_to
        || audience.iter().any(|audience| audience == client.id().as_str())
        || policy.is_some_and(|policy| policy.subject_clients.admits(issued_to))
}

fn told<W: World>(world: &W, client: &AuthenticatedClient, event: &Event) -> Result<Response, Stop> {
    let (Some(issued), Some(issued_to)) = (event.body.issued(), &event.client) else { return Err(odd_reply()) };
    if !may_be_told(client, issued_to, &issued.audience) {
        return Ok(inactive());
    }
    let claims = jose::access_token::claims(&world.config().issuer, event);
    let Some(Value::Object(mut members)) = claims else { return Err(odd_reply()) };
    members.remove("lin");
    members.extend([("active".to_owned(), json!(true)), ("token_type".to_owned(), json!("Bearer"))]);
    Ok(answer::json(&Value::Object(members)))
}

fn inactive() -> Response {
    answer::json(&json!({ "active": false }))
}
