//! A compact JWS (RFC 7515 §7.1), read strictly and with nothing believed yet.
//!
//! The header may choose among three algorithms and name a key; it may not bring one (`jwk`, `x5c`), point
//! to one (`jku`, `x5u`) or ask for extensions (`crit`).

use super::{claims::is_present, fault::TokenFault};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::key::Algorithm;
use serde::{Deserialize, de::DeserializeOwned};

/// The longest token that is read, in bytes.
const MAX_TOKEN: usize = 16 * 1024;

/// A well-formed token whose signature nobody has checked.
#[derive(Debug)]
pub(super) struct Compact<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) kid: Option<String>,
    pub(super) signature: Vec<u8>,
    typ: Option<String>,
    signed: &'a str,
    payload: &'a str,
}

/// Duplicates of these members are refused by the derived reader.
#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one member that it is there")]
struct Header {
    alg: String,
    typ: Option<String>,
    kid: Option<String>,
    #[serde(default, deserialize_with = "is_present")]
    crit: bool,
    #[serde(default, deserialize_with = "is_present")]
    jku: bool,
    #[serde(default, deserialize_with = "is_present")]
    jwk: bool,
    #[serde(default, deserialize_with = "is_present")]
    x5u: bool,
    #[serde(default, deserialize_with = "is_present")]
    x5c: bool,
}

impl Header {
    fn brings_what_is_refused(&self) -> bool {
        self.crit || self.jku || self.jwk || self.x5u || self.x5c
    }
}

impl<'a> Compact<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, TokenFault> {
        if token.len() > MAX_TOKEN {
            return Err(TokenFault::TooLong);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenFault::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenFault::Malformed)?;
        if payload.contains('.') {
            return Err(TokenFault::Malformed);
        }
        let header: Header = object(header)?;
        if header.brings_what_is_refused() {
            return Err(TokenFault::Header);
        }
        Ok(Self {
            algorithm: Algorithm::named(&header.alg).ok_or(TokenFault::Algorithm)?,
            kid: header.kid,
            signature: bytes(signature)?,
            typ: header.typ,
            signed,
            payload,
        })
    }

    /// What the signature is over.
    pub(super) fn message(&self) -> &'a [u8] {
        self.signed.as_bytes()
    }

    /// The claims; of a token whose signature was not checked they are hearsay.
    pub(super) fn claims<T: DeserializeOwned>(&self) -> Result<T, TokenFault> {
        object(self.payload)
    }

    /// `typ` without the `application/` that RFC 7515 §4.1.9 lets one leave out, in lower case.
    pub(super) fn typ(&self) -> Option<String> {
        let typ = self.typ.as_ref()?.to_ascii_lowercase();
        Some(typ.strip_prefix("application/").map_or_else(|| typ.clone(), str::to_owned))
    }
}

fn object<T: DeserializeOwned>(part: &str) -> Result<T, TokenFault> {
    let json = bytes(part)?;
    // A derived reader would take an array for a struct too.
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(TokenFault::Malformed);
    }
    serde_json::from_slice(&json).map_err(|_| TokenFault::Malformed)
}

fn bytes(part: &str) -> Result<Vec<u8>, TokenFault> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenFault::Malformed)
}
