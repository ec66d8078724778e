//! Signing keys in the registry: published → active → retired → removed, or compromised.
//!
//! A key is published one JWKS lifetime before its first signature, except the very first of its
//! algorithm and the spare that takes over from a compromised key: clients have seen that one.

use super::Decision;
use crate::{
    Body, Draft, Kid, Refusal, State, Timestamp,
    body::{KeyActivated, KeyCompromiseConfirmed, KeyCompromised, KeyPublished, KeyRemoved, KeyRetired},
    command::{ActivateKey, CompromiseKey, ConfirmKeyCompromise, PublishKey, RemoveKey},
    key::{Algorithm, JWKS_LIFETIME, KeyStatus, LONGEST_TOKEN, SigningKey},
};

pub(super) fn publish(state: &State, command: &PublishKey) -> Decision {
    if state.signing(&command.kid).is_some() {
        return Decision::nothing_to_do();
    }
    let body = KeyPublished { kid: command.kid.clone(), algorithm: command.algorithm, jwk: command.jwk.clone() };
    Decision::grant(Draft::of(Body::KeyPublished(body)))
}

pub(super) fn activate(state: &State, command: &ActivateKey, now: Timestamp) -> Result<Decision, Refusal> {
    let key = state.signing(&command.kid).ok_or(Refusal::KeyUnknown)?;
    match key.status {
        KeyStatus::Active => return Ok(Decision::nothing_to_do()),
        KeyStatus::Published => {}
        KeyStatus::Retired | KeyStatus::Removed | KeyStatus::Compromised => return Err(Refusal::KeyNotReady),
    }
    let signs_now = active(state, key.algorithm);
    let seen_by_clients = now >= key.published_at.after(JWKS_LIFETIME);
    if signs_now.is_some() && !seen_by_clients {
        return Err(Refusal::KeyNotReady);
    }
    let activated = Draft::of(Body::KeyActivated(KeyActivated { kid: command.kid.clone() }));
    let decision = Decision::grant(activated);
    Ok(match signs_now {
        Some(kid) => decision.recording(retired(kid, now)),
        None => decision,
    })
}

pub(super) fn remove(state: &State, command: &RemoveKey, now: Timestamp) -> Result<Decision, Refusal> {
    let key = state.signing(&command.kid).ok_or(Refusal::KeyUnknown)?;
    match key.status {
        KeyStatus::Removed => Ok(Decision::nothing_to_do()),
        KeyStatus::Retired if key.until.is_some_and(|until| now >= until) => {
            Ok(Decision::grant(Draft::of(Body::KeyRemoved(KeyRemoved { kid: command.kid.clone() }))))
        }
        KeyStatus::Published | KeyStatus::Active | KeyStatus::Retired | KeyStatus::Compromised => {
            Err(Refusal::KeyNotReady)
        }
    }
}

/// The spare takes over in the same decision, so there is no moment without a key that signs.
pub(super) fn compromise(state: &State, command: &CompromiseKey) -> Result<Decision, Refusal> {
    let key = state.signing(&command.kid).ok_or(Refusal::KeyUnknown)?;
    if key.status == KeyStatus::Compromised {
        return Ok(Decision::nothing_to_do());
    }
    let body = KeyCompromised { kid: command.kid.clone(), reason: command.reason.clone() };
    let decision = Decision::grant(Draft::of(Body::KeyCompromised(body)));
    let spare = (key.status == KeyStatus::Active).then(|| spare(state, key.algorithm)).flatten();
    Ok(match spare {
        Some(kid) => decision.recording(Draft::of(Body::KeyActivated(KeyActivated { kid }))),
        None => decision,
    })
}

pub(super) fn confirm(state: &State, command: &ConfirmKeyCompromise) -> Result<Decision, Refusal> {
    let key = state.signing(&command.kid).ok_or(Refusal::KeyUnknown)?;
    if key.confirmed {
        return Ok(Decision::nothing_to_do());
    }
    let body = KeyCompromiseConfirmed { kid: command.kid.clone(), positions: command.positions.clone() };
    Ok(Decision::grant(Draft::of(Body::KeyCompromiseConfirmed(body))))
}

/// An edge may sign with a ring that it read just before, so the key outstays its longest token.
fn retired(kid: Kid, now: Timestamp) -> Draft {
    let until = now.after(LONGEST_TOKEN).after(JWKS_LIFETIME);
    Draft::of(Body::KeyRetired(KeyRetired { kid, until }))
}

fn active(state: &State, algorithm: Algorithm) -> Option<Kid> {
    find(state, |key| key.algorithm == algorithm && key.status == KeyStatus::Active)
}

/// The published key that clients have known longest.
fn spare(state: &State, algorithm: Algorithm) -> Option<Kid> {
    state
        .signing_keys()
        .filter(|(_, key)| key.algorithm == algorithm && key.status == KeyStatus::Published)
        .min_by_key(|(_, key)| key.published_at)
        .map(|(kid, _)| kid)
}

fn find(state: &State, wanted: impl Fn(&SigningKey) -> bool) -> Option<Kid> {
    state.signing_keys().find(|(_, key)| wanted(key)).map(|(kid, _)| kid)
}
