//! A presented access token, checked against the ring.

use super::{
    super::{
        claims::{OneOrMany, is_present},
        compact::Compact,
        fault::{TokenFault, VerifyError},
        ring::{self, Ring},
    },
    TYPE,
};
use crate::{
    config::Config,
    pairwise,
    ports::{Keys, World},
};
use grantlog_events::{
    Address, ClientId, Jti, Kid, Scope, Timestamp,
    token::{Presented, TokenKind},
};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// An access token that one of our keys signed. Whether it is alive is not said.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// What the log must agree with.
    pub presented: Presented,
    /// `aud`; never empty.
    pub audience: Vec<String>,
    /// `iat`, in seconds since 1970.
    pub issued_at: u64,
    /// Who acts.
    pub act: Option<Value>,
    /// Who alone may act.
    pub may_act: Option<Value>,
    /// `acr`.
    pub acr: Option<String>,
    /// `amr`.
    pub amr: Vec<String>,
    /// `auth_time`, in seconds since 1970.
    pub auth_time: Option<u64>,
    /// Claims asked for by name beside those of the scope.
    pub claims: Vec<String>,
    /// `sub` as it stands in the token: public or pairwise.
    pub sub: String,
}

impl Verified {
    /// Whether `exp` has come. Our own tokens get no leeway.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.presented.expires_at
    }

    /// Whether anybody is named in it as a sector knows them: the party, who acts, or who alone may.
    #[must_use]
    pub fn names_pairwise(&self) -> bool {
        let actors = std::iter::successors(self.act.as_ref(), |act| act.get("act"));
        let others = actors.chain(&self.may_act).filter_map(|named| named.get("sub")?.as_str());
        others.chain([self.sub.as_str()]).any(pairwise::is_pairwise)
    }
}

/// Checks type, key, signature, issuer and the form of the claims. `exp` is the caller's to judge.
pub async fn verify<W: World>(world: &W, token: &str) -> Result<Verified, VerifyError> {
    let token = Compact::parse(token)?;
    if token.typ().as_deref() != Some(TYPE) {
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
    Ok(token.claims::<Claims>()?.verified(world.config(), &key.kid)?)
}

/// The ring, read again if it does not know the key and no unknown key made us read it just now.
pub(in crate::jose) async fn ring_with<W: World>(world: &W, kid: &str) -> Result<Rc<Ring<W::Keys>>, VerifyError> {
    let ring = ring::ring(world).await?;
    if ring.may_have_missed(kid) && world.memory().may_look_for_a_key(ring.loaded_at(), world.now()) {
        return Ok(ring::reload(world).await?);
    }
    Ok(ring)
}

#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<OneOrMany>,
    exp: Option<u64>,
    iat: Option<u64>,
    jti: Option<String>,
    client_id: Option<String>,
    scope: Option<String>,
    lin: Option<Vec<u64>>,
    act: Option<Value>,
    may_act: Option<Value>,
    acr: Option<String>,
    #[serde(default)]
    amr: Vec<String>,
    auth_time: Option<u64>,
    sid: Option<String>,
    #[serde(default)]
    clm: Vec<String>,
    #[serde(default, deserialize_with = "is_present")]
    cnf: bool,
}

impl Claims {
    fn verified(self, config: &Config, kid: &Kid) -> Result<Verified, TokenFault> {
        if self.iss.as_deref() != Some(&config.issuer) {
            return Err(TokenFault::Issuer);
        }
        if self.cnf {
            return Err(TokenFault::Bound);
        }
        let lineage = self.lin.as_deref().and_then(<[u64]>::split_first);
        let (grant, ancestors) = lineage.ok_or(TokenFault::Claim("lin"))?;
        let jti = named("jti", self.jti.as_deref(), Jti::parse)?;
        let session = match &self.sid {
            Some(sid) => Some(named("sid", Some(sid), Address::parse_dashed)?),
            None => None,
        };
        if session.is_some_and(|session| session.place != jti.address.place) {
            return Err(TokenFault::Claim("sid"));
        }
        let presented = Presented {
            jti,
            kind: TokenKind::Access,
            client: named("client_id", self.client_id.as_deref(), ClientId::parse)?,
            party: named("sub", self.sub.as_deref(), |sub| pairwise::read_sub(config, sub).ok_or(()))?,
            kid: kid.clone(),
            expires_at: Timestamp::at_seconds(self.exp.ok_or(TokenFault::Claim("exp"))?),
            scope: named("scope", self.scope.as_deref(), Scope::parse)?,
            grant: *grant,
            ancestors: ancestors.to_vec(),
            session: session.map(|session| session.seq),
        };
        let audience = self.aud.map(|aud| aud.0).filter(|aud| !aud.is_empty()).ok_or(TokenFault::Claim("aud"))?;
        Ok(Verified {
            presented,
            audience,
            issued_at: self.iat.ok_or(TokenFault::Claim("iat"))?,
            act: self.act,
            may_act: self.may_act,
            acr: self.acr,
            amr: self.amr,
            auth_time: self.auth_time,
            claims: self.clm,
            sub: self.sub.unwrap_or_default(),
        })
    }
}

fn named<T, E>(
    name: &'static str,
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, TokenFault> {
    text.and_then(|text| parse(text).ok()).ok_or(TokenFault::Claim(name))
}
