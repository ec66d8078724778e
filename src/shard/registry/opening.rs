//! Opening: the registry's own log, the configured epoch, each of its logs, the first keys. Once, and
//! safe to repeat: every step finds what an earlier try did.

use super::{first_keys, has_keys, read_rows, refuse_nothing, run_here, run_of};
use crate::{
    failure::Failure,
    ports::{Log, World},
    shard::{Ask, Reply, Shard, Store, birth},
};
use grantlog_events::{
    Place, Refusal,
    command::{OpenEpoch, OpenLog, RecordBirth},
    state::Row,
};

/// Opens the deployment unless it is open. One request does it; others that come meanwhile wait for it.
pub(in crate::shard) async fn open<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    if is_open(shard, world)? {
        return Ok(());
    }
    shard.opening.take(world, "opening the deployment", async || do_open(shard, world).await).await
}

fn is_open<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<bool, Failure> {
    let mut born = true;
    for (epoch, shards) in epochs(shard)? {
        born &= are_born(shard, epoch, shards)?;
    }
    Ok(born && epoch_shards(shard, world.config().log_epoch)?.is_some() && has_keys(shard)?)
}

async fn do_open<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let config = world.config();
    if shard.head()?.next == 0 {
        refuse_nothing(shard, world, &birth::genesis(shard, world).await?)?;
    }
    if epoch_shards(shard, config.log_epoch)?.is_none() {
        run_here(shard, world, OpenEpoch { epoch: config.log_epoch, shards: config.log_shards })?;
    }
    for (epoch, shards) in epochs(shard)? {
        bear_logs(shard, world, epoch, shards).await?;
    }
    first_keys(shard, world).await
}

fn are_born<S: Store>(shard: &Shard<S>, epoch: u32, shards: u32) -> Result<bool, Failure> {
    Ok(shard.store().rows_under(&format!("born/{epoch}/"))?.len() as u64 == u64::from(shards))
}

async fn bear_logs<W: World, S: Store>(shard: &Shard<S>, world: &W, epoch: u32, shards: u32) -> Result<(), Failure> {
    if are_born(shard, epoch, shards)? {
        return Ok(());
    }
    for number in 0..shards {
        let place = Place { epoch, shard: number };
        let origin = place.origin(&world.config().host);
        let command = OpenLog { place, verifier_key: birth::verifier_key(world, &origin)?, birth: [0; 32] };
        match world.log().ask(place, &Ask::Run(Box::new(run_of(world, command)?))).await? {
            Reply::Granted(_) | Reply::Refused(Refusal::LogAlreadyOpen) => {}
            _ => return Err(Failure::lasting("opening a log", "an answer that does not fit")),
        }
        let verifier_key = birth::verifier_key(world, &origin)?;
        run_here(shard, world, RecordBirth { origin, verifier_key })?;
    }
    Ok(())
}

pub(super) fn epochs<S: Store>(shard: &Shard<S>) -> Result<Vec<(u32, u32)>, Failure> {
    read_rows(&shard.store().rows_under("epoch/")?, |key, row| match row {
        Row::Epoch(row) => key.name().parse().ok().map(|epoch| (epoch, row.shards)),
        _ => None,
    })
}

fn epoch_shards<S: Store>(shard: &Shard<S>, epoch: u32) -> Result<Option<u32>, Failure> {
    Ok(epochs(shard)?.into_iter().find(|(number, _)| *number == epoch).map(|(_, shards)| shards))
}
