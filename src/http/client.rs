//! Client authentication (RFC 6749 §2.3, RFC 7523 §2.2): one method, the registered one, proven.
//!
//! The edge works from a view at most 30 s old; each command carries the view's generation, and a shard
//! that knows better says so. A client that cannot prove itself learns nothing of why.

use super::{
    OAuthError, Request, Stop,
    form::{Form, decoded},
    register::credential::has_form_of_client_id,
    stop::{because, unverified},
};
use crate::{
    failure::Failure,
    jose::{self, Assertion},
    metrics::Metric,
    ports::{Log, Views, World},
    shard::{Ask, Query, Reply},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use grantlog_events::{
    ClientId, Digest, Place, Scope, Stored, Timestamp,
    client::{AuthenticationMethod, ClientMetadata, GrantType},
    command::Caller,
    key::Algorithm,
};
use grantlog_projections::client::ClientView;
use http::header;
use std::rc::Rc;
use subtle::ConstantTimeEq;

/// The assertion type of RFC 7523 §2.2.
const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The scopes that only the operator's client may have.
pub(super) const OPERATOR_SCOPES: [&str; 4] = ["client:register", "scim", "admin", "audit"];

/// A client that proved itself; only [`authenticate`] makes one.
#[derive(Debug)]
pub(super) struct AuthenticatedClient {
    pub(super) view: Rc<ClientView>,
    /// The assertion it proved itself with, still to be spent.
    pub(super) assertion: Option<Assertion>,
}

impl AuthenticatedClient {
    pub(super) fn id(&self) -> &ClientId {
        &self.view.client
    }

    pub(super) fn metadata(&self) -> &ClientMetadata {
        &self.view.metadata
    }

    /// Who asks, for a command.
    pub(super) fn caller(&self) -> Caller {
        Caller { client: self.view.client.clone(), generation: self.view.generation }
    }

    /// Refuses a grant type that the client is not registered for.
    pub(super) fn may_use(&self, grant: GrantType) -> Result<(), Stop> {
        if self.metadata().grant_types.contains(&grant) {
            Ok(())
        } else {
            because(OAuthError::UnauthorizedClient, "The client is not registered for this grant type.")
        }
    }
}

/// Which clients an endpoint or grant takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepts {
    /// Those that hold a secret or a key.
    Confidential,
    /// Public ones too (RFC 6749 §2.1): what is asked proves itself, by PKCE or by rotation.
    Public,
}

/// What the request brings to prove the client.
enum Credentials {
    /// Nothing but the client's name.
    None(String),
    Basic(String, String),
    Post(String, String),
    Assertion(String),
}

/// Proves the client, from memory where it can. A proof that an older view does not know yet (a new secret,
/// another key) is tried once more against the registry.
pub(super) async fn authenticate<W: World>(
    world: &W,
    request: &Request,
    form: &Form,
    accepts: Accepts,
) -> Result<AuthenticatedClient, Stop> {
    let credentials = credentials(request, form)?;
    if matches!(credentials, Credentials::None(_)) && accepts == Accepts::Confidential {
        return Err(unproven());
    }
    let id = client_id(&credentials, form)?;
    let held = view(world, &id).await?.filter(|view| !view.deleted).ok_or_else(unproven)?;
    match proven(world, &credentials, Rc::clone(&held)).await {
        Err(Stop::Error(error, sentence)) if may_be_outdated(world, &id) => {
            let later = registered(world, &id).await?.filter(|view| !view.deleted && view.generation > held.generation);
            match later {
                Some(view) => proven(world, &credentials, view).await,
                None => Err(Stop::Error(error, sentence)),
            }
        }
        done => done,
    }
}

fn may_be_outdated<W: World>(world: &W, id: &ClientId) -> bool {
    *id != world.config().operator && world.memory().may_doubt_client(id, world.now())
}

async fn proven<W: World>(
    world: &W,
    credentials: &Credentials,
    view: Rc<ClientView>,
) -> Result<AuthenticatedClient, Stop> {
    let assertion = match (credentials, view.metadata.authentication) {
        (Credentials::Basic(_, secret), AuthenticationMethod::SecretBasic)
        | (Credentials::Post(_, secret), AuthenticationMethod::SecretPost) => {
            secret_matches(&view, secret)?;
            None
        }
        (Credentials::None(_), AuthenticationMethod::None) => None,
        (Credentials::Assertion(jwt), AuthenticationMethod::PrivateKeyJwt) => Some(assertion(world, &view, jwt).await?),
        _ => return Err(unproven()),
    };
    Ok(AuthenticatedClient { view, assertion })
}

fn credentials(request: &Request, form: &Form) -> Result<Credentials, Stop> {
    let basic = basic(request)?;
    let post = form.value("client_secret");
    let jwt = form.value("client_assertion");
    match (basic, post, jwt) {
        (Some((id, secret)), None, None) => Ok(Credentials::Basic(id, secret)),
        (None, Some(secret), None) => {
            Ok(Credentials::Post(form.value("client_id").ok_or_else(unproven)?.to_owned(), secret.to_owned()))
        }
        (None, None, Some(jwt)) if form.value("client_assertion_type") == Some(JWT_BEARER) => {
            Ok(Credentials::Assertion(jwt.to_owned()))
        }
        (None, None, Some(_)) => because(OAuthError::InvalidRequest, "The client_assertion_type is not supported."),
        (None, None, None) => form.value("client_id").map(|id| Credentials::None(id.to_owned())).ok_or_else(unproven),
        _ => because(OAuthError::InvalidRequest, "The client authenticates in more than one way."),
    }
}

/// RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
fn basic(request: &Request) -> Result<Option<(String, String)>, Stop> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| unproven())?;
    let Some((scheme, encoded)) = text.split_once(' ') else { return Err(unproven()) };
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(unproven());
    }
    let joined = STANDARD.decode(encoded.trim()).map_err(|_| unproven())?;
    let mut halves = joined.splitn(2, |byte| *byte == b':');
    let (Some(id), Some(secret)) = (halves.next(), halves.next()) else { return Err(unproven()) };
    Ok(Some((decoded(id).map_err(|_| unproven())?, decoded(secret).map_err(|_| unproven())?)))
}

fn client_id(credentials: &Credentials, form: &Form) -> Result<ClientId, Stop> {
    let claimed = match credentials {
        Credentials::Basic(id, _) | Credentials::Post(id, _) | Credentials::None(id) => id.clone(),
        Credentials::Assertion(jwt) => jose::assertion::peek_subject(jwt).ok_or_else(unproven)?,
    };
    if form.value("client_id").is_some_and(|id| id != claimed) {
        return because(OAuthError::InvalidRequest, "The client_id is not that of the authenticated client.");
    }
    ClientId::parse(&claimed).map_err(|_| unproven())
}

fn secret_matches(view: &ClientView, secret: &str) -> Result<(), Stop> {
    let presented = Digest::of(secret.as_bytes()).0;
    match &view.secret {
        Some(held) if bool::from(held.ct_eq(&presented)) => Ok(()),
        _ => Err(unproven()),
    }
}

/// The issuer is the audience; the token endpoint's URL is accepted too.
async fn assertion<W: World>(world: &W, view: &ClientView, jwt: &str) -> Result<Assertion, Stop> {
    let jwks = view.metadata.jwks.as_deref().ok_or_else(unproven)?;
    let issuer = &world.config().issuer;
    let token_endpoint = format!("{issuer}/token");
    let expected = jose::assertion::Expected { issuer: view.client.as_str(), audiences: &[issuer, &token_endpoint] };
    let assertion = jose::assertion::verify(world, jwks, jwt, &expected)
        .await
        .map_err(|error| unverified(error, OAuthError::InvalidClient))?;
    if assertion.subject == view.client.as_str() { Ok(assertion) } else { Err(unproven()) }
}

fn unproven() -> Stop {
    Stop::Error(OAuthError::InvalidClient, "The client could not be authenticated.".to_owned())
}

/// The client's view: remembered, else from KV, else from the registry itself.
pub(super) async fn view<W: World>(world: &W, id: &ClientId) -> Result<Option<Rc<ClientView>>, Stop> {
    if let Some(view) = world.memory().client(id, world.now()) {
        return Ok(Some(view));
    }
    if *id == world.config().operator {
        return Ok(Some(Rc::new(operator(world))));
    }
    if is_nobody(world, id) {
        return Ok(None);
    }
    match world.views().client(id).await? {
        Some(bytes) => {
            let read = ClientView::from_bytes(&bytes)
                .map_err(|malformed| Failure::lasting("reading a client's view", malformed))?;
            let view = Rc::new(read);
            world.memory().keep_client(Rc::clone(&view), world.now());
            Ok(Some(view))
        }
        None => registered_stranger(world, id).await,
    }
}

/// Whether it is plain without asking anybody that there is no such client.
fn is_nobody<W: World>(world: &W, id: &ClientId) -> bool {
    !has_form_of_client_id(id) || world.memory().strangers.has_seen(id, world.now())
}

/// The client as the registry has it, for an id that nobody vouches for.
pub(super) async fn registered_stranger<W: World>(world: &W, id: &ClientId) -> Result<Option<Rc<ClientView>>, Stop> {
    if is_nobody(world, id) {
        return Ok(None);
    }
    let strangers = &world.memory().strangers;
    if !strangers.may_ask(world.now()) {
        world.count(Metric::TurnedAway, 1);
        return because(OAuthError::TooManyRequests, "Too many unknown clients; ask again in a second.");
    }
    let found = registered(world, id).await?;
    match &found {
        Some(_) => strangers.was_known(world.now()),
        None => strangers.was_unknown(id, world.now()),
    }
    Ok(found)
}

/// The client as the registry has it now, not as KV remembers it.
pub(super) async fn registered<W: World>(world: &W, id: &ClientId) -> Result<Option<Rc<ClientView>>, Stop> {
    world.memory().forget_client(id);
    match world.log().ask(Place::REGISTRY, &Ask::Read(Query::Client(id.clone()))).await? {
        Reply::Client(Some(view)) => {
            let view = Rc::new(as_configured(world, view));
            world.memory().keep_client(Rc::clone(&view), world.now());
            Ok(Some(view))
        }
        Reply::Client(None) => Ok(None),
        _ => Err(super::stop::odd_reply()),
    }
}

/// Of the operator's client the registry only knows, once they were revoked, which of its tokens are dead.
fn as_configured<W: World>(world: &W, view: ClientView) -> ClientView {
    if view.client != world.config().operator {
        return view;
    }
    ClientView { generation: view.generation, dead_through: view.dead_through, seq: view.seq, ..operator(world) }
}

/// The operator's client exists by configuration; it can neither be registered nor changed.
pub(super) fn operator<W: World>(world: &W) -> ClientView {
    let config = world.config();
    ClientView {
        client: config.operator.clone(),
        generation: 0,
        deleted: false,
        metadata: ClientMetadata {
            name: None,
            redirect_uris: Vec::new(),
            grant_types: vec![GrantType::ClientCredentials],
            authentication: AuthenticationMethod::SecretBasic,
            scope: Scope::parse(&OPERATOR_SCOPES.join(" ")).unwrap_or_default(),
            jwks: None,
            access_token_alg: Algorithm::Es256,
            access_token_lifetime: None,
            refresh_token_lifetime: None,
            userinfo_from_log: false,
            token_exchange: None,
            assertion_issuers: Vec::new(),
            id_token_alg: None,
            userinfo_alg: None,
            default_max_age: None,
            require_pushed: false,
            resources: Vec::new(),
            post_logout_redirect_uris: Vec::new(),
            backchannel_logout_uri: None,
            sector: None,
            sector_identifier_uri: None,
            native: false,
            about: None,
        },
        secret: Some(config.operator_secret),
        registration_token: None,
        dead_through: Vec::new(),
        seq: 0,
        registered_at: Timestamp(0),
    }
}

/// Proves the client once more, against the registry itself: a shard knew of a later change.
pub(super) async fn reproven<W: World>(
    world: &W,
    request: &Request,
    form: &Form,
    client: &AuthenticatedClient,
) -> Result<Rc<ClientView>, Stop> {
    let view = registered(world, client.id()).await?.filter(|view| !view.deleted).ok_or_else(unproven)?;
    proven(world, &credentials(request, form)?, view).await.map(|client| client.view)
}

#[cfg(test)]
mod tests;
