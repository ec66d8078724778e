//! How `WebCrypto` wants each algorithm described, built once per isolate.

use grantlog_events::key::Algorithm;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;

/// The cipher that wraps private keys.
pub(super) const AES_GCM: &str = "AES-GCM";

/// One algorithm, as each call wants it.
pub(super) struct Known {
    /// For `generateKey`.
    pub(super) generation: JsValue,
    /// For `importKey` and `unwrapKey`.
    pub(super) import: JsValue,
    /// For `sign` and `verify`.
    pub(super) signature: JsValue,
}

thread_local! {
    static ES256: Known = {
        let key = described(&[("name", "ECDSA".into()), ("namedCurve", "P-256".into())]);
        let signature = described(&[("name", "ECDSA".into()), ("hash", "SHA-256".into())]);
        Known { generation: key.clone(), import: key, signature }
    };
    static RS256: Known = {
        let name = || ("name", JsValue::from_str("RSASSA-PKCS1-v1_5"));
        let hash = || ("hash", JsValue::from_str("SHA-256"));
        let exponent = Uint8Array::from(&[1, 0, 1][..]);
        let generation =
            described(&[name(), hash(), ("modulusLength", 2048.into()), ("publicExponent", exponent.into())]);
        Known { generation, import: described(&[name(), hash()]), signature: described(&[name()]) }
    };
    static EDDSA: Known = {
        let name = described(&[("name", "Ed25519".into())]);
        Known { generation: name.clone(), import: name.clone(), signature: name }
    };
}

/// Hands the algorithm's descriptions to a call.
pub(super) fn with_algorithm<T>(algorithm: Algorithm, call: impl FnOnce(&Known) -> T) -> T {
    match algorithm {
        Algorithm::Es256 => ES256.with(call),
        Algorithm::Rs256 => RS256.with(call),
        Algorithm::EdDsa => EDDSA.with(call),
    }
}

/// AES-GCM with a nonce.
pub(super) fn aes_gcm(nonce: &[u8]) -> JsValue {
    described(&[("name", AES_GCM.into()), ("iv", Uint8Array::from(nonce).into())])
}

/// What a key may be used for.
pub(super) fn usages(names: &[&str]) -> Array {
    names.iter().map(|name| JsValue::from_str(name)).collect()
}

fn described(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // Invariant: setting a member of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}
