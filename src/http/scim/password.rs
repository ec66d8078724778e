//! Password verifiers: Argon2id, computed here at the edge and never in a shard (OWASP's parameters).

use crate::{failure::Failure, ports::World};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const LENGTH: usize = 32;
const SALT: usize = 16;

/// The verifier as a PHC string.
pub(super) fn verifier<W: World>(world: &W, password: &str) -> Result<String, Failure> {
    let salt: Vec<u8> = world.random()?.into_iter().take(SALT).collect();
    let hash = hash(password, &salt)?;
    let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
    Ok(format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${hash}"))
}

fn hash(password: &str, salt: &[u8]) -> Result<[u8; LENGTH], Failure> {
    let refused = |error| Failure::lasting("hashing a password", error);
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(LENGTH)).map_err(refused)?;
    let mut hash = [0; LENGTH];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(password.as_bytes(), salt, &mut hash)
        .map_err(refused)?;
    Ok(hash)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_password_and_salt_alone() {
        let of = |password, salt: &[u8]| hash(password, salt).unwrap();
        assert_eq!(of("correct horse", b"0123456789abcdef"), of("correct horse", b"0123456789abcdef"));
        assert_ne!(of("correct horse", b"0123456789abcdef"), of("correct horsf", b"0123456789abcdef"));
        assert_ne!(of("correct horse", b"0123456789abcdef"), of("correct horse", b"0123456789abcdeg"));
    }
}
