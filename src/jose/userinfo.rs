//! Userinfo as a signed JWT (OIDC Core §5.3.2), for clients that registered it.

use super::ring::Ring;
use crate::{failure::Failure, ports::World};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{ClientId, key::Algorithm};
use serde_json::{Map, Value, json};

/// Signs the claims for a client.
pub async fn sign<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    algorithm: Algorithm,
    client: &ClientId,
    mut claims: Map<String, Value>,
) -> Result<String, Failure> {
    let kid = ring.signing(algorithm)?.clone();
    claims.insert("iss".to_owned(), world.config().issuer.clone().into());
    claims.insert("aud".to_owned(), client.as_str().into());
    let header = json!({ "alg": algorithm.name(), "kid": kid.as_str() }).to_string();
    let mut jwt = URL_SAFE_NO_PAD.encode(header);
    jwt.push('.');
    URL_SAFE_NO_PAD.encode_string(Value::Object(claims).to_string(), &mut jwt);
    let signature = ring.sign(world.keys(), &kid, jwt.as_bytes()).await?;
    jwt.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut jwt);
    Ok(jwt)
}
