//! Clients are told that a session ended (OIDC Back-Channel Logout 1.0): from the log, until they have taken it.
//!
//! Whom to tell is state; each attempt has a fresh logout token. When the next is due, and how many there
//! were, stands beside the log and may be lost: then it is tried again at once. What became of it is an event.

use super::{Ask, Batch, Beside, Query, Reply, Shard, Store, registry};
use crate::{
    failure::Failure,
    jose::{
        self,
        logout_token::{self, LogoutToken},
    },
    pairwise,
    ports::{Log, Outbound, World},
};
use futures_util::future::join_all;
use grantlog_events::{
    ClientId, Place, Seconds, Stored, Subject, Timestamp,
    command::SettleLogout,
    key::Algorithm,
    record,
    state::{Key, Row},
    token::Party,
};
use grantlog_projections::client::ClientView;

/// After how many seconds the next attempt follows; the last one repeats.
const WAITS: [u64; 6] = [0, 10, 60, 300, 900, 3_600];

/// How long it is tried.
const FOR: Seconds = Seconds(24 * 3_600);

/// How many clients are told at a time.
const AT_A_TIME: usize = 20;

record! {
    /// How often a client was told in vain, and when it is told again.
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

/// Tells those whose turn it is. Fails only if the log does; that somebody waits is remembered by the shard.
pub(super) async fn deliver<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<(), Failure> {
    let notices = notices(shard)?;
    shard.waits.set(!notices.is_empty());
    let due: Vec<Notice> = notices.into_iter().filter(|notice| notice.attempts.next <= world.now()).collect();
    for some in due.chunks(AT_A_TIME) {
        let told = join_all(some.iter().map(|notice| tell(shard, world, notice))).await;
        for (notice, told) in some.iter().zip(told) {
            settle(shard, world, notice, told)?;
        }
    }
    shard.waits.set(!self::notices(shard)?.is_empty());
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
    let done = shard.run(&registry::run_of(world, command)?, Beside::default(), world.now())?;
    debug_assert!(done.refusal.is_none(), "settling is never refused");
    remember(shard, notice, None)
}

fn wait<W: World, S: Store>(shard: &Shard<S>, world: &W, notice: &Notice, made: u64) -> Result<(), Failure> {
    let wait = usize::try_from(made).ok().and_then(|made| WAITS.get(made)).or(WAITS.last()).copied().unwrap_or(3_600);
    let next = world.now().after(Seconds(wait));
    remember(shard, notice, Some(Attempts { made, next }))
}

fn remember<S: Store>(shard: &Shard<S>, notice: &Notice, attempts: Option<Attempts>) -> Result<(), Failure> {
    let secrets = vec![(secret_of(&notice.key), attempts.map(|attempts| attempts.to_bytes()))];
    shard.store().write(&Batch { secrets, ..Batch::default() }).map(|_| ())
}

fn secret_of(key: &str) -> String {
    format!("attempts/{key}")
}

fn notices<S: Store>(shard: &Shard<S>) -> Result<Vec<Notice>, Failure> {
    let malformed = |what| Failure::lasting("reading whom to tell of a logout", what);
    let mut notices = Vec::new();
    for (key, bytes) in shard.store().rows_under(Key::NOTICES)? {
        let (read, row) = Row::read(&key, &bytes).map_err(malformed)?;
        let (Row::Notice(row), Some((subject, session, client))) = (row, parts(&read)) else { continue };
        let attempts = match shard.store().secret(&secret_of(&key))? {
            Some(bytes) => Attempts::from_bytes(&bytes).map_err(malformed)?,
            None => Attempts { made: 0, next: Timestamp(0) },
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
