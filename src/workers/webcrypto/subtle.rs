//! `crypto.subtle`, as far as it is used, with `catch` on every call.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A key that only `WebCrypto` can read.
    #[derive(Clone)]
    pub(super) type CryptoKey;

    /// A key pair as `generateKey` makes it.
    pub(super) type CryptoKeyPair;

    #[wasm_bindgen(method, getter, js_name = publicKey)]
    pub(super) fn public_key(this: &CryptoKeyPair) -> CryptoKey;

    #[wasm_bindgen(method, getter, js_name = privateKey)]
    pub(super) fn private_key(this: &CryptoKeyPair) -> CryptoKey;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = generateKey, catch)]
    pub(super) fn generate_key(algorithm: &JsValue, extractable: bool, usages: &Array) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = exportKey, catch)]
    pub(super) fn export_key(format: &str, key: &CryptoKey) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = importKey, catch)]
    pub(super) fn import_key(
        format: &str,
        key: &JsValue,
        algorithm: &JsValue,
        extractable: bool,
        usages: &Array,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = wrapKey, catch)]
    pub(super) fn wrap_key(
        format: &str,
        key: &CryptoKey,
        wrapping: &CryptoKey,
        algorithm: &JsValue,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], js_name = unwrapKey, catch)]
    pub(super) fn unwrap_key(
        format: &str,
        wrapped: &[u8],
        unwrapping: &CryptoKey,
        unwrap_algorithm: &JsValue,
        algorithm: &JsValue,
        extractable: bool,
        usages: &Array,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], catch)]
    pub(super) fn sign(algorithm: &JsValue, key: &CryptoKey, message: &[u8]) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["crypto", "subtle"], catch)]
    pub(super) fn verify(
        algorithm: &JsValue,
        key: &CryptoKey,
        signature: &[u8],
        message: &[u8],
    ) -> Result<Promise, JsValue>;
}
