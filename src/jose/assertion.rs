//! Assertions (RFC 7523): JWTs of others, as a grant or to authenticate a client, checked with the JWK set
//! that was registered for their issuer.
//!
//! A good assertion is not yet a good request: it is spent once, in the log, by [`Assertion::spend`].

use super::{
    claims::{NumericDate, OneOrMany, if_present, is_present},
    compact::Compact,
    fault::{TokenFault, VerifyError},
    jwks,
};
use crate::ports::{Keys, World};
use grantlog_events::{
    ClientId, Digest, Seconds, Timestamp,
    command::Spend,
    token::{MayAct, Party},
};
use serde::Deserialize;
use serde_json::Value;

/// How far the clocks of others may be off.
const LEEWAY: Seconds = Seconds(30);

/// How far ahead `exp` may lie: so long a spent assertion is remembered.
const LONGEST: Seconds = Seconds(600);

/// `typ` of an assertion, where it has one.
const TYPES: [&str; 3] = ["jwt", "client-authentication+jwt", "authorization-grant+jwt"];

/// The longest `acr` and the longest member of `amr`, in bytes; they are kept in the log.
const LONGEST_NAME: usize = 128;

/// The most members that `amr` may have.
const MOST_METHODS: usize = 16;

/// What an assertion must say.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Its `iss`.
    pub issuer: &'a str,
    /// Any one of these must be in its `aud`.
    pub audiences: &'a [&'a str],
}

/// An assertion that its issuer signed, for us, now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// `iss`.
    pub issuer: String,
    /// `sub`.
    pub subject: String,
    /// `jti`.
    pub jti: String,
    /// `exp`.
    pub expires_at: Timestamp,
    /// Who alone may act for the subject.
    pub may_act: Option<MayAct>,
    /// `acr`.
    pub acr: Option<String>,
    /// `amr`.
    pub amr: Vec<String>,
    /// `auth_time`.
    pub auth_time: Option<Timestamp>,
}

impl Assertion {
    /// How this assertion is spent: remembered for as long as it would be accepted.
    #[must_use]
    pub fn spend(&self) -> Spend {
        let name = [self.issuer.as_bytes(), &[0], self.jti.as_bytes()].concat();
        Spend { assertion: Digest::of(&name).half(), until: self.expires_at.after(LEEWAY) }
    }
}

/// The `iss` that an unverified assertion claims: enough to choose whose keys to check it with.
#[must_use]
pub fn peek_issuer(token: &str) -> Option<String> {
    peek(token)?.iss
}

/// The `sub` that an unverified assertion claims: enough to choose which client to load.
#[must_use]
pub fn peek_subject(token: &str) -> Option<String> {
    peek(token)?.sub
}

#[derive(Deserialize)]
struct Peeked {
    iss: Option<String>,
    sub: Option<String>,
}

fn peek(token: &str) -> Option<Peeked> {
    Compact::parse(token).ok()?.claims().ok()
}

/// Checks an assertion with its issuer's JWK set.
pub async fn verify<W: World>(
    world: &W,
    jwks: &str,
    token: &str,
    expected: &Expected<'_>,
) -> Result<Assertion, VerifyError> {
    let token = Compact::parse(token)?;
    if token.typ().is_some_and(|typ| !TYPES.contains(&typ.as_str())) {
        return Err(TokenFault::Type.into());
    }
    signature_is_valid(world.keys(), jwks, &token).await?;
    Ok(token.claims::<Claims>()?.assertion(expected, world.now())?)
}

async fn signature_is_valid(keys: &impl Keys, jwks: &str, token: &Compact<'_>) -> Result<(), VerifyError> {
    let mut fault = TokenFault::KeyUnknown;
    for candidate in jwks::candidates(jwks, token) {
        let Some(key) = keys.import(candidate.algorithm, &candidate.canonical()).await? else { continue };
        if keys.verify(&key, token.message(), &token.signature).await? {
            return Ok(());
        }
        fault = TokenFault::Signature;
    }
    Err(fault.into())
}

#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<OneOrMany>,
    exp: Option<NumericDate>,
    nbf: Option<NumericDate>,
    iat: Option<NumericDate>,
    jti: Option<String>,
    #[serde(default, deserialize_with = "if_present")]
    may_act: Option<Value>,
    acr: Option<String>,
    #[serde(default)]
    amr: Vec<String>,
    auth_time: Option<NumericDate>,
    #[serde(default, deserialize_with = "is_present")]
    act: bool,
    #[serde(default, deserialize_with = "is_present")]
    cnf: bool,
}

impl Claims {
    fn assertion(self, expected: &Expected<'_>, now: Timestamp) -> Result<Assertion, TokenFault> {
        let issuer = self.iss.filter(|iss| iss == expected.issuer).ok_or(TokenFault::Issuer)?;
        let audience = self.aud.ok_or(TokenFault::Claim("aud"))?.0;
        if !audience.iter().any(|aud| expected.audiences.contains(&aud.as_str())) {
            return Err(TokenFault::Audience);
        }
        if self.cnf {
            return Err(TokenFault::Bound);
        }
        if self.act {
            return Err(TokenFault::Delegated);
        }
        let exp = self.exp.ok_or(TokenFault::Claim("exp"))?;
        is_timely(exp, [self.nbf, self.iat].into_iter().flatten(), now)?;
        Ok(Assertion {
            issuer,
            subject: self.sub.filter(|sub| !sub.is_empty()).ok_or(TokenFault::Claim("sub"))?,
            jti: self.jti.filter(|jti| !jti.is_empty()).ok_or(TokenFault::Claim("jti"))?,
            expires_at: Timestamp::at_seconds(exp.0),
            may_act: self.may_act.map(may_act).transpose()?,
            acr: self.acr.map(|acr| short(acr, "acr")).transpose()?,
            amr: methods(self.amr)?,
            auth_time: self.auth_time.map(|at| Timestamp::at_seconds(at.0)),
        })
    }
}

fn is_timely(exp: NumericDate, begins: impl Iterator<Item = NumericDate>, now: Timestamp) -> Result<(), TokenFault> {
    let now = now.seconds();
    if exp.0.saturating_add(LEEWAY.0) <= now {
        return Err(TokenFault::Expired);
    }
    if exp.0 > now.saturating_add(LONGEST.0).saturating_add(LEEWAY.0) {
        return Err(TokenFault::TooLongLived);
    }
    for begin in begins {
        if begin.0 > now.saturating_add(LEEWAY.0) {
            return Err(TokenFault::NotYetValid);
        }
    }
    Ok(())
}

/// A member that is not understood may narrow who acts, so that it cannot be left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    sub: Option<String>,
    client_id: Option<String>,
}

fn may_act(claim: Value) -> Result<MayAct, TokenFault> {
    let fault = TokenFault::Claim("may_act");
    let named: Named =
        if claim.is_object() { serde_json::from_value(claim).map_err(|_| fault)? } else { return Err(fault) };
    let sub = named.sub.map(|sub| Party::parse(&sub)).transpose().map_err(|_| fault)?;
    let client = named.client_id.map(|client| ClientId::parse(&client)).transpose().map_err(|_| fault)?;
    if sub.is_none() && client.is_none() { Err(fault) } else { Ok(MayAct { sub, client }) }
}

fn methods(amr: Vec<String>) -> Result<Vec<String>, TokenFault> {
    if amr.len() > MOST_METHODS {
        return Err(TokenFault::Claim("amr"));
    }
    amr.into_iter().map(|method| short(method, "amr")).collect()
}

fn short(text: String, name: &'static str) -> Result<String, TokenFault> {
    if text.len() > LONGEST_NAME { Err(TokenFault::Claim(name)) } else { Ok(text) }
}
