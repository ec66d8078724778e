//! Clients: their view in KV, and the news of a change, which every shard must have before it counts.

use super::{read_rows, run_here, tell_all};
use crate::{
    failure::Failure,
    ports::{Views, World},
    shard::{
        Shard, Store,
        writing::{PATIENCE, PAUSE, TRIES, View},
    },
};
use grantlog_events::{
    ClientId, Command, Stored,
    command::{ConfirmClientChange, HearClient},
    state::{Key, RegisteredRow, Row},
};
use grantlog_projections::client::ClientView;

/// Writes a client's view, again if it changed meanwhile: the last write to land is of the last state. Tries for
/// two seconds, since KV takes one write of a key a second.
pub(in crate::shard) async fn show_client<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    client: &ClientId,
) -> Result<(), Failure> {
    let (begun, mut tries, mut shown) = (world.now(), 0, None);
    loop {
        let view = client_view(shard, client)?;
        if view == shown {
            return Ok(());
        }
        if let Some(view) = &view {
            let bytes = view.to_bytes();
            let write = world.views().put_client(client, &bytes);
            let written = shard.writing().within_patience(world, View::Client(client.clone()), write).await;
            if let Err(failure) = written {
                shard.writing().failed(View::Client(client.clone()), &failure, world.now());
                tries += 1;
                if !failure.retryable || tries >= TRIES || world.now().since(begun) >= PATIENCE {
                    return Err(failure);
                }
                world.pause(PAUSE).await;
                continue;
            }
        }
        shown = view;
    }
}

/// Tells every shard of a client's last change, confirms it, and shows it.
pub(in crate::shard) async fn spread_client<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    client: &ClientId,
) -> Result<(), Failure> {
    let Some(row) = registered(shard, client)? else { return Ok(()) };
    if row.confirmed < row.generation {
        let command = HearClient {
            client: client.clone(),
            generation: row.generation,
            registry_seq: row.changed,
            deleted: row.deleted,
            revoke_tokens: row.revoke_tokens,
        };
        let positions = tell_all(shard, world, Command::from(command)).await?;
        let confirm = ConfirmClientChange { client: client.clone(), generation: row.generation, positions };
        run_here(shard, world, confirm)?;
    }
    show_client(shard, world, client).await
}

/// A client as it is registered, with what authenticates it.
pub(in crate::shard) fn client_view<S: Store>(
    shard: &Shard<S>,
    client: &ClientId,
) -> Result<Option<ClientView>, Failure> {
    let Some(row) = registered(shard, client)? else { return Ok(None) };
    let hash = |name: String| -> Result<Option<[u8; 32]>, Failure> {
        Ok(shard.store().secret(&name)?.and_then(|hash| hash.try_into().ok()))
    };
    Ok(Some(ClientView {
        client: client.clone(),
        generation: row.generation,
        deleted: row.deleted,
        metadata: row.metadata,
        secret: hash(client_secret(client))?,
        registration_token: hash(registration_token(client))?,
        dead_through: row.dead_through,
        seq: row.changed,
        registered_at: row.registered_at,
    }))
}

/// Where the SHA-256 of a client's secret is kept.
#[must_use]
pub fn client_secret(client: &ClientId) -> String {
    format!("client-secret/{client}")
}

/// Where the SHA-256 of a client's registration access token is kept.
#[must_use]
pub fn registration_token(client: &ClientId) -> String {
    format!("registration-token/{client}")
}

fn registered<S: Store>(shard: &Shard<S>, client: &ClientId) -> Result<Option<RegisteredRow>, Failure> {
    Ok(clients_in(&shard.store().rows(&[Key::of_registered(client)])?)?.into_iter().next().map(|(_, row)| row))
}

pub(super) fn clients<S: Store>(shard: &Shard<S>) -> Result<Vec<(ClientId, RegisteredRow)>, Failure> {
    clients_in(&shard.store().rows_under("registered/")?)
}

fn clients_in(rows: &[(String, Vec<u8>)]) -> Result<Vec<(ClientId, RegisteredRow)>, Failure> {
    read_rows(rows, |key, row| match row {
        Row::Registered(row) => ClientId::parse(key.name()).ok().map(|client| (client, row)),
        _ => None,
    })
}
