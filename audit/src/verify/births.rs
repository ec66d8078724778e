//! Omission shows: the registry's log names every log of every epoch, and the export has them all (19).

use super::log::Pass;
use crate::exit::{Exit, Failure};
use grantlog_events::{
    Place, State,
    state::{BornRow, Row},
};

pub(super) fn all_logs_are_here(pass: &Pass) -> Result<(), Failure> {
    let Some(registry) = &pass.registry else {
        return Err(missing("The registry's log is missing, so no log can be shown to be there.".to_owned()));
    };
    for born in births(registry) {
        if !pass.logs.iter().any(|log| log.origin == born.origin) {
            return Err(missing(format!("The log {} was born, but the export lacks it.", born.origin)));
        }
    }
    for (epoch, shards) in epochs(registry) {
        if let Some(place) =
            (0..shards).map(|shard| Place { epoch, shard }).find(|place| registry.born(*place).is_none())
        {
            return Err(missing(format!(
                "Epoch {epoch} has {shards} logs, but no birth of {}-{} is recorded.",
                place.epoch, place.shard
            )));
        }
    }
    let registered = |place: Place| place.is_registry() || registry.born(place).is_some();
    match pass.logs.iter().find(|log| !registered(log.origin.place())) {
        Some(log) => Err(missing(format!("The log {} is here, but the registry records no birth of it.", log.origin))),
        None => Ok(()),
    }
}

fn births(registry: &State) -> impl Iterator<Item = &BornRow> {
    registry.rows().filter_map(|(_, row)| if let Row::Born(born) = row { Some(born) } else { None })
}

fn epochs(registry: &State) -> impl Iterator<Item = (u32, u32)> {
    registry.rows().filter_map(|(key, row)| match row {
        Row::Epoch(epoch) => key.name().parse().ok().map(|number| (number, epoch.shards)),
        _ => None,
    })
}

fn missing(sentence: String) -> Failure {
    Failure::new(Exit::ManifestBroken, sentence)
}
