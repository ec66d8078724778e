//! `/userinfo` (OIDC Core §5.3): signature from memory, then one read of the user's view.
//!
//! The client's view, if it is not remembered, is read in parallel. A user without a view costs one
//! call to the home shard. Where consistency is `log`, the shard is asked instead of trusting the view.

use super::{
    OAuthError, Request, Response, Stop, answer, bearer, client, operator,
    stop::{is_not_live, odd_refusal, odd_reply, unverified},
};
use crate::{
    failure::Failure,
    jose::{self, Verified},
    ports::{Log, Views, World},
    shard::{Ask, Query, Reply},
};
use grantlog_events::{ClientId, Stored, key::Algorithm, token::Party};
use grantlog_projections::{claims, client::ClientView, user::UserView};
use http::StatusCode;
use serde_json::{Map, Value};
use std::{fmt::Write, rc::Rc};

/// `GET` or `POST /userinfo`.
pub(super) async fn userinfo<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    let presented = bearer::presented(request)?;
    let token = jose::access_token::verify(world, &presented)
        .await
        .map_err(|error| unverified(error, OAuthError::InvalidToken))?;
    if token.is_expired(world.now()) || !token.audience.contains(&world.config().issuer) {
        return Err(dead());
    }
    if !token.presented.scope.contains("openid") {
        return Err(Stop::Error(OAuthError::InsufficientScope, "The scope openid is needed.".to_owned()));
    }
    let Party::Subject(subject) = &token.presented.party else { return Err(dead()) };
    let remembered = world.memory().client(&token.presented.client, world.now());
    let (client, claims) = if asks_the_log(world, remembered.as_deref()) {
        let (client, claims) = futures_util::join!(client_of(world, &token), claims_from_home(world, &token));
        let client = client_that_lets_it_live(client?, &token)?;
        (client, claims?)
    } else {
        let (client, user) = futures_util::join!(client_of(world, &token), world.views().user(subject));
        let client = client_that_lets_it_live(client?, &token)?;
        let claims = match user? {
            Some(bytes) if !asks_the_log(world, Some(&client)) => claims_from_view(&bytes, &token)?,
            Some(_) | None => claims_from_home(world, &token).await?,
        };
        (client, claims)
    };
    let body = body(&token, &claims)?;
    match client.metadata.userinfo_alg {
        None => Ok(answer::with(StatusCode::OK, "application/json", body)),
        Some(algorithm) => signed(world, algorithm, &client.client, &body).await,
    }
}

/// As a JWT, for a client that registered it (OIDC Core §5.3.2).
async fn signed<W: World>(world: &W, algorithm: Algorithm, client: &ClientId, body: &[u8]) -> Result<Response, Stop> {
    let claims = serde_json::from_slice(body).map_err(|error| Failure::lasting("signing claims", error))?;
    let ring = jose::ring::ring(world).await?;
    let jwt = jose::userinfo::sign(world, &ring, algorithm, client, claims).await?;
    Ok(answer::with(StatusCode::OK, "application/jwt", jwt.into_bytes()))
}

async fn client_of<W: World>(world: &W, token: &Verified) -> Result<Option<Rc<ClientView>>, Stop> {
    client::view(world, &token.presented.client).await
}

fn client_that_lets_it_live(client: Option<Rc<ClientView>>, token: &Verified) -> Result<Rc<ClientView>, Stop> {
    let address = token.presented.jti.address;
    match client {
        Some(view) if !view.deleted && !view.is_dead(address.place, address.seq) => Ok(view),
        _ => Err(dead()),
    }
}

fn asks_the_log<W: World>(world: &W, client: Option<&ClientView>) -> bool {
    world.config().userinfo_from_log || client.is_some_and(|view| view.metadata.userinfo_from_log)
}

fn claims_from_view(bytes: &[u8], token: &Verified) -> Result<Vec<(String, String)>, Stop> {
    let view = UserView::from_bytes(bytes).map_err(|malformed| Failure::lasting("reading a user's view", malformed))?;
    if view.admits(&token.presented) { Ok(view.claims) } else { Err(dead()) }
}

/// The home shard knows, in one call, whether the token lives and what its person's attributes are.
async fn claims_from_home<W: World>(world: &W, token: &Verified) -> Result<Vec<(String, String)>, Stop> {
    let place = token.presented.jti.address.place;
    if !operator::is_log(world, place).await? {
        return Err(dead());
    }
    match world.log().ask(place, &Ask::Read(Query::ProfileOfBearer(token.presented.clone()))).await? {
        Reply::Profile(Some(profile)) => {
            let read = claims::by_scope(&profile.attributes.0);
            read.map_err(|what| Failure::lasting("reading attributes", what).into())
        }
        Reply::Profile(None) => Err(dead()),
        Reply::Refused(refusal) if is_not_live(refusal) => Err(dead()),
        Reply::Refused(refusal) => Err(odd_refusal(refusal)),
        _ => Err(odd_reply()),
    }
}

/// The claims are JSON members already; they are joined, not parsed, but for those asked for by name.
fn body(token: &Verified, claims: &[(String, String)]) -> Result<Vec<u8>, Failure> {
    let mut body = format!("{{\"sub\":\"{}\"", token.sub);
    for (scope, members) in claims {
        if token.presented.scope.contains(scope) {
            // Writing to a string cannot fail.
            let _ = write!(body, ",{members}");
        } else if !token.claims.is_empty() {
            for (name, value) in named(token, members)? {
                let _ = write!(body, ",{}:{value}", Value::String(name));
            }
        }
    }
    body.push('}');
    Ok(body.into_bytes())
}

/// The members whose names were asked for (OIDC Core §5.5).
fn named(token: &Verified, members: &str) -> Result<Vec<(String, Value)>, Failure> {
    let members: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}"))
        .map_err(|error| Failure::lasting("reading a user's view", error))?;
    Ok(members.into_iter().filter(|(name, _)| token.claims.contains(name)).collect())
}

fn dead() -> Stop {
    Stop::Error(OAuthError::InvalidToken, "The token is not active.".to_owned())
}
