//! What the registry tells a shard: appended here, and in force from its place in this log.

use super::Decision;
use crate::{
    Body, Draft, State,
    body::{ClientChanged, KeyDistrusted},
    command::{HearClient, HearKey},
};

/// A change heard before, or overtaken by a later one, is not appended again.
pub(super) fn client(state: &State, command: &HearClient) -> Decision {
    match state.client(&command.client) {
        Some(row) if row.generation >= command.generation => Decision::stands(row.heard),
        _ => {
            let body = ClientChanged {
                generation: command.generation,
                registry_seq: command.registry_seq,
                deleted: command.deleted,
                revoke_tokens: command.revoke_tokens,
            };
            Decision::grant(Draft::of(Body::ClientChanged(body)).of_client(command.client.clone()))
        }
    }
}

pub(super) fn key(state: &State, command: &HearKey) -> Decision {
    if let Some(row) = state.distrusted(&command.kid) {
        return Decision::stands(row.heard);
    }
    let body = KeyDistrusted { kid: command.kid.clone(), registry_seq: command.registry_seq };
    Decision::grant(Draft::of(Body::KeyDistrusted(body)))
}
