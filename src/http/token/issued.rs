//! What leaves the token endpoint: an issuing event, worded as the tokens it stands for (RFC 6749 §5.1).
//!
//! Everything is worded from the event, so that the same event always gives the same answer.

use super::{super::answer, AuthenticatedClient, OAuthError, Response, Stop, odd_reply};
use crate::{
    jose::{
        self, Ring,
        id_token::{self, IdToken},
    },
    pairwise,
    ports::World,
    refresh_token::RefreshToken,
};
use grantlog_events::{Event, client::ClientMetadata, token::Cause};
use serde_json::{Map, Value, json};

/// An issuing event on its way out.
pub(super) struct Issued<'a> {
    event: &'a Event,
    client: &'a ClientMetadata,
    refresh: Option<[u8; 32]>,
    nonce: Option<String>,
    sid: Option<String>,
    claims: Map<String, Value>,
}

impl<'a> Issued<'a> {
    /// The event for the client that gets its token.
    pub(super) fn of(event: &'a Event, client: &'a AuthenticatedClient) -> Self {
        Self { event, client: client.metadata(), refresh: None, nonce: None, sid: None, claims: Map::new() }
    }

    /// With the secret part of the refresh token.
    pub(super) fn bearing(mut self, secret: Option<[u8; 32]>) -> Self {
        self.refresh = secret;
        self
    }

    /// With what only the ID token of a code says.
    pub(super) fn in_session(mut self, sid: String, nonce: Option<String>, claims: Map<String, Value>) -> Self {
        (self.sid, self.nonce, self.claims) = (Some(sid), nonce, claims);
        self
    }

    /// The answer with its tokens.
    pub(super) async fn answer<W: World>(self, world: &W, ring: &Ring<W::Keys>) -> Result<Response, Stop> {
        let issued = self.event.body.issued().ok_or_else(odd_reply)?;
        let access_token = jose::access_token::sign(world, ring, self.event, self.client.sector.as_deref()).await?;
        let mut body = Map::new();
        if let Some(signing) = &issued.id_token {
            let id_token = self.id_token(world, &access_token)?;
            let signed = id_token::sign(world, ring, &signing.kid, signing.algorithm, &id_token).await?;
            body.insert("id_token".to_owned(), signed.into());
        }
        if let Some(refresh) = &issued.refresh {
            let secret = self.refresh.ok_or_else(odd_reply)?;
            let family = self.event.origin.place().at(refresh.family);
            let token = RefreshToken { family, generation: refresh.generation, secret };
            body.insert("refresh_token".to_owned(), token.to_string().into());
        }
        if issued.cause == Cause::Exchange {
            let kind = "urn:ietf:params:oauth:token-type:access_token";
            body.insert("issued_token_type".to_owned(), kind.into());
        }
        let expires_in = issued.expires_at.seconds().saturating_sub(world.now().max(self.event.occurred_at).seconds());
        body.insert("access_token".to_owned(), access_token.into());
        body.insert("token_type".to_owned(), json!("Bearer"));
        body.insert("expires_in".to_owned(), expires_in.into());
        body.insert("scope".to_owned(), issued.scope.to_string().into());
        Ok(answer::json(&Value::Object(body)))
    }

    fn id_token<'t, W: World>(&self, world: &W, access_token: &'t str) -> Result<IdToken<'t>, Stop> {
        let issued = self.event.body.issued().ok_or_else(odd_reply)?;
        let (Some(signing), Some(party)) = (&issued.id_token, self.event.party()) else { return Err(odd_reply()) };
        let sid = issued.session.map(|seq| self.event.origin.place().at(seq).dashed());
        Ok(IdToken {
            subject: pairwise::word_sub(world.config(), self.client.sector.as_deref(), &party),
            audience: self.event.client.clone().ok_or_else(odd_reply)?,
            issued_at: self.event.occurred_at,
            expires_at: signing.expires_at,
            auth_time: issued.auth_time,
            nonce: self.nonce.clone(),
            acr: issued.acr.clone(),
            amr: issued.amr.clone(),
            sid: self.sid.clone().or(sid),
            at_hash_of: Some(access_token),
            c_hash_of: None,
            extra: self.claims.clone(),
        })
    }
}

/// A refused code, refresh token or assertion: whatever is wrong with it, the grant is not good (RFC 6749 §5.2).
pub(super) fn refused(refusal: grantlog_events::Refusal) -> Stop {
    Stop::Error(OAuthError::of_grant(refusal), super::sentence(refusal))
}
