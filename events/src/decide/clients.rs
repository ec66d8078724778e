//! Clients in the registry. Each change is a new generation, which every shard must hear of.

use super::Decision;
use crate::{
    Body, ClientId, Draft, Refusal, State,
    body::{ClientChangeConfirmed, ClientDeleted, ClientRegistered, ClientTokensRevoked, ClientUpdated},
    command::{ConfirmClientChange, DeleteClient, RegisterClient, RevokeClientTokens, UpdateClient},
    state::RegisteredRow,
};

pub(super) fn register(state: &State, command: &RegisterClient) -> Result<Decision, Refusal> {
    if state.registered(&command.client).is_some() {
        return Err(Refusal::ClientExists);
    }
    let body = ClientRegistered { metadata: command.metadata.clone() };
    Ok(of(&command.client, Body::ClientRegistered(body)))
}

/// Narrowing is the client's own affair; widening needs an operator.
pub(super) fn update(state: &State, command: &UpdateClient) -> Result<Decision, Refusal> {
    let row = living(state, &command.client)?;
    if command.metadata.widens(&row.metadata) && !command.may_widen {
        return Err(Refusal::ChangeWidensRights);
    }
    let body = ClientUpdated {
        generation: row.generation.saturating_add(1),
        metadata: command.metadata.clone(),
        secret_replaced: command.secret_replaced,
    };
    Ok(of(&command.client, Body::ClientUpdated(body)))
}

/// Deleting twice is deleting once: the shards are told again.
pub(super) fn delete(state: &State, command: &DeleteClient) -> Result<Decision, Refusal> {
    let row = state.registered(&command.client).ok_or(Refusal::ClientUnknown)?;
    if row.deleted {
        return Ok(Decision::stands(row.changed));
    }
    Ok(of(&command.client, Body::ClientDeleted(ClientDeleted { generation: row.generation.saturating_add(1) })))
}

pub(super) fn revoke_tokens(state: &State, command: &RevokeClientTokens) -> Result<Decision, Refusal> {
    let row = living(state, &command.client)?;
    let body = ClientTokensRevoked { generation: row.generation.saturating_add(1), reason: command.reason.clone() };
    Ok(of(&command.client, Body::ClientTokensRevoked(body)))
}

/// A later change makes the confirmation of an earlier one moot.
pub(super) fn confirm(state: &State, command: &ConfirmClientChange) -> Result<Decision, Refusal> {
    let row = state.registered(&command.client).ok_or(Refusal::ClientUnknown)?;
    if row.generation != command.generation || row.confirmed >= command.generation {
        return Ok(Decision::nothing_to_do());
    }
    let body = ClientChangeConfirmed { generation: command.generation, positions: command.positions.clone() };
    Ok(of(&command.client, Body::ClientChangeConfirmed(body)))
}

fn living<'a>(state: &'a State, client: &ClientId) -> Result<&'a RegisteredRow, Refusal> {
    state.registered(client).filter(|row| !row.deleted).ok_or(Refusal::ClientUnknown)
}

fn of(client: &ClientId, body: Body) -> Decision {
    Decision::grant(Draft::of(body).of_client(client.clone()))
}
