//! Signing keys in software, for one process: the second implementation of [`Keys`], in which the whole
//! HTTP layer is tested. Private halves are wrapped as `WebCrypto` wraps them.

mod rsa_pool;

use crate::{
    config::Secret,
    failure::Failure,
    jose::PublicJwk,
    ports::{FreshKey, Keys},
};
use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Nonce},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::key::Algorithm;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::pkcs8::{DecodePrivateKey, EncodePrivateKey, SecretDocument};
use rsa::{
    BoxedUint,
    signature::{SignatureEncoding, Signer, Verifier},
    traits::PublicKeyParts,
};
use sha2::Sha256;
use std::cell::Cell;

/// Length of the nonce in front of a wrapped key, in bytes.
const NONCE: usize = 12;

/// Keys made and used in this process.
pub struct SoftwareKeys {
    kek: Aes256Gcm,
    previous: Option<Aes256Gcm>,
    /// How many RSA keys were taken from the pool.
    rsa_taken: Cell<usize>,
}

/// A private key.
pub enum SoftwarePrivate {
    /// ES256.
    Ec(p256::ecdsa::SigningKey),
    /// RS256.
    Rsa(Box<rsa::pkcs1v15::SigningKey<Sha256>>),
    /// `EdDSA`.
    Ed(ed25519_dalek::SigningKey),
}

/// A public key.
pub enum SoftwarePublic {
    /// ES256.
    Ec(p256::ecdsa::VerifyingKey),
    /// RS256.
    Rsa(rsa::pkcs1v15::VerifyingKey<Sha256>),
    /// `EdDSA`.
    Ed(ed25519_dalek::VerifyingKey),
}

impl SoftwareKeys {
    /// Keys under this key-encryption key and, for opening, the one before.
    #[must_use]
    pub fn new(kek: &Secret, previous: Option<&Secret>) -> Self {
        let cipher = |secret: &Secret| Aes256Gcm::new(&secret.0.into());
        Self { kek: cipher(kek), previous: previous.map(cipher), rsa_taken: Cell::new(0) }
    }

    fn wrap(&self, pkcs8: &SecretDocument) -> Result<Vec<u8>, Failure> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| Failure::passing("making a key", error))?;
        let sealed = self.kek.encrypt(&nonce.into(), pkcs8.as_bytes()).map_err(|_| unmade("it cannot be wrapped"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    fn unwrap(&self, wrapped: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = wrapped.split_first_chunk::<NONCE>()?;
        let nonce = Nonce::<Aes256Gcm>::from(*nonce);
        [Some(&self.kek), self.previous.as_ref()].into_iter().flatten().find_map(|kek| kek.decrypt(&nonce, sealed).ok())
    }
}

impl Keys for SoftwareKeys {
    type Private = SoftwarePrivate;
    type Public = SoftwarePublic;

    async fn generate(&self, algorithm: Algorithm) -> Result<FreshKey, Failure> {
        let (jwk, pkcs8) = match algorithm {
            Algorithm::Es256 => fresh_ec()?,
            Algorithm::Rs256 => {
                let taken = self.rsa_taken.replace(self.rsa_taken.get() + 1);
                fresh_rsa(&rsa_pool::key(taken)?)?
            }
            Algorithm::EdDsa => fresh_ed()?,
        };
        Ok(FreshKey { jwk, wrapped: self.wrap(&pkcs8)? })
    }

    async fn open(&self, algorithm: Algorithm, wrapped: &[u8]) -> Result<SoftwarePrivate, Failure> {
        let unopened = |what| Failure::lasting("opening a signing key", what);
        let pkcs8 = self.unwrap(wrapped).ok_or_else(|| unopened("neither KEK nor KEK_PREVIOUS opens it"))?;
        let key = match algorithm {
            Algorithm::Es256 => DecodePrivateKey::from_pkcs8_der(&pkcs8).map(SoftwarePrivate::Ec),
            Algorithm::Rs256 => rsa::PrivateKey::from_pkcs8_der(&pkcs8)
                .map(|key| SoftwarePrivate::Rsa(Box::new(rsa::pkcs1v15::SigningKey::new(key)))),
            Algorithm::EdDsa => DecodePrivateKey::from_pkcs8_der(&pkcs8).map(SoftwarePrivate::Ed),
        };
        key.map_err(|_| unopened("it is no key of its algorithm"))
    }

    async fn sign(&self, key: &SoftwarePrivate, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let signed = match key {
            SoftwarePrivate::Ec(key) => key.try_sign(message).map(|s: p256::ecdsa::Signature| s.to_vec()),
            SoftwarePrivate::Rsa(key) => key.try_sign(message).map(|signature| signature.to_vec()),
            SoftwarePrivate::Ed(key) => key.try_sign(message).map(|signature| signature.to_vec()),
        };
        signed.map_err(|error| Failure::passing("signing", error))
    }

    async fn import(&self, algorithm: Algorithm, jwk: &str) -> Result<Option<SoftwarePublic>, Failure> {
        Ok(PublicJwk::parse(jwk).ok().filter(|jwk| jwk.algorithm == algorithm).and_then(|jwk| public(&jwk)))
    }

    async fn verify(&self, key: &SoftwarePublic, message: &[u8], signature: &[u8]) -> Result<bool, Failure> {
        Ok(match key {
            SoftwarePublic::Ec(key) => p256::ecdsa::Signature::from_slice(signature)
                .and_then(|signature| key.verify(message, &signature))
                .is_ok(),
            SoftwarePublic::Rsa(key) => signature
                .try_into()
                .is_ok_and(|signature: rsa::pkcs1v15::Signature| key.verify(message, &signature).is_ok()),
            SoftwarePublic::Ed(key) => ed25519_dalek::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok()),
        })
    }
}

fn public(jwk: &PublicJwk) -> Option<SoftwarePublic> {
    let member = |name: &str| jwk.octets(name);
    match jwk.algorithm {
        Algorithm::Es256 => {
            let point = [&[4][..], &member("x")?, &member("y")?].concat();
            p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).ok().map(SoftwarePublic::Ec)
        }
        Algorithm::Rs256 => {
            let number = |name: &str| member(name).map(|bytes: Vec<u8>| BoxedUint::from_be_slice_vartime(&bytes));
            let key = rsa::PublicKey::new(number("n")?, number("e")?).ok()?;
            Some(SoftwarePublic::Rsa(rsa::pkcs1v15::VerifyingKey::new(key)))
        }
        Algorithm::EdDsa => {
            let point = member("x")?.try_into().ok()?;
            ed25519_dalek::VerifyingKey::from_bytes(&point).ok().map(SoftwarePublic::Ed)
        }
    }
}

fn unmade(what: &'static str) -> Failure {
    Failure::passing("making a key", what)
}

fn entropy() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::passing("making a key", error))?;
    Ok(bytes)
}

type Fresh = (String, SecretDocument);

fn fresh_ec() -> Result<Fresh, Failure> {
    let key = p256::SecretKey::from_slice(&entropy()?).map_err(|_| unmade("no scalar of the curve"))?;
    let point = key.public_key().to_sec1_point(false);
    let coordinate = |bytes: Option<&_>| bytes.map(|bytes: &p256::FieldBytes| URL_SAFE_NO_PAD.encode(bytes));
    let (Some(x), Some(y)) = (coordinate(point.x()), coordinate(point.y())) else { return Err(unmade("no point")) };
    let jwk = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Ok((jwk, key.to_pkcs8_der().map_err(|_| unmade("no PKCS#8 form"))?))
}

fn fresh_rsa(key: &rsa::PrivateKey) -> Result<Fresh, Failure> {
    let n = URL_SAFE_NO_PAD.encode(key.n().to_be_bytes_trimmed_vartime());
    let jwk = format!(r#"{{"e":"AQAB","kty":"RSA","n":"{n}"}}"#);
    Ok((jwk, key.to_pkcs8_der().map_err(|_| unmade("no PKCS#8 form"))?))
}

fn fresh_ed() -> Result<Fresh, Failure> {
    let key = ed25519_dalek::SigningKey::from_bytes(&entropy()?);
    let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
    // Version 1 of PKCS#8, without the public half: WebCrypto reads no other.
    let private = ed25519_dalek::pkcs8::KeypairBytes { secret_key: key.to_bytes(), public_key: None };
    let pkcs8 = private.to_pkcs8_der().map_err(|_| unmade("no PKCS#8 form"))?;
    Ok((format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#), pkcs8))
}
