//! Random secrets: 32 bytes from the system, base64url.

use crate::failure::Failure;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use std::fs::File;
use std::io::Read;

pub(super) fn random() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(Failure::while_doing("reading random bytes"))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}
