//! Password verifiers: Argon2id, computed here at the edge and never in a shard (OWASP's parameters).

use crate::{failure::Failure, ports::World};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use subtle::ConstantTimeEq;

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

/// Whether the password is the one that a verifier was made of. Without a verifier it takes as long, and is not.
pub(in crate::http) fn is_right(verifier: Option<&[u8]>, password: &str) -> Result<bool, Failure> {
    let held = verifier.map(|verifier| Held::parse(verifier).ok_or_else(malformed)).transpose()?;
    let Held { params, salt, hash } = match &held {
        Some(held) => held.clone(),
        None => Held { params: (MEMORY_KIB, PASSES, LANES), salt: vec![0; SALT], hash: vec![0; LENGTH] },
    };
    let computed = hash_with(params, password, &salt)?;
    Ok(bool::from(computed.as_slice().ct_eq(&hash)) && held.is_some())
}

/// A verifier, taken apart.
#[derive(Clone)]
struct Held {
    params: (u32, u32, u32),
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl Held {
    fn parse(verifier: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(verifier).ok()?.strip_prefix("$argon2id$v=19$")?;
        let [params, salt, hash] = text.split('$').collect::<Vec<_>>().try_into().ok()?;
        let [m, t, p] = params.split(',').collect::<Vec<&str>>().try_into().ok()?;
        let number = |text: &str, name: &str| text.strip_prefix(name)?.parse().ok();
        let params = (number(m, "m=")?, number(t, "t=")?, number(p, "p=")?);
        let decoded = |text: &str| STANDARD_NO_PAD.decode(text).ok();
        Some(Self { params, salt: decoded(salt)?, hash: decoded(hash)? })
    }
}

fn malformed() -> Failure {
    Failure::lasting("reading a password verifier", "it is malformed")
}

fn hash(password: &str, salt: &[u8]) -> Result<[u8; LENGTH], Failure> {
    hash_with((MEMORY_KIB, PASSES, LANES), password, salt)
}

fn hash_with((memory, passes, lanes): (u32, u32, u32), password: &str, salt: &[u8]) -> Result<[u8; LENGTH], Failure> {
    let refused = |error| Failure::lasting("hashing a password", error);
    let params = Params::new(memory, passes, lanes, Some(LENGTH)).map_err(refused)?;
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
    fn a_password_is_right_by_its_own_verifier_alone() {
        let salt = STANDARD_NO_PAD.encode(b"0123456789abcdef");
        let cheap = hash_with((64, 1, 1), "correct horse", b"0123456789abcdef").unwrap();
        let verifier = format!("$argon2id$v=19$m=64,t=1,p=1${salt}${}", STANDARD_NO_PAD.encode(cheap));
        let is_right = |password| is_right(Some(verifier.as_bytes()), password).unwrap();
        assert!(is_right("correct horse") && !is_right("correct horsf") && !is_right(""));
        assert!(!super::is_right(None, "correct horse").unwrap());
        assert!(super::is_right(Some(b"$argon2id$v=19$m=64"), "correct horse").is_err());
    }

    #[test]
    fn the_hash_depends_on_password_and_salt_alone() {
        let of = |password, salt: &[u8]| hash(password, salt).unwrap();
        assert_eq!(of("correct horse", b"0123456789abcdef"), of("correct horse", b"0123456789abcdef"));
        assert_ne!(of("correct horse", b"0123456789abcdef"), of("correct horsf", b"0123456789abcdef"));
        assert_ne!(of("correct horse", b"0123456789abcdef"), of("correct horse", b"0123456789abcdeg"));
    }
}
