//! Keys under their key-encryption key.

use super::stage::run;
use crate::{config::Secret, memory::SoftwareKeys, ports::Keys};
use grantlog_events::key::Algorithm;

const OLD: Secret = Secret([1; 32]);
const NEW: Secret = Secret([2; 32]);

#[test]
fn a_wrapped_key_signs_what_its_public_half_verifies() {
    let keys = SoftwareKeys::new(&NEW, None);
    for algorithm in Algorithm::ALL {
        let fresh = run(keys.generate(*algorithm)).unwrap();
        let private = run(keys.open(*algorithm, &fresh.wrapped)).unwrap();
        let public = run(keys.import(*algorithm, &fresh.jwk)).unwrap().unwrap();
        let signature = run(keys.sign(&private, b"message")).unwrap();
        assert_eq!(signature.len(), if *algorithm == Algorithm::Rs256 { 256 } else { 64 });
        assert!(run(keys.verify(&public, b"message", &signature)).unwrap());
        assert!(!run(keys.verify(&public, b"massage", &signature)).unwrap());
        assert!(!run(keys.verify(&public, b"message", &signature[1..])).unwrap());
        assert!(!run(keys.verify(&public, b"message", &[])).unwrap());
    }
}

#[test]
fn the_previous_key_encryption_key_opens_old_wraps() {
    let wrapped = run(SoftwareKeys::new(&OLD, None).generate(Algorithm::EdDsa)).unwrap().wrapped;
    assert!(run(SoftwareKeys::new(&NEW, Some(&OLD)).open(Algorithm::EdDsa, &wrapped)).is_ok());
    assert!(run(SoftwareKeys::new(&NEW, None).open(Algorithm::EdDsa, &wrapped)).is_err());
}

#[test]
fn a_damaged_or_mistaken_wrap_does_not_open() {
    let keys = SoftwareKeys::new(&NEW, None);
    let wrapped = run(keys.generate(Algorithm::EdDsa)).unwrap().wrapped;
    assert!(run(keys.open(Algorithm::Es256, &wrapped)).is_err());
    assert!(run(keys.open(Algorithm::EdDsa, &wrapped[..11])).is_err());
    for at in 0..wrapped.len() {
        let mut damaged = wrapped.clone();
        damaged[at] ^= 1;
        assert!(run(keys.open(Algorithm::EdDsa, &damaged)).is_err());
    }
}

#[test]
fn no_two_wraps_share_a_nonce() {
    let keys = SoftwareKeys::new(&NEW, None);
    let nonce = || run(keys.generate(Algorithm::EdDsa)).unwrap().wrapped[..12].to_vec();
    assert_ne!(nonce(), nonce());
}

#[test]
fn no_world_gets_an_rsa_key_twice() {
    let keys = SoftwareKeys::new(&NEW, None);
    let jwk = || run(keys.generate(Algorithm::Rs256)).unwrap().jwk;
    assert_ne!(jwk(), jwk());
}
