//! Who may manage a client: the holder of its registration access token, or an operator.
//!
//! Both are proven against the registry itself, not against a view. The holder of a wrong token learns
//! nothing of whether there is such a client (RFC 7592 §2.1).

use super::{
    SCOPE,
    credential::{self, Credential, has_form_of_client_id},
};
use crate::{
    http::{OAuthError, Request, Stop, bearer, client, operator, stop::because},
    ports::World,
};
use grantlog_events::ClientId;
use grantlog_projections::client::ClientView;
use std::rc::Rc;

/// A caller that proved it may manage this client.
#[derive(Debug)]
pub(super) struct Manager {
    pub(super) view: Rc<ClientView>,
    /// The registration access token, unless the caller is an operator.
    token: Option<Credential>,
}

impl Manager {
    /// Proves the caller; the client may be deleted.
    pub(super) async fn of<W: World>(world: &W, request: &Request, id: &str) -> Result<Self, Stop> {
        let presented = bearer::presented(request)?;
        // An access token is a JWT and has dots; a registration access token is base64url and has none.
        if presented.contains('.') {
            operator::with_scope(world, request, SCOPE).await?;
            let view = match managed(world, id) {
                Some(id) => client::registered(world, &id).await?,
                None => None,
            };
            return view.map_or_else(
                || because(OAuthError::NotFound, "There is no such client."),
                |view| Ok(Self { view, token: None }),
            );
        }
        let id = managed(world, id).ok_or_else(unproven)?;
        let view = client::registered_stranger(world, &id).await?.ok_or_else(unproven)?;
        if !credential::matches(view.registration_token.as_ref(), &presented) {
            return Err(unproven());
        }
        Ok(Self { view, token: Some(Credential::presented(presented)) })
    }

    /// Proves the caller of a client that is not deleted.
    pub(super) async fn of_living<W: World>(world: &W, request: &Request, id: &str) -> Result<Self, Stop> {
        let manager = Self::of(world, request, id).await?;
        match (manager.view.deleted, manager.is_operator()) {
            (false, _) => Ok(manager),
            (true, true) => because(OAuthError::NotFound, "There is no such client."),
            (true, false) => Err(unproven()),
        }
    }

    pub(super) fn is_operator(&self) -> bool {
        self.token.is_none()
    }

    pub(super) fn presented_token(&self) -> Option<&str> {
        self.token.as_ref().map(Credential::text)
    }
}

/// The id of a client that can be managed; the operator's, which is configured, is none.
fn managed<W: World>(world: &W, id: &str) -> Option<ClientId> {
    let id = ClientId::parse(id).ok()?;
    (has_form_of_client_id(&id) && id != world.config().operator).then_some(id)
}

/// RFC 7592 §2.1: also for a client that does not exist.
pub(super) fn unproven() -> Stop {
    Stop::Error(OAuthError::InvalidToken, "The registration access token is not valid.".to_owned())
}
