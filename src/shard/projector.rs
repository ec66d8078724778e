//! The projector: from this log to KV and the read model, by position, again if it must.
//!
//! The log row is the outbox. A user's view is written by this home shard alone, one write at a time,
//! always from the state as it stands, so that an older view never lands on a newer one. The read
//! model moves only over contiguous events; its position and its rows are one transaction, and the
//! ceiling is the last row actually read.

use super::{
    Shard, Store, profile, read_model_sql, registry,
    writing::{PATIENCE, PAUSE, TRIES, View},
};
use crate::{
    failure::Failure,
    metrics::Metric,
    ports::{Views, World},
};
use grantlog_events::{
    Body, ClientId, Event, Stored, Subject,
    state::{Key, Row, Standing},
    stored::Bytes,
};
use grantlog_projections::{
    claims,
    user::{LiveRevocation, UserView, pack},
};
use std::collections::BTreeSet;

/// How many events are read for one batch of the read model.
const PAGE: u32 = 500;

/// Brings the user's view up to the end of this log, waiting up to two seconds.
pub(super) async fn show_user<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    subject: &Subject,
) -> Result<(), Failure> {
    let wanted = shard.head()?.next;
    let begun = world.now();
    let mut last = Failure::passing("writing a user's view", "another write is under way");
    for _ in 0..TRIES {
        if shard.writing().has_shown(subject, wanted) {
            return Ok(());
        }
        if shard.writing().begin(subject, world.now()) {
            let write = write_user(shard, world, subject);
            let written = shard.writing().within_patience(world, View::User(subject.clone()), write).await;
            shard.writing().end(subject, written.as_ref().ok().copied());
            match written {
                // A later view may have landed before this one, whose writer was thought lost: write again.
                Ok(next) if shard.writing().has_shown(subject, next + 1) => continue,
                Ok(_) => return Ok(()),
                Err(failure) if !failure.retryable => return Err(failure),
                Err(failure) => last = failure,
            }
        }
        if world.now().since(begun) >= PATIENCE {
            break;
        }
        world.pause(PAUSE).await;
    }
    Err(last)
}

/// Writes the view as the state stands; answers with the log's length then.
async fn write_user<W: World, S: Store>(shard: &Shard<S>, world: &W, subject: &Subject) -> Result<u64, Failure> {
    let (next, view) = user_view(shard, world, subject).await?;
    let bytes = view.map(|view| view.to_bytes());
    let written = world.views().put_user(subject, bytes.as_deref()).await;
    written.inspect_err(|failure| shard.writing().failed(View::User(subject.clone()), failure, world.now()))?;
    Ok(next)
}

/// The user's view as the log and the secrets give it now, and the log's length. No view of the erased.
pub(super) async fn user_view<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    subject: &Subject,
) -> Result<(u64, Option<UserView>), Failure> {
    loop {
        let before = profile::row(shard, subject)?;
        let attributes = profile::read(shard, world, subject).await?;
        // From here on nothing is awaited. Attributes that were overtaken while they were opened are read again.
        let row = profile::row(shard, subject)?;
        if row.as_ref().map(|row| row.profile) != before.map(|row| row.profile) {
            continue;
        }
        let next = shard.head()?.next;
        let view = match (row, attributes) {
            (Some(row), Some(attributes)) if row.standing != Standing::Erased => Some(UserView {
                seq: next.saturating_sub(1),
                standing: row.standing,
                dead_through: row.dead_through,
                revoked: Bytes(pack(live_revocations(shard, subject)?, row.dead_through, world.now())),
                claims: claims::by_scope(&attributes.attributes.0)
                    .map_err(|what| Failure::lasting("reading attributes", what))?,
            }),
            _ => None,
        };
        return Ok((next, view));
    }
}

pub(super) fn live_revocations<S: Store>(shard: &Shard<S>, subject: &Subject) -> Result<Vec<LiveRevocation>, Failure> {
    let mut found = Vec::new();
    for (key, bytes) in shard.store().rows_under(&Key::revocations_of(subject))? {
        let read = Row::read(&key, &bytes).map_err(|malformed| Failure::lasting("reading a revocation", malformed))?;
        if let (key, Row::Revoked(row)) = read
            && let Some(target) = key.position()
        {
            found.push(LiveRevocation { target, until: row.until });
        }
    }
    Ok(found)
}

/// Does what is still owed to the views. Every part can be repeated; the alarm calls it until it succeeds.
pub async fn follow_up<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    if shard.head()?.next == 0 {
        return Ok(());
    }
    // One at a time: two that read the same position would look like a gap to the read model.
    let work = async || {
        // What is appended while this runs owes anew.
        shard.settled();
        settle(shard, world).await.inspect_err(|_| shard.owe())
    };
    shard.following.take(world, "bringing the views up to date", work).await
}

async fn settle<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let tended = if shard.origin().place().is_registry() { registry::tend(shard, world).await } else { Ok(()) };
    write_again(shard, world).await?;
    while project_page(shard, world).await? {}
    tended?;
    world.count(Metric::ProjectorSucceeded, world.now().0);
    Ok(())
}

/// Writes every view again on which a write that was given up may have landed. Until none can land any more
/// the projector stays where it is, so that one who takes up from there writes them again too.
async fn write_again<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let mut may_land = false;
    for (view, at) in shard.writing().given_up() {
        match &view {
            View::User(subject) => {
                shard.writing().doubt(subject);
                show_user(shard, world, subject).await?;
            }
            View::Client(client) => registry::show_client(shard, world, client).await?,
        }
        may_land |= !shard.writing().written_again(&view, at, world.now());
    }
    if may_land { Err(may_still_land()) } else { Ok(()) }
}

fn may_still_land() -> Failure {
    Failure::passing("bringing the views up to date", "a write that was given up may still land")
}

/// Projects the next page; answers whether there may be more.
async fn project_page<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<bool, Failure> {
    let place = shard.origin().place();
    let from = world.views().read_model_position(place).await?.map_or(0, |seq| seq + 1);
    world.count(Metric::ProjectorLag, shard.head()?.next.saturating_sub(from));
    let mut events = Vec::new();
    for bytes in shard.store().events_from(from, PAGE)? {
        events.push(Event::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading an event", malformed))?);
    }
    let Some(last) = events.last().map(|event| event.seq) else { return Ok(false) };
    let projected = || events.iter().filter(|event| super::append::is_projected(event));
    if place.is_registry() {
        let changed: BTreeSet<&ClientId> = projected().filter_map(|event| event.client.as_ref()).collect();
        for client in changed {
            registry::show_client(shard, world, client).await?;
        }
    }
    for erased in events.iter().filter(|event| matches!(event.body, Body::SubjectErased(_))) {
        if let Some(subject) = &erased.subject {
            profile::destroy_archive_half(world, subject).await?;
        }
    }
    // A login grant has a row, and nothing of it is in the user's view.
    let shown = projected().filter(|event| !matches!(event.body, Body::CodeRedeemed(_)));
    let changed: BTreeSet<&Subject> = shown.filter_map(|event| event.subject.as_ref()).collect();
    for subject in changed {
        if !shard.writing().has_shown(subject, last + 1) {
            show_user(shard, world, subject).await?;
        }
    }
    if !shard.writing().given_up().is_empty() {
        return Err(may_still_land());
    }
    world.views().write_read_model(&read_model_sql::batch(place, from, &events)).await?;
    Ok(events.len() as u64 == u64::from(PAGE))
}
