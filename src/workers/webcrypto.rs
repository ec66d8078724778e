//! Signing keys in `WebCrypto`: private keys are never readable here, and RSA never runs in wasm.
//!
//! A wrapped key is a nonce of 12 bytes, then the PKCS#8 form under AES-256-GCM. In workerd the promises
//! of `WebCrypto` are settled when they are returned, so that waiting for one lets nothing else in.

mod algorithms;
mod subtle;

use self::algorithms::{AES_GCM, with_algorithm};
use super::thrown::{bytes_of, settled, while_doing};
use crate::{
    config::Secret,
    failure::Failure,
    jose::PublicJwk,
    ports::{FreshKey, Keys},
};
use grantlog_events::key::Algorithm;
use js_sys::{Object, Reflect};
use std::cell::RefCell;
use subtle::{CryptoKey, CryptoKeyPair};
use wasm_bindgen::{JsCast, JsValue};

/// Length of the nonce in front of a wrapped key, in bytes.
const NONCE: usize = 12;

/// Length of a signature with ES256 or `EdDSA`, in bytes.
const CURVE_SIGNATURE: usize = 64;

/// What was being done when a key could not be made.
const MAKING: &str = "making a key";

/// What was being done when a key could not be opened.
const OPENING: &str = "opening a signing key";

/// `WebCrypto`, and the keys that wrap others.
pub struct WebCrypto {
    kek: WrappingKey,
    previous: Option<WrappingKey>,
}

/// A key-encryption key; imported by the first request that needs it, which waits for nobody else's.
struct WrappingKey {
    secret: Secret,
    imported: RefCell<Option<CryptoKey>>,
}

/// A key in `WebCrypto` with its algorithm.
pub struct Held {
    algorithm: Algorithm,
    key: CryptoKey,
}

impl WebCrypto {
    /// Keys under this key-encryption key and, for opening, the one before.
    #[must_use]
    pub fn new(kek: &Secret, previous: Option<&Secret>) -> Self {
        let wrapping = |secret: &Secret| WrappingKey { secret: secret.clone(), imported: RefCell::new(None) };
        Self { kek: wrapping(kek), previous: previous.map(wrapping) }
    }
}

impl Keys for WebCrypto {
    type Private = Held;
    type Public = Held;

    async fn generate(&self, algorithm: Algorithm) -> Result<FreshKey, Failure> {
        let usages = algorithms::usages(&["sign", "verify"]);
        let called = with_algorithm(algorithm, |known| subtle::generate_key(&known.generation, true, &usages));
        let pair: CryptoKeyPair = settled(MAKING, called).await?.unchecked_into();
        let exported = settled(MAKING, subtle::export_key("jwk", &pair.public_key())).await?;
        let jwk = exported_jwk(&exported)?;
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| Failure::passing(MAKING, error))?;
        let kek = self.kek.key().await?;
        let called = subtle::wrap_key("pkcs8", &pair.private_key(), &kek, &algorithms::aes_gcm(&nonce));
        let sealed = bytes_of(&settled(MAKING, called).await?);
        Ok(FreshKey { jwk, wrapped: [&nonce[..], &sealed].concat() })
    }

    async fn open(&self, algorithm: Algorithm, wrapped: &[u8]) -> Result<Held, Failure> {
        let (nonce, sealed) =
            wrapped.split_first_chunk::<NONCE>().ok_or_else(|| Failure::lasting(OPENING, "it is cut off"))?;
        let mut failure = Failure::lasting(OPENING, "no key-encryption key");
        for wrapping in [Some(&self.kek), self.previous.as_ref()].into_iter().flatten() {
            match unwrap(algorithm, nonce, sealed, &wrapping.key().await?).await {
                Ok(key) => return Ok(Held { algorithm, key }),
                // A key-encryption key that does not fit now will not fit later.
                Err(told) => failure = Failure { retryable: false, ..told },
            }
        }
        Err(failure)
    }

    async fn sign(&self, key: &Held, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let called = with_algorithm(key.algorithm, |known| subtle::sign(&known.signature, &key.key, message));
        settled("signing", called).await.map(|signature| bytes_of(&signature))
    }

    async fn import(&self, algorithm: Algorithm, jwk: &str) -> Result<Option<Held>, Failure> {
        let Some(jwk) = PublicJwk::parse(jwk).ok().filter(|jwk| jwk.algorithm == algorithm) else { return Ok(None) };
        let json = js_sys::JSON::parse(&jwk.canonical()).map_err(while_doing("reading a public key"))?;
        let usages = algorithms::usages(&["verify"]);
        let called = with_algorithm(algorithm, |known| subtle::import_key("jwk", &json, &known.import, true, &usages));
        // What throws here is the key: a point off its curve.
        let imported = settled("reading a public key", called).await.ok();
        Ok(imported.map(|key| Held { algorithm, key: key.unchecked_into() }))
    }

    async fn verify(&self, key: &Held, message: &[u8], signature: &[u8]) -> Result<bool, Failure> {
        // workerd throws at an Ed25519 signature of another length; that is no failure of the platform.
        if key.algorithm != Algorithm::Rs256 && signature.len() != CURVE_SIGNATURE {
            return Ok(false);
        }
        let called =
            with_algorithm(key.algorithm, |known| subtle::verify(&known.signature, &key.key, signature, message));
        settled("verifying a signature", called).await.map(|valid| valid.is_truthy())
    }
}

impl WrappingKey {
    async fn key(&self) -> Result<CryptoKey, Failure> {
        if let Some(key) = self.imported.borrow().as_ref() {
            return Ok(key.clone());
        }
        let bytes = js_sys::Uint8Array::from(&self.secret.0[..]);
        let usages = algorithms::usages(&["wrapKey", "unwrapKey"]);
        let called = subtle::import_key("raw", &bytes, &JsValue::from_str(AES_GCM), false, &usages);
        let key: CryptoKey = settled("reading KEK", called).await?.unchecked_into();
        *self.imported.borrow_mut() = Some(key.clone());
        Ok(key)
    }
}

async fn unwrap(algorithm: Algorithm, nonce: &[u8], sealed: &[u8], kek: &CryptoKey) -> Result<CryptoKey, Failure> {
    let usages = algorithms::usages(&["sign"]);
    let opening = algorithms::aes_gcm(nonce);
    let called = with_algorithm(algorithm, |known| {
        subtle::unwrap_key("pkcs8", sealed, kek, &opening, &known.import, false, &usages)
    });
    settled(OPENING, called).await.map(JsCast::unchecked_into)
}

/// The exported key with nothing but the members that make it.
fn exported_jwk(exported: &JsValue) -> Result<String, Failure> {
    let unreadable = || Failure::lasting(MAKING, "its public half cannot be read");
    // `ext` and `key_ops` say what `WebCrypto` may do with it, `alg` how workerd names it.
    let exported: &Object = exported.dyn_ref().ok_or_else(unreadable)?;
    Reflect::delete_property(exported, &JsValue::from_str("alg")).map_err(while_doing(MAKING))?;
    let json = js_sys::JSON::stringify(exported).map_err(while_doing(MAKING))?;
    PublicJwk::parse(&String::from(json)).map(|jwk| jwk.canonical()).map_err(|_| unreadable())
}
