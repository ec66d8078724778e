//! Logout tokens (OIDC Back-Channel Logout 1.0 §2.4): what a client is told when a session ends.

use super::ring::Ring;
use crate::{failure::Failure, ports::World};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{ClientId, Seconds, key::Algorithm};
use serde::Serialize;
use serde_json::{Value, json};

/// `typ` of a logout token.
const TYPE: &str = "logout+jwt";

/// How long a logout token is good.
const LIFETIME: Seconds = Seconds(120);

/// The event that a logout token reports.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// What a logout token says.
#[derive(Clone, Debug)]
pub struct LogoutToken {
    /// `sub`, as the client knows the person.
    pub subject: String,
    /// `aud`, the client.
    pub audience: ClientId,
    /// The session that ended.
    pub sid: String,
}

/// Signs a logout token of now, with a `jti` of its own.
pub async fn sign<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    algorithm: Algorithm,
    token: &LogoutToken,
) -> Result<String, Failure> {
    let kid = ring.signing(algorithm)?.clone();
    let id: Vec<u8> = world.random()?.into_iter().take(16).collect();
    let claims = token.claims(&world.config().issuer, world.now().seconds(), &URL_SAFE_NO_PAD.encode(id));
    let header = json!({ "alg": algorithm.name(), "kid": kid.as_str(), "typ": TYPE });
    let mut jwt = part(&header)?;
    jwt.push('.');
    jwt.push_str(&part(&claims)?);
    let signature = ring.sign(world.keys(), &kid, jwt.as_bytes()).await?;
    jwt.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut jwt);
    Ok(jwt)
}

impl LogoutToken {
    fn claims(&self, issuer: &str, now: u64, id: &str) -> Value {
        json!({
            "iss": issuer,
            "sub": self.subject,
            "aud": self.audience.as_str(),
            "iat": now,
            "exp": now + LIFETIME.0,
            "jti": id,
            "sid": self.sid,
            "events": { EVENT: {} },
        })
    }
}

fn part(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_vec(value).map_err(|error| Failure::lasting("wording a logout token", error))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}
