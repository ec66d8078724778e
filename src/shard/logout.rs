//! Clients are told that a session ended (OIDC Back-Channel Logout 1.0): from the log, until they have taken it.
//!
//! Whom to tell is state, and what became of it is an event. How often a client was told in vain and when it is its
//! turn again stands beside the log; were it lost, it would be told at once. Nobody waits for it: it is done after
//! the answer, and else by the alarm.

use super::{Ask, Batch, Beside, Private, Query, Reply, Run, SecretWrite, Shard, Store, registry};
use crate::{
    failure::Failure,
    jose::{
        self,
        logout_token::{self, LogoutToken},
    },
    metrics::Metric,
    pairwise,
    ports::{Log, Outbound, World},
};
use futures_util::{StreamExt, stream};
use grantlog_events::{
    Body, ClientId, Event, Place, Seconds, Stored, Subject, Timestamp,
    command::SettleLogout,
    key::Algorithm,
    record,
    state::{Key, Row},
    token::Party,
};
use grantlog_projections::client::ClientView;
use std::pin::pin;

/// After how many seconds the next attempt follows the first, the second, …; the last one repeats.
const WAITS: [u64; 5] = [10, 60, 300, 900, 3_600];

/// How long it is tried.
const FOR: Seconds = Seconds(24 * 3_600);

/// How many clients are told at a time: as many connections as the runtime opens at once.
const AT_A_TIME: usize = 6;

/// How many are told between two readings of who is still to be told.
const AT_ONCE_READ: usize = 120;

record! {
    /// How often a client was told in vain, and when it is told again.
    #[derive(Default)]
    struct Attempts { 1 => made: u64, 2 => next: Timestamp }
}

/// A client that is still to be told.
struct Notice {
    key: String,
    subject: Subject,
    session: u64,
    client: ClientId,
    since: Timestamp,
    attempts: Attempts,
}

/// Whether clients are to be told of this event.
pub(super) fn is_to_be_told(event: &Event) -> bool {
    matches!(&event.body, Body::SessionEnded(ended) if !ended.notify.is_empty())
}

impl<S: Store> Shard<S> {
    /// When the next client is to be told; `None` if none is. After it woke a shard does not know, and says at once.
    pub fn next_client_to_tell(&self) -> Option<Timestamp> {
        self.notice_due.get()
    }

    pub(super) fn client_is_to_be_told(&self, now: Timestamp) {
        self.notice_due.set(Some(now));
    }
}

/// Tells some of the clients whose turn it is, and finds out when the next one's is. Not to be called again before
/// it is done. Fails only if the log does.
pub async fn tell_clients<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let is_due = |notice: &Notice| notice.attempts.next <= world.now();
    let due: Vec<Notice> = notices(shard)?.into_iter().filter(is_due).take(AT_ONCE_READ).collect();
    let attempts = stream::iter(&due).map(async |notice| (notice, tell(shard, world, notice).await));
    let mut told = pin!(attempts.buffer_unordered(AT_A_TIME));
    while let Some((notice, told)) = told.next().await {
        settle(shard, world, notice, told)?;
    }
    // Nothing is awaited between the reading and the noting, so that no event goes unnoticed.
    shard.notice_due.set(notices(shard)?.iter().map(|notice| notice.attempts.next).min());
    Ok(())
}

/// What came of an attempt.
#[derive(Clone, Copy)]
enum Told {
    Taken,
    NotYet,
    Never(&'static str),
}

async fn tell<W: World, S: Store>(shard: &Shard<S>, world: &W, notice: &Notice) -> Told {
    match try_to_tell(shard, world, notice).await {
        Ok(told) => told,
        Err(failure) => {
            world.note(&format!("{}: a client could not be told of a logout: {failure}", shard.origin()));
            Told::NotYet
        }
    }
}

async fn try_to_tell<W: World, S: Store>(shard: &Shard<S>, world: &W, notice: &Notice) -> Result<Told, Failure> {
    let Some(client) = client(world, &notice.client).await?.filter(|client| !client.deleted) else {
        return Ok(Told::Never("the client is deleted"));
    };
    let Some(uri) = &client.metadata.backchannel_logout_uri else {
        return Ok(Told::Never("the client has no backchannel_logout_uri any more"));
    };
    let ring = jose::ring::ring(world).await?;
    let sector = client.metadata.sector.as_deref();
    let token = LogoutToken {
        subject: pairwise::word_sub(world.config(), sector, &Party::Subject(notice.subject.clone())),
        audience: notice.client.clone(),
        sid: shard.origin().place().at(notice.session).dashed(),
    };
    let algorithm = client.metadata.id_token_alg.unwrap_or(Algorithm::Rs256);
    let token = logout_token::sign(world, &ring, algorithm, &token).await?;
    let status = world.outbound().post_form(uri, &format!("logout_token={token}")).await?;
    // Back-Channel Logout §2.8: some frameworks make a 204 of a 200 without content.
    Ok(if matches!(status, 200 | 204) { Told::Taken } else { Told::NotYet })
}

fn settle<W: World, S: Store>(shard: &Shard<S>, world: &W, notice: &Notice, told: Told) -> Result<(), Failure> {
    let made = notice.attempts.made + 1;
    let abandoned = match told {
        Told::Taken => None,
        Told::Never(reason) => Some(reason),
        Told::NotYet if world.now() >= notice.since.after(FOR) => Some("the client did not take it within a day"),
        Told::NotYet => return wait(shard, world, notice, made),
    };
    let command = SettleLogout {
        subject: notice.subject.clone(),
        session: notice.session,
        client: notice.client.clone(),
        attempts: made,
        abandoned: abandoned.map(str::to_owned),
    };
    // What stood beside the log goes in the same transaction.
    let forgotten = notice.attempts.made > 0;
    let secrets = forgotten.then(|| SecretWrite { name: name_of(&notice.key), value: None }).into_iter().collect();
    let run = Run { private: Some(Private { secrets, ..Private::default() }), ..registry::run_of(world, command)? };
    shard.run(&run, Beside::default(), world.now())?;
    world.count(if abandoned.is_some() { Metric::LogoutsAbandoned } else { Metric::LogoutsDelivered }, 1);
    Ok(())
}

fn wait<W: World, S: Store>(shard: &Shard<S>, world: &W, notice: &Notice, made: u64) -> Result<(), Failure> {
    let nth = usize::try_from(made).unwrap_or(usize::MAX).saturating_sub(1);
    let seconds = WAITS.get(nth).or(WAITS.last()).copied().unwrap_or_default();
    let attempts = Attempts { made, next: world.now().after(Seconds(seconds)) };
    let secrets = vec![(name_of(&notice.key), Some(attempts.to_bytes()))];
    shard.store().write(&Batch { secrets, ..Batch::default() }).map(|_| ())
}

/// Under which name the attempts stand beside the log.
fn name_of(key: &str) -> String {
    format!("attempts/{key}")
}

fn notices<S: Store>(shard: &Shard<S>) -> Result<Vec<Notice>, Failure> {
    let malformed = |what| Failure::lasting("reading whom to tell of a logout", what);
    let mut notices = Vec::new();
    for (key, bytes) in shard.store().rows_under(Key::NOTICES)? {
        let (read, row) = Row::read(&key, &bytes).map_err(malformed)?;
        let (Row::Notice(row), Some((subject, session, client))) = (row, parts(&read)) else { continue };
        let attempts = match shard.store().secret(&name_of(&key))? {
            Some(bytes) => Attempts::from_bytes(&bytes).map_err(malformed)?,
            None => Attempts::default(),
        };
        notices.push(Notice { key, subject, session, client, since: row.at, attempts });
    }
    Ok(notices)
}

/// Person, session and client in the key of a notice.
fn parts(key: &Key) -> Option<(Subject, u64, ClientId)> {
    let (rest, client) = key.name().rsplit_once('/')?;
    let (subject, session) = rest.rsplit_once('/')?;
    Some((Subject::parse(subject).ok()?, session.parse().ok()?, ClientId::parse(client).ok()?))
}

/// The client as the registry has it now.
async fn client<W: World>(world: &W, id: &ClientId) -> Result<Option<ClientView>, Failure> {
    match world.log().ask(Place::REGISTRY, &Ask::Read(Query::Client(id.clone()))).await? {
        Reply::Client(client) => Ok(client),
        _ => Err(Failure::passing("asking the registry for a client", "a reply that does not fit")),
    }
}
