//! The registry's own duties: opening the deployment, telling every shard, tending the keys.
//!
//! A change is appended here first, then told to every shard, each of which appends it; only when all
//! have is it confirmed, here, with the positions. What is left over is told again by the alarm.

mod clients;
mod keys;
mod opening;

pub use clients::{client_secret, registration_token};
pub(super) use clients::{client_view, show_client, spread_client};
use keys::{first_keys, has_keys};
pub(super) use keys::{move_keys_on, ring, spread_key};
use opening::epochs;
pub(super) use opening::open;

use super::{Ask, Beside, Reply, Run, Shard, Store};
use crate::{
    failure::Failure,
    ports::{Log, World},
};
use futures_util::future::join_all;
use grantlog_events::{
    Command, Header, Place, RequestId,
    key::KeyStatus,
    state::{Key, Row},
};

/// A command of the service's own, with a fresh request id.
pub(super) fn run_of<W: World>(world: &W, command: impl Into<Command>) -> Result<Run, Failure> {
    Ok(Run { header: fresh_header(world)?, command: command.into(), private: None })
}

/// A header for one command's first try.
pub fn fresh_header<W: World>(world: &W) -> Result<Header, Failure> {
    let random = world.random()?;
    let mut id = [0; 10];
    let mut entropy = [0; 10];
    id.iter_mut().zip(random).for_each(|(to, from)| *to = from);
    entropy.iter_mut().zip(random.into_iter().skip(10)).for_each(|(to, from)| *to = from);
    Ok(Header { request: RequestId::new(world.now(), id), entropy, attempt: 0 })
}

/// Runs one of the registry's own commands here.
fn run_here<W: World, S: Store>(shard: &Shard<S>, world: &W, command: impl Into<Command>) -> Result<(), Failure> {
    refuse_nothing(shard, world, &run_of(world, command)?)
}

fn refuse_nothing<W: World, S: Store>(shard: &Shard<S>, world: &W, run: &Run) -> Result<(), Failure> {
    match shard.run(run, Beside::default(), world.now())?.refusal {
        None => Ok(()),
        Some(refusal) => Err(Failure::lasting("keeping the registry", refusal.name())),
    }
}

/// Moves keys on that are due, and tells again what some shard has not confirmed.
pub(super) async fn tend<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    open(shard, world).await?;
    move_keys_on(shard, world)?;
    // One shard that cannot be reached, or one client, holds nothing else up; the first failure is told.
    let mut done = keys::first_keys(shard, world).await;
    for (kid, key) in keys::keys(shard)? {
        if key.status == KeyStatus::Compromised && !key.confirmed {
            done = done.and(spread_key(shard, world, &kid).await);
        }
    }
    for (client, row) in clients::clients(shard)? {
        if row.confirmed < row.generation {
            done = done.and(spread_client(shard, world, &client).await);
        }
    }
    done
}

/// Tells every shard of every epoch; answers where each has appended it. One that does not answer fails all.
async fn tell_all<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    command: Command,
) -> Result<Vec<(Place, u64)>, Failure> {
    let mut places = Vec::new();
    for (epoch, shards) in epochs(shard)? {
        places.extend((0..shards).map(|shard| Place { epoch, shard }));
    }
    let told = join_all(places.iter().map(|place| tell(world, *place, command.clone()))).await;
    places.iter().zip(told).map(|(place, seq)| seq.map(|seq| (*place, seq))).collect()
}

async fn tell<W: World>(world: &W, place: Place, command: Command) -> Result<u64, Failure> {
    match world.log().ask(place, &Ask::Run(Box::new(run_of(world, command)?))).await? {
        Reply::Granted(events) => {
            events.first().map(|event| event.seq).ok_or_else(|| Failure::lasting("telling a shard", "no event"))
        }
        _ => Err(Failure::lasting("telling a shard", "an answer that does not fit")),
    }
}

fn read_rows<T>(rows: &[(String, Vec<u8>)], pick: impl Fn(Key, Row) -> Option<T>) -> Result<Vec<T>, Failure> {
    let mut found = Vec::new();
    for (key, bytes) in rows {
        let (key, row) =
            Row::read(key, bytes).map_err(|malformed| Failure::lasting("reading the registry", malformed))?;
        found.extend(pick(key, row));
    }
    Ok(found)
}
