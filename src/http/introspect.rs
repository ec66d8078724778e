//! `/introspect` (RFC 7662): verify first, then one read-only call to the shard that issued the token.
//!
//! Active is said only to the token's client, to clients in its audience, and to clients whose exchange
//! policy admits it; to everyone else every token is inactive.

use super::{Request, Response, Stop, answer, client::AuthenticatedClient, form::Form, operator, token};
use crate::{
    jose::{self, Verified, VerifyError},
    ports::World,
};
use grantlog_events::Refusal;
use serde_json::{Map, Value, json};

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
    if !may_be_told(&client, &token) {
        return Ok(inactive());
    }
    match operator::inspect(world, &token).await? {
        None => Ok(answer::json(&Value::Object(active(world, &token)))),
        Some(Refusal::ClientViewStale) => Err(super::stop::odd_reply()),
        Some(_) => Ok(inactive()),
    }
}

fn may_be_told(client: &AuthenticatedClient, token: &Verified) -> bool {
    let policy = client.metadata().token_exchange.as_ref();
    *client.id() == token.presented.client
        || token.audience.iter().any(|audience| audience == client.id().as_str())
        || policy.is_some_and(|policy| policy.subject_clients.admits(&token.presented.client))
}

fn inactive() -> Response {
    answer::json(&json!({ "active": false }))
}

fn active<W: World>(world: &W, token: &Verified) -> Map<String, Value> {
    let presented = &token.presented;
    let audience = match token.audience.as_slice() {
        [one] => json!(one),
        many => json!(many),
    };
    let mut members = Map::from_iter([
        ("active".to_owned(), json!(true)),
        ("scope".to_owned(), json!(presented.scope.to_string())),
        ("client_id".to_owned(), json!(presented.client.as_str())),
        ("token_type".to_owned(), json!("Bearer")),
        ("exp".to_owned(), json!(presented.expires_at.seconds())),
        ("iat".to_owned(), json!(token.issued_at)),
        ("sub".to_owned(), json!(presented.party.to_string())),
        ("aud".to_owned(), audience),
        ("iss".to_owned(), json!(world.config().issuer)),
        ("jti".to_owned(), json!(presented.jti.to_string())),
    ]);
    let optional = [
        ("act", token.act.clone()),
        ("may_act", token.may_act.clone()),
        ("acr", token.acr.clone().map(Value::from)),
        ("amr", (!token.amr.is_empty()).then(|| json!(token.amr))),
        ("auth_time", token.auth_time.map(Value::from)),
    ];
    members.extend(optional.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value))));
    members
}
