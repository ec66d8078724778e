//! Rebuild: every view of this log made anew beside the live one, and compared by hash.
//!
//! The shadow comes from the events (and, for what is sealed, the secrets) alone. The live views are
//! first brought up to date, so that a difference is a fault and not a delay.

use super::{
    ComparedView, Shard, Store, follow_up,
    projector::{live_revocations, user_view},
    registry,
};
use crate::{
    failure::Failure,
    ports::{Views, World},
};
use grantlog_events::{
    ClientId, Digest, Event, Stored, Subject,
    state::{Key, Row},
};
use grantlog_projections::{
    read_model::{Shadow, Table, digest},
    user::UserView,
};

/// How many events are read at a time.
const PAGE: u32 = 500;

/// Compares each view of this log with its shadow.
pub(super) async fn compare<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<Vec<ComparedView>, Failure> {
    follow_up(shard, world).await?;
    let mut compared = vec![users(shard, world).await?];
    if shard.origin().place().is_registry() {
        compared.push(clients(shard, world).await?);
    }
    let shadow = shadow(shard)?;
    for table in Table::ALL {
        let rows = shadow.rows(table);
        let live = world.views().read_model_rows(shard.origin().place(), table).await?;
        compared.push(ComparedView {
            view: format!("read_model.{}", table.name()),
            rows: rows.len() as u64,
            shadow: digest(&rows),
            live: digest(&live),
        });
    }
    Ok(compared)
}

fn shadow<S: Store>(shard: &Shard<S>) -> Result<Shadow, Failure> {
    let mut shadow = Shadow::default();
    let mut from = 0;
    loop {
        let page = shard.store().events_from(from, PAGE)?;
        if page.is_empty() {
            return Ok(shadow);
        }
        from += page.len() as u64;
        for bytes in page {
            let event =
                Event::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading an event", malformed))?;
            shadow.take(&event);
        }
    }
}

async fn users<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<ComparedView, Failure> {
    let mut sides = Sides::default();
    for (key, bytes) in shard.store().rows_under("subject/")? {
        let (key, _) = Row::read(&key, &bytes).map_err(|malformed| Failure::lasting("reading a subject", malformed))?;
        let subject =
            Subject::parse(key.name()).map_err(|malformed| Failure::lasting("reading a subject", malformed))?;
        let gone = no_longer_relevant(shard, world, &subject)?;
        let (_, shadow) = user_view(shard, world, &subject).await?;
        let live = match world.views().user(&subject).await? {
            Some(bytes) => {
                Some(UserView::from_bytes(&bytes).map_err(|malformed| Failure::lasting("reading a view", malformed))?)
            }
            None => None,
        };
        let comparable = |view: Option<UserView>| view.map(|view| view.comparable(&gone).to_bytes());
        sides.add(&key, comparable(shadow), comparable(live));
    }
    Ok(sides.compared("users"))
}

fn no_longer_relevant<W: World, S: Store>(shard: &Shard<S>, world: &W, subject: &Subject) -> Result<Vec<u64>, Failure> {
    let now = world.now();
    let past = live_revocations(shard, subject)?.into_iter().filter(|revoked| revoked.until <= now);
    Ok(past.map(|revoked| revoked.target).collect())
}

async fn clients<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<ComparedView, Failure> {
    let mut sides = Sides::default();
    for (key, bytes) in shard.store().rows_under("registered/")? {
        let (key, _) = Row::read(&key, &bytes).map_err(|malformed| Failure::lasting("reading a client", malformed))?;
        let client =
            ClientId::parse(key.name()).map_err(|malformed| Failure::lasting("reading a client", malformed))?;
        let shadow = registry::client_view(shard, &client)?.map(|view| view.to_bytes());
        sides.add(&key, shadow, world.views().client(&client).await?);
    }
    Ok(sides.compared("clients"))
}

/// Two sides of a comparison, each as the bytes that are hashed in the end.
#[derive(Default)]
struct Sides {
    rows: u64,
    shadow: Vec<u8>,
    live: Vec<u8>,
}

impl Sides {
    fn add(&mut self, key: &Key, shadow: Option<Vec<u8>>, live: Option<Vec<u8>>) {
        self.rows += u64::from(shadow.is_some());
        for (side, value) in [(&mut self.shadow, shadow), (&mut self.live, live)] {
            side.extend(Digest::of(key.as_str().as_bytes()).0);
            side.extend(value.map_or([0; 32], |value| Digest::of(&value).0));
        }
    }

    fn compared(self, view: &str) -> ComparedView {
        ComparedView {
            view: view.to_owned(),
            rows: self.rows,
            shadow: Digest::of(&self.shadow),
            live: Digest::of(&self.live),
        }
    }
}
