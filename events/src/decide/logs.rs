//! Epochs and logs: a log is born only by configuration, once.

use super::Decision;
use crate::{
    Body, Command, Draft, Place, Refusal, State,
    body::{EpochOpened, LogBorn, LogOpened},
    command::{OpenEpoch, OpenLog, RecordBirth},
};

/// Nothing is decided in a log that was never born.
pub(super) fn is_open(state: &State, command: &Command) -> Result<(), Refusal> {
    if matches!(command, Command::OpenLog(_)) || state.log().is_some() { Ok(()) } else { Err(Refusal::LogNotOpen) }
}

pub(super) fn open_log(state: &State, command: &OpenLog) -> Result<Decision, Refusal> {
    if state.head.next > 0 {
        return Err(Refusal::LogAlreadyOpen);
    }
    let body = LogOpened { place: command.place, verifier_key: command.verifier_key.clone(), birth: command.birth };
    Ok(Decision::grant(Draft::of(Body::LogOpened(body))))
}

/// Epoch 0 is the registry's own and was never closed.
pub(super) fn open_epoch(state: &State, command: &OpenEpoch) -> Result<Decision, Refusal> {
    if command.epoch == Place::REGISTRY.epoch || state.epoch(command.epoch).is_some() {
        return Err(Refusal::EpochAlreadyOpen);
    }
    let body = EpochOpened { epoch: command.epoch, shards: command.shards };
    Ok(Decision::grant(Draft::of(Body::EpochOpened(body))))
}

pub(super) fn record_birth(state: &State, command: &RecordBirth) -> Result<Decision, Refusal> {
    let epoch = state.epoch(command.origin.place().epoch).ok_or(Refusal::EpochNotOpen)?;
    if command.origin.place().shard >= epoch.shards {
        return Err(Refusal::EpochNotOpen);
    }
    if state.born(command.origin.place()).is_some() {
        return Ok(Decision::nothing_to_do());
    }
    let body = LogBorn { origin: command.origin.clone(), verifier_key: command.verifier_key.clone() };
    Ok(Decision::grant(Draft::of(Body::LogBorn(body))))
}
