//! The account page as a person sees it, and the sealed value that its forms bring back.

use super::super::{
    Response, Stop,
    authorize::{cookie::BrowserSession, name_of},
    client,
    page::{self, Visit},
};
use crate::{
    pages::{Account, AccountChange, Application, Session, form},
    ports::World,
    sealed::{self, Purpose},
    shard::{AccountReading, ApplicationReading},
};
use futures_util::future::join_all;
use grantlog_events::{Seconds, Timestamp, record};

/// How long the page may stay open before its forms are no longer taken.
const GOOD_FOR: Seconds = Seconds(1_800);

record! {
    /// What the page's forms carry: the session that it was shown in. Only a browser that holds it can have seen
    /// the page, or send its forms (CSRF).
    struct Shown { 1 => until: Timestamp, 2 => sid: String }
}

/// Whether a form is of a page that was shown in this session, not too long ago.
pub(super) fn is_good<W: World>(world: &W, session: &BrowserSession, challenge: Option<&str>) -> bool {
    let shown: Option<Shown> = challenge.and_then(|text| sealed::open(world.config(), Purpose::Account, b"", text));
    shown.is_some_and(|shown| world.now() < shown.until && shown.sid == session.address().dashed())
}

/// The page. Names of clients are read in parallel, where they are not remembered.
pub(super) async fn page<W: World>(
    visit: Visit<'_, W>,
    session: &BrowserSession,
    account: &AccountReading,
    person: &str,
    done: Option<&str>,
) -> Result<Response, Stop> {
    let world = visit.world;
    let shown = Shown { until: world.now().after(GOOD_FOR), sid: session.address().dashed() };
    let challenge = sealed::seal(world, Purpose::Account, b"", &shown)?;
    let names = join_all(account.applications.iter().map(|held| name_of_client(world, held))).await;
    let names: Vec<String> = names.into_iter().collect::<Result<_, Stop>>()?;
    let targets: Vec<String> = account.sessions.iter().map(|held| session.place.at(held.session).dashed()).collect();
    let sessions: Vec<Session<'_>> = account
        .sessions
        .iter()
        .zip(&targets)
        .map(|(held, target)| Session {
            target,
            started: held.started,
            last_used: held.last_used,
            current: held.session == session.seq,
        })
        .collect();
    let scopes: Vec<Vec<&str>> = account.applications.iter().map(|held| held.scope.tokens().collect()).collect();
    let applications: Vec<Application<'_>> = account
        .applications
        .iter()
        .zip(names.iter().zip(&scopes))
        .map(|(held, (name, scopes))| Application {
            target: held.client.as_str(),
            client_name: name,
            scopes,
            resources: &[],
            since: held.since,
        })
        .collect();
    let done = match done {
        Some(form::END_SESSION) => Some(AccountChange::SessionEnded),
        Some(form::WITHDRAW) => Some(AccountChange::Withdrawn),
        _ => None,
    };
    let account = Account { person, challenge: &challenge, done, sessions: &sessions, applications: &applications };
    Ok(page::respond(account.page(visit.language(None))))
}

/// What a client is called; one that is gone keeps only its id.
async fn name_of_client<W: World>(world: &W, held: &ApplicationReading) -> Result<String, Stop> {
    let view = client::view(world, &held.client).await?;
    Ok(view.map_or_else(|| held.client.to_string(), |view| name_of(&view).to_owned()))
}
