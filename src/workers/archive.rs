//! The archive in R2. Strongly consistent; a name that must be new is created on the condition that
//! no object has it.

use super::thrown::{bytes_of, settled, while_doing};
use crate::{failure::Failure, ports::Archive};
use js_sys::{Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

const READING: &str = "reading the archive";
const CREATING: &str = "creating in the archive";
const DELETING: &str = "deleting from the archive";

#[wasm_bindgen]
extern "C" {
    /// The binding to the bucket.
    pub type Bucket;
    type Found;

    #[wasm_bindgen(method, catch)]
    fn get(this: &Bucket, key: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn put(this: &Bucket, key: &str, value: &Uint8Array, options: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &Bucket, key: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &Found) -> Result<Promise, JsValue>;
}

/// [`Archive`] over R2.
pub struct R2 {
    bucket: Bucket,
}

impl R2 {
    pub(super) fn new(bucket: Bucket) -> Self {
        Self { bucket }
    }
}

impl Archive for R2 {
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let found = settled(READING, self.bucket.get(name)).await?;
        if found.is_null() {
            return Ok(None);
        }
        let found: Found = found.unchecked_into();
        settled(READING, found.array_buffer()).await.map(|buffer| Some(bytes_of(&buffer)))
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Failure> {
        let options = only_if_new().map_err(while_doing(CREATING))?;
        let created = settled(CREATING, self.bucket.put(name, &Uint8Array::from(bytes), &options)).await?;
        Ok(!created.is_null())
    }

    async fn delete(&self, name: &str) -> Result<(), Failure> {
        settled(DELETING, self.bucket.delete(name)).await.map(drop)
    }
}

/// `put` answers null if the condition does not hold.
fn only_if_new() -> Result<Object, JsValue> {
    let (condition, options) = (Object::new(), Object::new());
    Reflect::set(&condition, &"etagDoesNotMatch".into(), &"*".into())?;
    Reflect::set(&options, &"onlyIf".into(), &condition)?;
    Ok(options)
}
