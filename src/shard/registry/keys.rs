//! Signing keys: made here, wrapped, moved from state to state when it is time, and never all gone.

use super::{epochs, read_rows, refuse_nothing, run_here, run_of, tell_all};
use crate::{
    failure::Failure,
    jose,
    ports::{Keys, World},
    shard::{RingEntry, RingReading, Shard, Store, birth::beside},
};
use grantlog_events::{
    Body, Command, Event, Kid, Stored, Timestamp,
    command::{ActivateKey, ConfirmKeyCompromise, HearKey, PublishKey, RemoveKey},
    key::{Algorithm, JWKS_LIFETIME, KeyStatus, SigningKey},
    state::Row,
    stored::Bytes,
};

/// How long a key signs before the next one takes over, in milliseconds.
const ROTATION: u64 = 90 * 24 * 3600 * 1000;

/// How many events are read at a time.
const PAGE: u32 = 500;

/// Whether each algorithm has a key that signs; a missing spare stops nobody.
pub(super) fn has_keys<S: Store>(shard: &Shard<S>) -> Result<bool, Failure> {
    let keys = keys(shard)?;
    let has = |algorithm, status| keys.iter().any(|(_, key)| key.algorithm == algorithm && key.status == status);
    Ok(Algorithm::ALL.iter().all(|of| has(*of, KeyStatus::Active)))
}

/// Each algorithm has a key that signs and a spare that clients have seen.
pub(super) async fn first_keys<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    for algorithm in Algorithm::ALL {
        let of_algorithm = |status| move |key: &SigningKey| key.algorithm == *algorithm && key.status == status;
        if find(shard, of_algorithm(KeyStatus::Active))?.is_none() {
            let kid = match find(shard, of_algorithm(KeyStatus::Published))? {
                Some((kid, _)) => kid,
                None => publish(shard, world, *algorithm).await?,
            };
            run_here(shard, world, ActivateKey { kid })?;
        }
        if find(shard, of_algorithm(KeyStatus::Published))?.is_none() {
            publish(shard, world, *algorithm).await?;
        }
    }
    Ok(())
}

async fn publish<W: World, S: Store>(shard: &Shard<S>, world: &W, algorithm: Algorithm) -> Result<Kid, Failure> {
    let fresh = world.keys().generate(algorithm).await?;
    let kid = jose::thumbprint(&fresh.jwk).ok_or_else(|| Failure::lasting("making a key", "its JWK is malformed"))?;
    let command = PublishKey { kid: kid.clone(), algorithm, jwk: fresh.jwk };
    let run = beside(run_of(world, command)?, secret_of_key(&kid), Some(fresh.wrapped));
    refuse_nothing(shard, world, &run)?;
    Ok(kid)
}

/// Takes each key to the state that is due. Done at every reading of the ring, so that rotation needs no
/// timer of its own.
pub(in crate::shard) fn move_keys_on<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let now = world.now();
    for (kid, key) in keys(shard)? {
        match key.status {
            KeyStatus::Active if key.activated_at.is_some_and(|at| now.since(at) >= ROTATION) => {
                rotate(shard, world, key.algorithm, now)?;
            }
            KeyStatus::Retired if key.until.is_some_and(|until| now >= until) => {
                run_here(shard, world, RemoveKey { kid })?;
            }
            KeyStatus::Published
            | KeyStatus::Active
            | KeyStatus::Retired
            | KeyStatus::Removed
            | KeyStatus::Compromised => {}
        }
    }
    Ok(())
}

fn rotate<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    algorithm: Algorithm,
    now: Timestamp,
) -> Result<(), Failure> {
    let due = |key: &SigningKey| {
        key.algorithm == algorithm && key.status == KeyStatus::Published && now >= key.published_at.after(JWKS_LIFETIME)
    };
    match find(shard, due)? {
        Some((kid, _)) => run_here(shard, world, ActivateKey { kid }),
        None => Ok(()),
    }
}

/// Tells every shard that a key is compromised, and confirms it; then a new spare is published.
pub(in crate::shard) async fn spread_key<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    kid: &Kid,
) -> Result<(), Failure> {
    let Some((_, key)) = keys(shard)?.into_iter().find(|(held, _)| held == kid) else { return Ok(()) };
    if key.confirmed {
        return first_keys(shard, world).await;
    }
    let command = HearKey { kid: kid.clone(), registry_seq: compromised_at(shard, kid)? };
    let positions = tell_all(shard, world, Command::from(command)).await?;
    run_here(shard, world, ConfirmKeyCompromise { kid: kid.clone(), positions })?;
    first_keys(shard, world).await
}

/// The position of the event that says a key is compromised, sought from the end of this log: it is told once,
/// soon after it was appended.
fn compromised_at<S: Store>(shard: &Shard<S>, kid: &Kid) -> Result<u64, Failure> {
    let mut end = shard.head()?.next;
    while end > 0 {
        let from = end.saturating_sub(u64::from(PAGE));
        let page = shard.store().events_from(from, u32::try_from(end - from).unwrap_or(PAGE))?;
        for bytes in page.iter().rev() {
            let event =
                Event::from_bytes(bytes).map_err(|malformed| Failure::lasting("reading an event", malformed))?;
            if matches!(&event.body, Body::KeyCompromised(key) if key.kid == *kid) {
                return Ok(event.seq);
            }
        }
        end = from;
    }
    Err(Failure::lasting("telling of a compromised key", "no event says that it is"))
}

/// Every key with its wrapped private half, and every epoch.
pub(in crate::shard) fn ring<S: Store>(shard: &Shard<S>) -> Result<RingReading, Failure> {
    let mut entries = Vec::new();
    for (kid, key) in keys(shard)? {
        let wrapped = match key.status {
            KeyStatus::Active => shard.store().secret(&secret_of_key(&kid))?.map(Bytes),
            KeyStatus::Published | KeyStatus::Retired | KeyStatus::Removed | KeyStatus::Compromised => None,
        };
        entries.push(RingEntry { kid, key, wrapped });
    }
    Ok(RingReading { keys: entries, epochs: epochs(shard)? })
}

pub(super) fn keys<S: Store>(shard: &Shard<S>) -> Result<Vec<(Kid, SigningKey)>, Failure> {
    read_rows(&shard.store().rows_under("signing/")?, |key, row| match row {
        Row::Signing(row) => Kid::parse(key.name()).ok().map(|kid| (kid, row)),
        _ => None,
    })
}

fn find<S: Store>(
    shard: &Shard<S>,
    wanted: impl Fn(&SigningKey) -> bool,
) -> Result<Option<(Kid, SigningKey)>, Failure> {
    let found = keys(shard)?.into_iter().filter(|(_, key)| wanted(key));
    Ok(found.min_by_key(|(_, key)| key.published_at))
}

fn secret_of_key(kid: &Kid) -> String {
    format!("key/{kid}")
}
