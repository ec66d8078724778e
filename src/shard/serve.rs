//! A log's front door: what is fetched before the turn, the turn, and what must follow it.
//!
//! Key halves are fetched first, since nothing may be awaited between load and append. What an event
//! obliges to (the user's view, telling every shard) is done before the answer, as far as it can be in
//! two seconds; what could not be done is answered as unconfirmed and repeated by the alarm.

use super::{
    Ask, Beside, Query, Reply, Run, Shard, Store, birth, people, profile, projector, rebuild, refresh, registry,
};
use crate::{failure::Failure, metrics::Metric, ports::World};
use grantlog_events::{
    Command, Event, Subject,
    command::Inspect,
    stored::Bytes,
    token::{Party, Presented},
};

/// Answers one request to this log.
pub async fn serve<W: World, S: Store>(shard: &Shard<S>, world: &W, ask: Ask) -> Result<Reply, Failure> {
    match ask {
        Ask::Run(run) => serve_command(shard, world, *run).await,
        Ask::Read(query) => serve_query(shard, world, query).await,
        Ask::LookAfter => {
            is_open(shard)?;
            projector::follow_up(shard, world).await?;
            Ok(Reply::Granted(Vec::new()))
        }
    }
}

fn is_open<S: Store>(shard: &Shard<S>) -> Result<(), Failure> {
    if shard.head()?.next == 0 { Err(Failure::passing("asking a log", "it is not open")) } else { Ok(()) }
}

async fn serve_command<W: World, S: Store>(shard: &Shard<S>, world: &W, run: Run) -> Result<Reply, Failure> {
    let (run, key) = match &run.command {
        Command::OpenLog(_) => (birth::genesis(shard, world).await?, None),
        Command::CreateSubject(command) => profile::with_key(shard, world, command.subject.clone(), run).await?,
        Command::UpdateSubject(command) => profile::with_key(shard, world, command.subject.clone(), run).await?,
        Command::EraseSubject(command) => (profile::without_secrets(&command.subject.clone(), run), None),
        _ => (run, None),
    };
    // From here to the append nothing is awaited.
    let run = refresh::with_family_key(shard, world, run)?;
    let refresh_is_proven = refresh::is_proven(shard, world, &run)?;
    let done = shard.run(&run, Beside { key: key.as_ref(), refresh_is_proven }, world.now())?;
    if let Some(refusal) = done.refusal {
        world.count(Metric::Refused(refusal), 1);
        if done.unrecorded > 0 {
            world.count(Metric::RefusalsUnrecorded, done.unrecorded);
        }
        return Ok(Reply::Refused(refusal));
    }
    let begun = world.now();
    let confirmed = match oblige(shard, world, &run.command, &done.events).await {
        Ok(()) => {
            if takes_away(&run.command) {
                world.count(Metric::RevocationConfirmation, world.now().since(begun));
            }
            true
        }
        Err(failure) => {
            world.count(Metric::Unconfirmed, 1);
            world.note(&format!("{}: an event stands but is not confirmed in the views: {failure}", shard.origin()));
            false
        }
    };
    Ok(match (confirmed, refresh::borne_by(shard, world, &run.command, &done.events)?) {
        (false, _) => Reply::Unconfirmed(done.events),
        (true, Some(secret)) => Reply::Bearing(done.events, secret),
        (true, None) => Reply::Granted(done.events),
    })
}

/// Whether a command ends what somebody holds, so that it matters how soon the views show it.
fn takes_away(command: &Command) -> bool {
    matches!(
        command,
        Command::RevokeSubjectTokens(_)
            | Command::RevokeToken(_)
            | Command::RevokeIssued(_)
            | Command::RevokeGrant(_)
            | Command::RevokeRefresh(_)
            | Command::RevokeClientTokens(_)
            | Command::EndSession(_)
            | Command::WithdrawConsent(_)
            | Command::EraseSubject(_)
            | Command::DeleteClient(_)
            | Command::CompromiseKey(_)
    )
}

/// What the command's events oblige to before they may be called done. All of it can be repeated.
async fn oblige<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    command: &Command,
    events: &[Event],
) -> Result<(), Failure> {
    match command {
        Command::CreateSubject(_)
        | Command::UpdateSubject(_)
        | Command::RevokeSubjectTokens(_)
        | Command::RevokeToken(_)
        | Command::RevokeIssued(_)
        | Command::RevokeGrant(_)
        | Command::RevokeRefresh(_)
        | Command::EndSession(_)
        | Command::WithdrawConsent(_)
        | Command::VoidExchange(_) => confirm_subjects(shard, world, events).await,
        Command::EraseSubject(command) => {
            profile::destroy_archive_half(world, &command.subject).await?;
            confirm_subjects(shard, world, events).await
        }
        Command::RegisterClient(command) => registry::show_client(shard, world, &command.client).await,
        Command::UpdateClient(command) => registry::spread_client(shard, world, &command.client).await,
        Command::DeleteClient(command) => registry::spread_client(shard, world, &command.client).await,
        Command::RevokeClientTokens(command) => registry::spread_client(shard, world, &command.client).await,
        Command::CompromiseKey(command) => registry::spread_key(shard, world, &command.kid).await,
        Command::OpenLog(_)
        | Command::OpenEpoch(_)
        | Command::RecordBirth(_)
        | Command::ConfirmClientChange(_)
        | Command::PublishKey(_)
        | Command::ActivateKey(_)
        | Command::RemoveKey(_)
        | Command::ConfirmKeyCompromise(_)
        | Command::RecordQuery(_)
        | Command::HearClient(_)
        | Command::HearKey(_)
        | Command::ClaimName(_)
        | Command::ReleaseName(_)
        | Command::Issue(_)
        | Command::Exchange(_)
        | Command::Inspect(_)
        | Command::SpendAssertion(_)
        | Command::Authorize(_)
        | Command::RefuseLogin(_)
        | Command::SettleLogout(_)
        | Command::RedeemCode(_)
        | Command::Refresh(_)
        | Command::InspectRefresh(_) => Ok(()),
    }
}

async fn confirm_subjects<W: World, S: Store>(shard: &Shard<S>, world: &W, events: &[Event]) -> Result<(), Failure> {
    let mut subjects: Vec<&Subject> = events.iter().filter_map(|event| event.subject.as_ref()).collect();
    subjects.dedup();
    for subject in subjects {
        projector::show_user(shard, world, subject).await?;
    }
    Ok(())
}

async fn serve_query<W: World, S: Store>(shard: &Shard<S>, world: &W, query: Query) -> Result<Reply, Failure> {
    if query != Query::Ring {
        is_open(shard)?;
    }
    match query {
        Query::Events(from, limit) => {
            Ok(Reply::Events(shard.store().events_from(from, limit)?.into_iter().map(Bytes).collect()))
        }
        Query::Profile(subject) => profile::read(shard, world, &subject).await.map(Reply::Profile),
        Query::ProfileOfBearer(token) => profile_of_bearer(shard, world, token).await,
        Query::NameHolder(hash) => profile::holder_of(shard, &hash).map(Reply::NameHolder),
        Query::Client(client) => registry::client_view(shard, &client).map(Reply::Client),
        Query::Compare => rebuild::compare(shard, world).await.map(Reply::Compared),
        Query::Ring => {
            registry::open(shard, world).await?;
            registry::move_keys_on(shard, world)?;
            registry::ring(shard).map(Reply::Ring)
        }
        Query::Account(person) => people::account(shard, &person, world.now()),
        Query::Password(subject) => {
            Ok(Reply::Secret(shard.store().secret(&profile::password_secret(&subject))?.map(Bytes)))
        }
    }
}

async fn profile_of_bearer<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    token: Presented,
) -> Result<Reply, Failure> {
    let Party::Subject(subject) = token.party.clone() else { return Ok(Reply::Profile(None)) };
    let done = shard.run(&registry::run_of(world, Inspect { token })?, Beside::default(), world.now())?;
    match done.refusal {
        Some(refusal) => Ok(Reply::Refused(refusal)),
        None => profile::read(shard, world, &subject).await.map(Reply::Profile),
    }
}
