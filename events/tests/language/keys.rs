//! Signing keys: published → active → retired → removed, or compromised.

use crate::{sample::kid, shard::Shard};
use grantlog_events::{
    Place, Refusal, Seconds,
    command::{ActivateKey, CompromiseKey, ConfirmKeyCompromise, PublishKey, RemoveKey},
    decide::Answer,
    key::{Algorithm, JWKS_LIFETIME, KeyStatus, LONGEST_TOKEN},
};

fn publish(name: &str, algorithm: Algorithm) -> PublishKey {
    PublishKey { kid: kid(name), algorithm, jwk: "{}".to_owned() }
}

fn activate(name: &str) -> ActivateKey {
    ActivateKey { kid: kid(name) }
}

fn compromise(name: &str) -> CompromiseKey {
    CompromiseKey { kid: kid(name), reason: "leaked".to_owned() }
}

fn status(registry: &Shard, name: &str) -> KeyStatus {
    registry.state().signing(&kid(name)).unwrap().status
}

/// A registry on its first start: one key signs, one is its spare.
fn started() -> Shard {
    let mut registry = Shard::born(Place::REGISTRY);
    registry.granted(publish("first", Algorithm::Es256));
    registry.granted(activate("first"));
    registry.granted(publish("spare", Algorithm::Es256));
    registry
}

/// The exception: there is nothing else to sign with.
#[test]
fn the_first_key_of_an_algorithm_signs_at_once() {
    let mut registry = started();
    registry.granted(publish("rsa", Algorithm::Rs256));
    registry.granted(activate("rsa"));
    assert_eq!(status(&registry, "rsa"), KeyStatus::Active);
    assert_eq!(status(&registry, "first"), KeyStatus::Active, "each algorithm has its own");
}

/// K1: a key that clients may not have seen yet signs nothing.
#[test]
fn a_key_signs_one_jwks_lifetime_after_it_was_published_and_not_before() {
    let mut registry = started();
    let published = registry.now;
    registry.now = published.after(Seconds(JWKS_LIFETIME.0 - 1));
    assert_eq!(registry.refused(activate("spare")), Refusal::KeyNotReady);
    registry.now = published.after(JWKS_LIFETIME);
    let rotation = registry.run(activate("spare"));
    assert_eq!((rotation.answer, rotation.events.len()), (Answer::Granted, 2));
    assert_eq!(status(&registry, "spare"), KeyStatus::Active);
    assert_eq!(status(&registry, "first"), KeyStatus::Retired);
    assert_eq!(registry.writes_nothing(activate("spare")), Answer::NothingToDo);
    assert_eq!(registry.refused(activate("first")), Refusal::KeyNotReady);
}

/// K5: a retired key stays until the longest token that it signed has expired.
#[test]
fn a_retired_key_is_removed_after_its_longest_token() {
    let mut registry = started();
    registry.pass(JWKS_LIFETIME.0);
    let retired = registry.now;
    registry.run(activate("spare"));
    registry.now = retired.after(LONGEST_TOKEN);
    assert_eq!(registry.refused(RemoveKey { kid: kid("first") }), Refusal::KeyNotReady);
    registry.pass(JWKS_LIFETIME.0);
    registry.granted(RemoveKey { kid: kid("first") });
    assert_eq!(registry.writes_nothing(RemoveKey { kid: kid("first") }), Answer::NothingToDo);
}

/// K2: what signs or may have to sign next never leaves the JWKS.
#[test]
fn a_live_key_cannot_be_removed() {
    let mut registry = started();
    for name in ["first", "spare"] {
        assert_eq!(registry.refused(RemoveKey { kid: kid(name) }), Refusal::KeyNotReady);
    }
    assert_eq!(registry.refused(RemoveKey { kid: kid("unknown") }), Refusal::KeyUnknown);
    assert_eq!(registry.refused(activate("unknown")), Refusal::KeyUnknown);
    assert_eq!(registry.refused(compromise("unknown")), Refusal::KeyUnknown);
}

/// The spare takes over in the same decision: there is no moment without a key that signs.
#[test]
fn compromise_of_the_signing_key_activates_the_spare_that_clients_have_known_longest() {
    let mut registry = started();
    registry.pass(60);
    registry.granted(publish("a-younger-spare", Algorithm::Es256));
    registry.granted(publish("b-rsa", Algorithm::Rs256));
    let emergency = registry.run(compromise("first"));
    assert_eq!(emergency.events.len(), 2);
    assert_eq!(status(&registry, "first"), KeyStatus::Compromised);
    assert_eq!(status(&registry, "spare"), KeyStatus::Active);
    assert_eq!(status(&registry, "a-younger-spare"), KeyStatus::Published);
    assert_eq!(registry.writes_nothing(compromise("first")), Answer::NothingToDo);
    assert_eq!(registry.refused(activate("first")), Refusal::KeyNotReady);
    assert_eq!(registry.refused(RemoveKey { kid: kid("first") }), Refusal::KeyNotReady);
}

#[test]
fn compromise_of_a_spare_changes_nobody_else() {
    let mut registry = started();
    assert_eq!(registry.run(compromise("spare")).events.len(), 1);
    assert_eq!(status(&registry, "first"), KeyStatus::Active);
}

#[test]
fn a_compromise_is_confirmed_once() {
    let mut registry = started();
    let confirm = ConfirmKeyCompromise { kid: kid("first"), positions: Vec::new() };
    assert_eq!(registry.writes_nothing(confirm.clone()), Answer::NothingToDo, "there is nothing to confirm");
    registry.run(compromise("first"));
    assert!(!registry.state().signing(&kid("first")).unwrap().confirmed);
    registry.granted(confirm.clone());
    assert_eq!(registry.writes_nothing(confirm), Answer::NothingToDo);
}

#[test]
fn a_key_is_published_once() {
    let mut registry = started();
    assert_eq!(registry.writes_nothing(publish("first", Algorithm::Rs256)), Answer::NothingToDo);
    assert_eq!(registry.state().signing(&kid("first")).unwrap().algorithm, Algorithm::Es256);
}
