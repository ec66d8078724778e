//! The registry's own duties: opening the deployment, telling every shard, tending the keys.
//!
//! A change is appended here first, then told to every shard, each of which appends it; only when all
//! have is it confirmed, here, with the positions. What is left over is told again by the alarm.

use super::{Ask, Reply, RingEntry, RingReading, Run, Shard, Store, birth::beside};
use crate::{
    failure::Failure,
    jose,
    ports::{Keys, Log, Views, World},
};
use futures_util::future::join_all;
use grantlog_events::{
    ClientId, Command, Header, Kid, Place, Refusal, RequestId, Stored, Timestamp,
    command::{
        ActivateKey, ConfirmClientChange, ConfirmKeyCompromise, HearClient, HearKey, OpenEpoch, OpenLog, PublishKey,
        RecordBirth, RemoveKey,
    },
    key::{Algorithm, JWKS_LIFETIME, KeyStatus, SigningKey},
    state::{Key, RegisteredRow, Row},
    stored::Bytes,
};
use grantlog_projections::client::ClientView;

/// How long a key signs before the next one takes over, in milliseconds.
const ROTATION: u64 = 90 * 24 * 3600 * 1000;

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
    match shard.run(run, None, world.now())?.refusal {
        None => Ok(()),
        Some(refusal) => Err(Failure::lasting("keeping the registry", refusal.name())),
    }
}

/// Opens the deployment: this log, the configured epoch, each of its logs, the first keys. Idempotent.
pub(super) async fn open<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let config = world.config();
    if shard.head()?.next == 0 {
        let genesis = super::birth::genesis(shard, world).await?;
        // Two first requests may both come here; the second finds the log open.
        shard.run(&genesis, None, world.now())?;
    }
    if epoch_shards(shard, config.log_epoch)?.is_none() {
        run_here(shard, world, OpenEpoch { epoch: config.log_epoch, shards: config.log_shards })?;
    }
    for (epoch, shards) in epochs(shard)? {
        bear_logs(shard, world, epoch, shards).await?;
    }
    first_keys(shard, world).await
}

async fn bear_logs<W: World, S: Store>(shard: &Shard<S>, world: &W, epoch: u32, shards: u32) -> Result<(), Failure> {
    let born = shard.store().rows_under(&format!("born/{epoch}/"))?.len() as u64;
    if born == u64::from(shards) {
        return Ok(());
    }
    for number in 0..shards {
        let place = Place { epoch, shard: number };
        let origin = place.origin(&world.config().host);
        let command = OpenLog { place, verifier_key: super::birth::verifier_key(world, &origin)?, birth: [0; 32] };
        match world.log().ask(place, &Ask::Run(Box::new(run_of(world, command)?))).await? {
            Reply::Granted(_) | Reply::Refused(Refusal::LogAlreadyOpen) => {}
            _ => return Err(Failure::lasting("opening a log", "an answer that does not fit")),
        }
        let verifier_key = super::birth::verifier_key(world, &origin)?;
        run_here(shard, world, RecordBirth { origin, verifier_key })?;
    }
    Ok(())
}

/// Each algorithm has a key that signs and a spare that clients have seen.
async fn first_keys<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
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

fn secret_of_key(kid: &Kid) -> String {
    format!("key/{kid}")
}

/// Moves keys on that are due, and tells again what some shard has not confirmed.
pub(super) async fn tend<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    open(shard, world).await?;
    move_keys_on(shard, world)?;
    for (kid, key) in keys(shard)? {
        if key.status == KeyStatus::Compromised && !key.confirmed {
            spread_key(shard, world, &kid).await?;
        }
    }
    for (client, row) in clients(shard)? {
        if row.confirmed < row.generation {
            spread_client(shard, world, &client).await?;
        }
    }
    Ok(())
}

/// Takes each key to the state that is due. Done at every reading of the ring, so that rotation needs no
/// timer of its own.
pub(super) fn move_keys_on<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
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

/// Writes a client's view.
pub(super) async fn show_client<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    client: &ClientId,
) -> Result<(), Failure> {
    let Some(view) = client_view(shard, client)? else { return Ok(()) };
    world.views().put_client(client, &view.to_bytes()).await
}

/// Tells every shard of a client's last change, confirms it, and shows it.
pub(super) async fn spread_client<W: World, S: Store>(
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

/// Tells every shard that a key is compromised, and confirms it; a new spare is published first.
pub(super) async fn spread_key<W: World, S: Store>(shard: &Shard<S>, world: &W, kid: &Kid) -> Result<(), Failure> {
    first_keys(shard, world).await?;
    let Some((_, key)) = keys(shard)?.into_iter().find(|(held, _)| held == kid) else { return Ok(()) };
    if key.confirmed {
        return Ok(());
    }
    let command = HearKey { kid: kid.clone(), registry_seq: shard.head()?.next.saturating_sub(1) };
    let positions = tell_all(shard, world, Command::from(command)).await?;
    run_here(shard, world, ConfirmKeyCompromise { kid: kid.clone(), positions })
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

/// A client as it is registered, with what authenticates it.
pub(super) fn client_view<S: Store>(shard: &Shard<S>, client: &ClientId) -> Result<Option<ClientView>, Failure> {
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

/// Every key with its wrapped private half, and every epoch.
pub(super) fn ring<S: Store>(shard: &Shard<S>) -> Result<RingReading, Failure> {
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

fn registered<S: Store>(shard: &Shard<S>, client: &ClientId) -> Result<Option<RegisteredRow>, Failure> {
    Ok(clients_in(&shard.store().rows(&[Key::of_registered(client)])?)?.into_iter().next().map(|(_, row)| row))
}

fn clients<S: Store>(shard: &Shard<S>) -> Result<Vec<(ClientId, RegisteredRow)>, Failure> {
    clients_in(&shard.store().rows_under("registered/")?)
}

fn clients_in(rows: &[(String, Vec<u8>)]) -> Result<Vec<(ClientId, RegisteredRow)>, Failure> {
    read_rows(rows, |key, row| match row {
        Row::Registered(row) => ClientId::parse(key.name()).ok().map(|client| (client, row)),
        _ => None,
    })
}

fn keys<S: Store>(shard: &Shard<S>) -> Result<Vec<(Kid, SigningKey)>, Failure> {
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

fn epochs<S: Store>(shard: &Shard<S>) -> Result<Vec<(u32, u32)>, Failure> {
    read_rows(&shard.store().rows_under("epoch/")?, |key, row| match row {
        Row::Epoch(row) => key.name().parse().ok().map(|epoch| (epoch, row.shards)),
        _ => None,
    })
}

fn epoch_shards<S: Store>(shard: &Shard<S>, epoch: u32) -> Result<Option<u32>, Failure> {
    Ok(epochs(shard)?.into_iter().find(|(number, _)| *number == epoch).map(|(_, shards)| shards))
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
