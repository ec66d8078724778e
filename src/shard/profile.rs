//! A person's attributes at home: sealed in the log, opened only here, destroyed with either half key.

use super::{ProfileReading, Run, Shard, Store, SubjectKey, birth::beside, load::secret_of_name};
use crate::{
    failure::Failure,
    ports::{Archive, World},
};
use grantlog_events::{
    Subject,
    state::{Key, Row, Standing, SubjectRow},
    stored::Bytes,
};

/// Where a subject's half of the key is kept, here and in the archive.
fn half_of(subject: &Subject) -> String {
    format!("half/{subject}")
}

/// Where a subject's password verifier is kept.
#[must_use]
pub fn password_secret(subject: &Subject) -> String {
    format!("password/{subject}")
}

/// Fetches or makes both halves, so that the command can seal in its turn.
pub(super) async fn with_key<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    subject: Subject,
    run: Run,
) -> Result<(Run, Option<SubjectKey>), Failure> {
    let name = half_of(&subject);
    let (home, run) = if let Some(half) = shard.store().secret(&name)? {
        (half, run)
    } else {
        let half = world.random()?.to_vec();
        (half.clone(), beside(run, name.clone(), Some(half)))
    };
    world.archive().create(&name, &world.random()?).await?;
    let archive =
        world.archive().read(&name).await?.ok_or_else(|| Failure::passing("reading a half key", "it is gone"))?;
    Ok((run, Some(SubjectKey::of(&subject, &home, &archive)?)))
}

/// The erasing command destroys this shard's half and the password verifier in its own transaction.
pub(super) fn without_secrets(subject: &Subject, run: Run) -> Run {
    beside(beside(run, half_of(subject), None), password_secret(subject), None)
}

pub(super) async fn destroy_archive_half<W: World>(world: &W, subject: &Subject) -> Result<(), Failure> {
    world.archive().delete(&half_of(subject)).await
}

/// A subject's row of state.
pub(super) fn row<S: Store>(shard: &Shard<S>, subject: &Subject) -> Result<Option<SubjectRow>, Failure> {
    let found = shard.store().rows(&[Key::of_subject(subject)])?;
    let Some((key, bytes)) = found.first() else { return Ok(None) };
    match Row::read(key, bytes).map_err(|malformed| Failure::lasting("reading a subject", malformed))? {
        (_, Row::Subject(row)) => Ok(Some(row)),
        _ => Err(Failure::lasting("reading a subject", "another kind of row")),
    }
}

/// A person's attributes in clear; an erased person has none.
pub(super) async fn read<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    subject: &Subject,
) -> Result<Option<ProfileReading>, Failure> {
    let Some(row) = row(shard, subject)? else { return Ok(None) };
    let changed_at = shard.event(row.changed)?.occurred_at;
    let (attributes, created_at) = match row.standing {
        Standing::Erased => (Vec::new(), changed_at),
        Standing::Active | Standing::Suspended => open(shard, world, subject, &row).await?,
    };
    Ok(Some(ProfileReading {
        standing: row.standing,
        auditor: row.auditor,
        attributes: Bytes(attributes),
        created_at,
        changed_at,
        changed: row.changed,
    }))
}

async fn open<W: World, S: Store>(
    shard: &Shard<S>,
    world: &W,
    subject: &Subject,
    row: &SubjectRow,
) -> Result<(Vec<u8>, grantlog_events::Timestamp), Failure> {
    let gone = || Failure::passing("reading a half key", "it is gone");
    let name = half_of(subject);
    let home = shard.store().secret(&name)?.ok_or_else(gone)?;
    let archive = world.archive().read(&name).await?.ok_or_else(gone)?;
    let key = SubjectKey::of(subject, &home, &archive)?;
    let mut attributes = Vec::new();
    for seq in row.profile..=row.profile + u64::from(row.continued) {
        let event = shard.event(seq)?;
        let sealed =
            event.sealed.as_ref().ok_or_else(|| Failure::lasting("opening personal data", "there is no box"))?;
        attributes.append(&mut key.open(&sealed.0, &event.unsealed())?);
    }
    Ok((attributes, shard.event(row.created)?.occurred_at))
}

/// Who holds a unique name, and under which claim.
pub(super) fn holder_of<S: Store>(shard: &Shard<S>, hash: &[u8; 32]) -> Result<Option<(Subject, [u8; 16])>, Failure> {
    let Some(claim) = shard.name_claim(hash)? else { return Ok(None) };
    let found = shard.store().rows(&[Key::of_claim(&claim)])?;
    let Some((key, bytes)) = found.first() else { return Ok(None) };
    match Row::read(key, bytes).map_err(|malformed| Failure::lasting("reading a claim", malformed))? {
        (_, Row::Claim(row)) => Ok(Some((row.subject, claim))),
        _ => Err(Failure::lasting("reading a claim", "another kind of row")),
    }
}

/// Where the claim that holds a name is kept, for who writes it beside the claiming command.
#[must_use]
pub fn claim_secret(hash: &[u8; 32]) -> String {
    secret_of_name(hash)
}
