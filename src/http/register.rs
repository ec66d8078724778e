//! Dynamic client registration (RFC 7591) and its management (RFC 7592).
//!
//! Registering takes the operator's scope `client:register`. Afterwards the client's registration access
//! token may read, replace and delete it, and narrow its rights; widening takes the operator's scope, as
//! RFC 7592 leaves it to policy. Success means that every shard has heard of the change.
//!
//! `PUT` replaces everything. A `client_secret` in it must be the current one and stays; a new one is
//! made when `rotate_client_secret` is `true`, or when the method comes to need one, and is shown once.

pub(super) mod body;
mod caller;
pub(super) mod credential;
mod exchange_policy;
mod members;
mod metadata;
mod people;
mod redirect_uri;
mod sector;
#[cfg(test)]
mod tests;

use super::{
    OAuthError, Request, Response, Stop, answer, operator,
    stop::{because, odd_reply, unconfirmed},
};
use crate::{
    ports::{Log, World},
    shard::{self, Ask, Private, Reply, Run, SecretWrite, fresh_header},
};
use caller::Manager;
use credential::Credential;
use grantlog_events::{
    ClientId, Command, Place, Refusal, Timestamp,
    client::{AuthenticationMethod, ClientMetadata, GrantType},
    command::{DeleteClient, RegisterClient, UpdateClient},
    stored::Bytes,
};
use grantlog_projections::{client::ClientView, rendered};
use http::StatusCode;
use serde_json::{Map, Value, json};

/// The scope that registers clients and widens their rights.
const SCOPE: &str = "client:register";

/// `POST /register`.
pub(super) async fn create<W: World>(world: &W, request: &Request) -> Result<Response, Stop> {
    operator::with_scope(world, request, SCOPE).await?;
    let metadata = accepted(world, &body::object(request)?).await?;
    let client = credential::fresh_client_id(world)?;
    let token = Credential::fresh(world)?;
    let secret = if has_secret(&metadata) { Some(Credential::fresh(world)?) } else { None };
    let mut secrets = vec![write(shard::registration_token(&client), Some(&token))];
    secrets.extend(secret.as_ref().map(|secret| write(shard::client_secret(&client), Some(secret))));
    let command = RegisterClient { client: client.clone(), metadata: metadata.clone() };
    let issued_at = match run(world, command.into(), secrets).await? {
        Ok(at) => at.unwrap_or_else(|| world.now()),
        Err(refusal) => return Err(OAuthError::from(refusal).into()),
    };
    let shown =
        Shown { client: &client, metadata: &metadata, issued_at, token: Some(token.text()), secret: secret.as_ref() };
    Ok(answer::json_with(StatusCode::CREATED, &shown.to_json(&world.config().issuer)))
}

/// The metadata, if this deployment can keep what it promises.
async fn accepted<W: World>(world: &W, object: &Map<String, Value>) -> Result<ClientMetadata, Stop> {
    let metadata = metadata::parse(object)?;
    people::refresh_fits(&metadata, world.config().session_lifetime)?;
    sector::is_confirmed(world, &metadata).await?;
    Ok(metadata)
}

/// `GET /register/{id}`.
pub(super) async fn read<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    let manager = Manager::of_living(world, request, id).await?;
    let view = &manager.view;
    Ok(answer::json(&shown(&manager, &view.metadata, None).to_json(&world.config().issuer)))
}

/// `PUT /register/{id}`.
pub(super) async fn replace<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    let manager = Manager::of_living(world, request, id).await?;
    let object = body::object(request)?;
    is_about(&object, &manager.view)?;
    let metadata = accepted(world, &object).await?;
    let secret = secret_change(world, &object, &metadata, &manager.view)?;
    let command = UpdateClient {
        client: manager.view.client.clone(),
        metadata: metadata.clone(),
        secret_replaced: !matches!(secret, SecretChange::Kept),
        may_widen: manager.is_operator(),
    };
    let secrets = secret.write(&manager.view.client).into_iter().collect();
    match change(world, &manager.view.client, command.into(), secrets).await? {
        Ok(()) => Ok(answer::json(&shown(&manager, &metadata, secret.fresh()).to_json(&world.config().issuer))),
        Err(Refusal::ChangeWidensRights) => {
            because(OAuthError::InsufficientScope, "Widening a client's rights needs the scope client:register.")
        }
        // Deleted while this request was on its way.
        Err(Refusal::ClientUnknown) => Err(caller::unproven()),
        Err(refusal) => Err(OAuthError::from(refusal).into()),
    }
}

/// `DELETE /register/{id}`. Deleting twice is deleting once, so that a 503 can be repeated.
pub(super) async fn delete<W: World>(world: &W, request: &Request, id: &str) -> Result<Response, Stop> {
    let manager = Manager::of(world, request, id).await?;
    let client = manager.view.client.clone();
    let secrets = vec![write(shard::client_secret(&client), None)];
    match change(world, &client, DeleteClient { client: client.clone() }.into(), secrets).await? {
        Ok(()) => Ok(answer::empty(StatusCode::NO_CONTENT)),
        Err(refusal) => Err(OAuthError::from(refusal).into()),
    }
}

/// Runs a change of a client, which this isolate then knows nothing of any more.
async fn change<W: World>(
    world: &W,
    client: &ClientId,
    command: Command,
    secrets: Vec<SecretWrite>,
) -> Result<Result<(), Refusal>, Stop> {
    let said = run(world, command, secrets).await;
    world.memory().forget_client(client);
    said.map(|said| said.map(drop))
}

/// Runs a command in the registry; answers when its event occurred.
async fn run<W: World>(
    world: &W,
    command: Command,
    secrets: Vec<SecretWrite>,
) -> Result<Result<Option<Timestamp>, Refusal>, Stop> {
    let private = Private { secrets, ..Private::default() };
    let run = Run { header: fresh_header(world)?, command, private: Some(private) };
    match world.log().ask(Place::REGISTRY, &Ask::Run(Box::new(run))).await? {
        Reply::Granted(events) => Ok(Ok(events.first().map(|event| event.occurred_at))),
        Reply::Refused(refusal) => Ok(Err(refusal)),
        Reply::Unconfirmed(_) => Err(unconfirmed()),
        _ => Err(odd_reply()),
    }
}

fn write(name: String, credential: Option<&Credential>) -> SecretWrite {
    SecretWrite { name, value: credential.map(|credential| Bytes(credential.hash().to_vec())) }
}

fn has_secret(metadata: &ClientMetadata) -> bool {
    match metadata.authentication {
        AuthenticationMethod::SecretBasic | AuthenticationMethod::SecretPost => true,
        AuthenticationMethod::PrivateKeyJwt | AuthenticationMethod::None => false,
    }
}

/// RFC 7592 §2.2: what a replacement must and must not say of the registration itself.
fn is_about(object: &Map<String, Value>, view: &ClientView) -> Result<(), Stop> {
    if object.get("client_id").and_then(Value::as_str) != Some(view.client.as_str()) {
        return because(OAuthError::InvalidRequest, "client_id is missing, or is not the client's.");
    }
    for name in
        ["registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"]
    {
        if object.contains_key(name) {
            return Err(Stop::Error(OAuthError::InvalidRequest, format!("{name} must not be in an update.")));
        }
    }
    match object.get("client_secret") {
        None => Ok(()),
        Some(Value::String(secret)) if credential::matches(view.secret.as_ref(), secret) => Ok(()),
        Some(_) => because(OAuthError::InvalidRequest, "client_secret is not the current one."),
    }
}

/// What an update does to the secret.
enum SecretChange {
    Kept,
    Replaced(Credential),
    Dropped,
}

impl SecretChange {
    fn write(&self, client: &ClientId) -> Option<SecretWrite> {
        let name = shard::client_secret(client);
        match self {
            Self::Kept => None,
            Self::Replaced(secret) => Some(write(name, Some(secret))),
            Self::Dropped => Some(write(name, None)),
        }
    }

    fn fresh(&self) -> Option<&Credential> {
        match self {
            Self::Replaced(secret) => Some(secret),
            Self::Kept | Self::Dropped => None,
        }
    }
}

fn secret_change<W: World>(
    world: &W,
    object: &Map<String, Value>,
    metadata: &ClientMetadata,
    view: &ClientView,
) -> Result<SecretChange, Stop> {
    let rotate = members::Members(object).flag("rotate_client_secret")?;
    match (has_secret(metadata), view.secret.is_some()) {
        (true, true) if !rotate => Ok(SecretChange::Kept),
        (true, _) => Ok(SecretChange::Replaced(Credential::fresh(world)?)),
        (false, _) if rotate => because(OAuthError::InvalidClientMetadata, "The client has no secret to rotate."),
        (false, true) => Ok(SecretChange::Dropped),
        (false, false) => Ok(SecretChange::Kept),
    }
}

/// The client information response (RFC 7591 §3.2.1).
struct Shown<'a> {
    client: &'a ClientId,
    metadata: &'a ClientMetadata,
    issued_at: Timestamp,
    token: Option<&'a str>,
    secret: Option<&'a Credential>,
}

/// Only hashes are kept, so the token is shown to the one who presented it, and a secret when it is made.
fn shown<'a>(manager: &'a Manager, metadata: &'a ClientMetadata, secret: Option<&'a Credential>) -> Shown<'a> {
    let view = &manager.view;
    Shown { client: &view.client, metadata, issued_at: view.registered_at, token: manager.presented_token(), secret }
}

impl Shown<'_> {
    fn to_json(&self, issuer: &str) -> Value {
        let mut json = rendered::metadata(self.metadata);
        let Value::Object(members) = &mut json else { return json };
        let by_code = self.metadata.grant_types.contains(&GrantType::AuthorizationCode);
        members.insert("response_types".to_owned(), if by_code { json!(["code"]) } else { json!([]) });
        members.insert("client_id".to_owned(), self.client.as_str().into());
        members.insert("client_id_issued_at".to_owned(), self.issued_at.seconds().into());
        members.insert("registration_client_uri".to_owned(), format!("{issuer}/register/{}", self.client).into());
        if let Some(token) = self.token {
            members.insert("registration_access_token".to_owned(), token.into());
        }
        if let Some(secret) = self.secret {
            members.insert("client_secret".to_owned(), secret.text().into());
            members.insert("client_secret_expires_at".to_owned(), 0.into());
        }
        json
    }
}
