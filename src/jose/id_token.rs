//! ID tokens (OIDC Core §2): what a client learns of a login, and as a hint what it shows us of one.

use super::{
    access_token::ring_with,
    claims::OneOrMany,
    compact::Compact,
    fault::{TokenFault, VerifyError},
    ring::Ring,
};
use crate::{
    failure::Failure,
    ports::{Keys, World},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{ClientId, Digest, Kid, Timestamp, key::Algorithm};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha512};

/// `typ` of an ID token.
const TYPE: &str = "JWT";

/// What an ID token says.
#[derive(Clone, Debug)]
pub struct IdToken<'a> {
    /// `sub`, as the client knows the person.
    pub subject: String,
    /// `aud`, the client.
    pub audience: ClientId,
    /// `iat`.
    pub issued_at: Timestamp,
    /// `exp`.
    pub expires_at: Timestamp,
    /// When the person proved who they are.
    pub auth_time: Option<Timestamp>,
    /// The client's own value, repeated.
    pub nonce: Option<String>,
    /// How strongly the person proved it.
    pub acr: Option<String>,
    /// By what means.
    pub amr: Vec<String>,
    /// The session.
    pub sid: Option<String>,
    /// The access token that `at_hash` is of.
    pub at_hash_of: Option<&'a str>,
    /// The code that `c_hash` is of.
    pub c_hash_of: Option<&'a str>,
    /// Claims that were asked for by name; none of them replaces one of the above.
    pub extra: Map<String, Value>,
}

/// Signs an ID token.
pub async fn sign<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    kid: &Kid,
    algorithm: Algorithm,
    token: &IdToken<'_>,
) -> Result<String, Failure> {
    let header = json!({ "alg": algorithm.name(), "kid": kid.as_str(), "typ": TYPE });
    let mut jwt = part(&header)?;
    jwt.push('.');
    jwt.push_str(&part(&Value::Object(token.claims(&world.config().issuer, algorithm)))?);
    let signature = ring.sign(world.keys(), kid, jwt.as_bytes()).await?;
    jwt.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut jwt);
    Ok(jwt)
}

fn part(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_vec(value).map_err(|error| Failure::lasting("wording an ID token", error))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

impl IdToken<'_> {
    /// The claims under an issuer, for a signature of this algorithm.
    #[must_use]
    pub fn claims(&self, issuer: &str, algorithm: Algorithm) -> Map<String, Value> {
        let mut claims = self.extra.clone();
        let client = self.audience.as_str();
        let mut put = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        put("iss", issuer.into());
        put("sub", self.subject.clone().into());
        put("aud", client.into());
        put("azp", client.into());
        put("iat", self.issued_at.seconds().into());
        put("exp", self.expires_at.seconds().into());
        let optional = [
            ("auth_time", self.auth_time.map(|at| at.seconds().into())),
            ("nonce", self.nonce.clone().map(Value::from)),
            ("acr", self.acr.clone().map(Value::from)),
            ("amr", (!self.amr.is_empty()).then(|| self.amr.clone().into())),
            ("sid", self.sid.clone().map(Value::from)),
            ("at_hash", self.at_hash_of.map(|token| half_hash(algorithm, token).into())),
            ("c_hash", self.c_hash_of.map(|code| half_hash(algorithm, code).into())),
        ];
        for (name, value) in optional {
            claims.remove(name);
            claims.extend(value.map(|value| (name.to_owned(), value)));
        }
        claims
    }
}

/// The left half of the algorithm's hash (OIDC Core §3.1.3.6); Ed25519 hashes with SHA-512.
fn half_hash(algorithm: Algorithm, text: &str) -> String {
    match algorithm {
        Algorithm::Es256 | Algorithm::Rs256 => URL_SAFE_NO_PAD.encode(Digest::of(text.as_bytes()).half()),
        Algorithm::EdDsa => {
            let hash = Sha512::digest(text.as_bytes());
            URL_SAFE_NO_PAD.encode(hash.get(..32).unwrap_or_default())
        }
    }
}

/// What an ID token that comes back as a hint says: that one of our keys signed it, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// `sub`, as the client knows the person.
    pub subject: String,
    /// The client it was issued to.
    pub audience: ClientId,
    /// The session.
    pub sid: Option<String>,
    /// `exp`, in seconds since 1970; that it has passed makes the hint no worse (RP-Initiated Logout §2).
    pub expires_at: u64,
}

#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<OneOrMany>,
    exp: Option<u64>,
    sid: Option<String>,
}

impl Claims {
    fn audience(&self) -> Option<ClientId> {
        self.aud.as_ref().and_then(|aud| ClientId::parse(aud.0.first()?).ok())
    }
}

/// The client that an ID token says it was issued to, whoever signed it: only to know which client to read.
#[must_use]
pub fn peek_audience(token: &str) -> Option<ClientId> {
    let claims: Claims = Compact::parse(token).ok()?.claims().ok()?;
    claims.audience()
}

/// Reads an ID token as a hint: type, key, signature and issuer are checked, `exp` is not.
pub async fn verify_hint<W: World>(world: &W, token: &str) -> Result<Hint, VerifyError> {
    let token = Compact::parse(token)?;
    // Ours always say what they are; signed userinfo says nothing, the other tokens something else.
    if token.typ().as_deref() != Some("jwt") {
        return Err(TokenFault::Type.into());
    }
    let kid = token.kid.as_deref().ok_or(TokenFault::KeyUnknown)?;
    let ring = ring_with(world, kid).await?;
    let key = ring.verifying(kid).ok_or(TokenFault::KeyUnknown)?;
    if key.algorithm != token.algorithm {
        return Err(TokenFault::Algorithm.into());
    }
    if !world.keys().verify(&key.public, token.message(), &token.signature).await? {
        return Err(TokenFault::Signature.into());
    }
    let claims: Claims = token.claims()?;
    if claims.iss.as_deref() != Some(&world.config().issuer) {
        return Err(TokenFault::Issuer.into());
    }
    Ok(Hint {
        audience: claims.audience().ok_or(TokenFault::Claim("aud"))?,
        subject: claims.sub.ok_or(TokenFault::Claim("sub"))?,
        sid: claims.sid,
        expires_at: claims.exp.ok_or(TokenFault::Claim("exp"))?,
    })
}
