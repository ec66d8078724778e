//! The secret part of refresh tokens: a MAC under a key of the family's own, kept wrapped beside the log.
//!
//! The same generation always has the same secret part, so a successor can be given again; nothing of it
//! is in the log.

use super::{Run, Shard, Store, birth::beside};
use crate::{config::Secret, failure::Failure, ports::World};
use aes_gcm::{Aes256Gcm, Nonce, aead::Aead};
use grantlog_events::{Command, Event, command::PresentedRefresh};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

const NONCE: usize = 12;

/// Where a family's key is kept.
fn key_of(family: u64) -> String {
    format!("refresh/{family}")
}

/// The command with a fresh key for the family that it may begin.
pub(super) fn with_family_key<W: World, S: Store>(shard: &Shard<S>, world: &W, run: Run) -> Result<Run, Failure> {
    let family = match &run.command {
        Command::RedeemCode(command) if command.refresh.is_some() => command.code.address.seq,
        // The event that this exchange appends, if it is granted.
        Command::Exchange(command) if command.refresh_token => shard.head()?.next,
        _ => return Ok(run),
    };
    if shard.store().secret(&key_of(family))?.is_some() {
        return Ok(run);
    }
    let wrapped = wrap(&world.config().kek, &world.random()?, &world.random()?)?;
    Ok(beside(run, key_of(family), Some(wrapped)))
}

/// Whether the presented refresh token has the secret part of its generation.
pub(super) fn is_proven<W: World, S: Store>(shard: &Shard<S>, world: &W, run: &Run) -> Result<bool, Failure> {
    let Some(token) = presented(&run.command) else { return Ok(false) };
    let Some(secret) = run.private.as_ref().and_then(|private| private.refresh) else { return Ok(false) };
    let right = secret_part(shard, world, token.family, token.generation)?;
    Ok(right.is_some_and(|right| bool::from(right.ct_eq(&secret))))
}

/// The secret part of the refresh token that came with the command's token, if one did.
pub(super) fn borne_by<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    command: &Command,
    events: &[Event],
) -> Result<Option<[u8; 32]>, Failure> {
    // Whoever only asks about a token is never told the secret that came with it.
    if !matches!(command, Command::RedeemCode(_) | Command::Refresh(_) | Command::Exchange(_)) {
        return Ok(None);
    }
    let refresh = events.iter().rev().find_map(|event| event.body.issued()?.refresh.as_ref());
    match refresh {
        Some(refresh) => secret_part(shard, world, refresh.family, refresh.generation),
        None => Ok(None),
    }
}

fn presented(command: &Command) -> Option<&PresentedRefresh> {
    match command {
        Command::Refresh(command) => Some(&command.token),
        Command::InspectRefresh(command) => Some(&command.token),
        Command::RevokeRefresh(command) => Some(&command.token),
        _ => None,
    }
}

fn secret_part<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    family: u64,
    generation: u64,
) -> Result<Option<[u8; 32]>, Failure> {
    let Some(wrapped) = shard.store().secret(&key_of(family))? else { return Ok(None) };
    let key = unwrap(world, &wrapped)?;
    let mac = Hmac::<Sha256>::new_from_slice(&key);
    let mut mac = mac.map_err(|_| Failure::lasting("deriving a refresh token", "the key has a wrong length"))?;
    mac.update(format!("{}/{generation}", shard.origin().place().at(family)).as_bytes());
    Ok(Some(mac.finalize().into_bytes().into()))
}

fn cipher(kek: &Secret) -> Result<Aes256Gcm, Failure> {
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(Some(b"grantlog refresh keys"), &kek.0)
        .expand(b"wrap", &mut key)
        .map_err(|_| Failure::lasting("deriving a wrapping key", "wrong length"))?;
    aes_gcm::KeyInit::new_from_slice(&key).map_err(|_| Failure::lasting("deriving a wrapping key", "wrong length"))
}

fn wrap(kek: &Secret, key: &[u8; 32], random: &[u8; 32]) -> Result<Vec<u8>, Failure> {
    let nonce: Vec<u8> = random.iter().copied().take(NONCE).collect();
    let wrapped = cipher(kek)?.encrypt(Nonce::from_slice(&nonce), key.as_slice());
    Ok([nonce, wrapped.map_err(|_| Failure::lasting("wrapping a refresh key", "refused"))?].concat())
}

/// Under `KEK`, else under `KEK_PREVIOUS`.
fn unwrap<W: World>(world: &W, wrapped: &[u8]) -> Result<Vec<u8>, Failure> {
    let broken = || Failure::lasting("unwrapping a refresh key", "it opens under no key");
    let (nonce, sealed) = wrapped.split_at_checked(NONCE).ok_or_else(broken)?;
    let config = world.config();
    for kek in [Some(&config.kek), config.kek_previous.as_ref()].into_iter().flatten() {
        if let Ok(key) = cipher(kek)?.decrypt(Nonce::from_slice(nonce), sealed) {
            return Ok(key);
        }
    }
    Err(broken())
}
