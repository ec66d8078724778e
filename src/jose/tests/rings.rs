//! The ring: how often the registry is asked, which keys are believed, what clients see.

use super::{
    access_tokens::token,
    stage::{Stage, encode, run},
};
use crate::{
    jose::{TokenFault, VerifyError, access_token, ring, thumbprint},
    ports::World,
};
use grantlog_events::key::{Algorithm, KeyStatus};
use serde_json::{Value, json};

fn with_kid(kid: &str) -> String {
    let header = json!({ "alg": "ES256", "kid": kid, "typ": "at+jwt" });
    format!("{}.e30.{}", encode(header.to_string().as_bytes()), encode(&[0; 64]))
}

const UNKNOWN: Result<(), VerifyError> = Err(VerifyError::Invalid(TokenFault::KeyUnknown));

fn verify(stage: &Stage, token: &str) -> Result<(), VerifyError> {
    run(access_token::verify(stage, token)).map(|_| ())
}

#[test]
fn the_ring_is_read_again_after_thirty_seconds() {
    let stage = Stage::new();
    run(ring::ring(&stage)).unwrap();
    stage.pass(29);
    run(ring::ring(&stage)).unwrap();
    assert_eq!(stage.reads.get(), 1);
    stage.pass(1);
    run(ring::ring(&stage)).unwrap();
    assert_eq!(stage.reads.get(), 2);
}

#[test]
fn an_unknown_kid_has_the_ring_read_again_once() {
    let stage = Stage::new();
    run(ring::ring(&stage)).unwrap();
    stage.pass(2);
    assert_eq!(verify(&stage, &with_kid("unknown")), UNKNOWN);
    assert_eq!(stage.reads.get(), 2);
}

#[test]
fn a_cold_isolate_reads_the_ring_once_for_an_unknown_kid() {
    let stage = Stage::new();
    assert_eq!(verify(&stage, &with_kid("unknown")), UNKNOWN);
    assert_eq!(stage.reads.get(), 1);
}

#[test]
fn a_flood_of_unknown_kids_does_not_reach_the_registry() {
    let stage = Stage::new();
    run(ring::ring(&stage)).unwrap();
    stage.pass(2);
    for number in 0..1000 {
        assert_eq!(verify(&stage, &with_kid(&format!("unknown-{number}"))), UNKNOWN);
    }
    assert_eq!(stage.reads.get(), 2);
    stage.pass(5);
    assert_eq!(verify(&stage, &with_kid("unknown")), UNKNOWN);
    assert_eq!(stage.reads.get(), 3);
}

#[test]
fn a_flood_while_the_registry_is_down_does_not_reach_it_either() {
    let stage = Stage::new();
    run(ring::ring(&stage)).unwrap();
    stage.pass(2);
    stage.down.set(true);
    assert!(matches!(verify(&stage, &with_kid("unknown")), Err(VerifyError::Failure(_))));
    assert_eq!(verify(&stage, &with_kid("unknown")), UNKNOWN);
    assert_eq!(stage.reads.get(), 2);
}

#[test]
fn a_key_that_was_added_elsewhere_is_found_by_reading_again() {
    let (stage, elsewhere) = (Stage::new(), Stage::new());
    let foreign = token(&elsewhere, Algorithm::Es256);
    run(ring::ring(&stage)).unwrap();
    stage.pass(2);
    stage.reading.borrow_mut().keys.push(elsewhere.active(Algorithm::Es256));
    assert_eq!(verify(&stage, &foreign), Ok(()));
    assert_eq!(stage.reads.get(), 2);
}

#[test]
fn retired_keys_verify_and_withdrawn_ones_do_not() {
    let stage = Stage::new();
    let token = token(&stage, Algorithm::Es256);
    let old = stage.active(Algorithm::Es256).kid;
    stage.set_status(&old, KeyStatus::Retired);
    stage.add(Algorithm::Es256, KeyStatus::Active);
    stage.memory().forget();
    assert_eq!(verify(&stage, &token), Ok(()));
    for withdrawn in [KeyStatus::Removed, KeyStatus::Compromised] {
        stage.set_status(&old, withdrawn);
        run(ring::reload(&stage)).unwrap();
        stage.pass(10);
        let reads = stage.reads.get();
        assert_eq!(verify(&stage, &token), UNKNOWN);
        assert_eq!(stage.reads.get(), reads, "what is known to be withdrawn is not looked for");
    }
}

#[test]
fn clients_see_every_key_that_signs_signed_or_will_sign() {
    let stage = Stage::new();
    let spare = stage.add(Algorithm::EdDsa, KeyStatus::Published);
    let retired = stage.add(Algorithm::EdDsa, KeyStatus::Retired);
    stage.add(Algorithm::EdDsa, KeyStatus::Removed);
    stage.add(Algorithm::EdDsa, KeyStatus::Compromised);
    let ring = run(ring::ring(&stage)).unwrap();
    let set: Value = serde_json::from_str(ring.jwks()).unwrap();
    let keys = set["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 5);
    for key in keys {
        assert_eq!(key["use"], "sig");
        assert_eq!(thumbprint(&key.to_string()).unwrap().as_str(), key["kid"]);
        assert!(Algorithm::named(key["alg"].as_str().unwrap()).is_some());
        assert!(key.get("d").is_none());
    }
    let shown = |kid: &str| keys.iter().any(|key| key["kid"] == kid);
    assert!(shown(spare.kid.as_str()) && shown(retired.kid.as_str()));
}

#[test]
fn a_ring_that_cannot_sign_is_a_failure() {
    let stage = Stage::new();
    for algorithm in Algorithm::ALL {
        stage.set_status(&stage.active(*algorithm).kid, KeyStatus::Retired);
    }
    assert!(run(ring::ring(&stage)).is_err());
    stage.reading.borrow_mut().keys.clear();
    assert!(run(ring::ring(&stage)).is_err());
}

#[test]
fn an_algorithm_without_an_active_key_does_not_sign() {
    let stage = Stage::new();
    stage.set_status(&stage.active(Algorithm::Es256).kid, KeyStatus::Retired);
    let ring = run(ring::ring(&stage)).unwrap();
    assert!(ring.signing(Algorithm::Es256).is_err());
    assert!(ring.signing(Algorithm::EdDsa).is_ok());
}

#[test]
fn the_ring_knows_the_epochs() {
    let ring = run(ring::ring(&Stage::new())).unwrap();
    assert_eq!((ring.shards(1), ring.shards(2)), (Some(64), None));
}
