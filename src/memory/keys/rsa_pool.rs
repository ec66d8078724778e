//! RSA keys, made once per process and shared by every world in it: making one takes long, and a test run
//! builds hundreds of worlds. Each world takes them in order, so that no world gets one twice.

use crate::failure::Failure;
use rsa::PrivateKey;
use std::sync::{Mutex, PoisonError};

/// Size of an RSA signing key.
const BITS: usize = 2048;

static POOL: Mutex<Vec<PrivateKey>> = Mutex::new(Vec::new());

/// The key at a place in the pool, made if no world has got so far.
pub(super) fn key(place: usize) -> Result<PrivateKey, Failure> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some(key) = pool.get(place) {
            return Ok(key.clone());
        }
        let fresh = PrivateKey::new(&mut getrandom::SysRng, BITS);
        pool.push(fresh.map_err(|error| Failure::passing("making an RSA key", error))?);
    }
}
