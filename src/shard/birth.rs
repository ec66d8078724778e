//! Birth: a log begins once, and never again over lost storage.
//!
//! A nonce is stored here, then a birth record with that nonce is created in the archive, create-once,
//! then comes genesis. Empty storage beside an existing record has another nonce: the log refuses.

use super::{Run, SecretWrite, Shard, Store, registry};
use crate::{
    failure::Failure,
    ports::{Archive, World},
};
use grantlog_events::{Digest, Origin, command::OpenLog, stored::Bytes};
use hkdf::Hkdf;
use log_signature::SigningKey;
use sha2::Sha256;

/// Where the nonce is kept.
const NONCE: &str = "birth";

/// The command that begins this log, once its birth record is this storage's own.
pub(super) async fn genesis<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<Run, Failure> {
    let nonce = match shard.store().secret(NONCE)? {
        Some(nonce) => nonce,
        None => fresh_nonce(shard, world)?,
    };
    let record = format!("born/{}", shard.origin());
    if !world.archive().create(&record, &nonce).await? {
        let recorded = world.archive().read(&record).await?;
        if recorded.as_deref() != Some(nonce.as_slice()) {
            return Err(Failure::lasting("opening a log", "it was born before and its storage is lost"));
        }
    }
    let command = OpenLog {
        place: shard.origin().place(),
        verifier_key: verifier_key(world, shard.origin())?,
        birth: Digest::of(&nonce).0,
    };
    registry::run_of(world, command)
}

/// Stores a nonce in a turn of its own; storage that already holds one keeps it.
fn fresh_nonce<W: World, S: Store>(shard: &Shard<S>, world: &W) -> Result<Vec<u8>, Failure> {
    let nonce = world.random()?.to_vec();
    let batch = super::Batch { secrets: vec![(NONCE.to_owned(), Some(nonce.clone()))], ..super::Batch::default() };
    shard.store().write(&batch)?;
    Ok(nonce)
}

/// The key that verifies this log's checkpoints, derived from `LOG_KEY` and the origin.
pub(super) fn verifier_key<W: World>(world: &W, origin: &Origin) -> Result<String, Failure> {
    let mut seed = [0; 32];
    Hkdf::<Sha256>::new(Some(b"grantlog log key"), &world.config().log_key.0)
        .expand(origin.as_str().as_bytes(), &mut seed)
        .map_err(|_| Failure::lasting("deriving a log's key", "wrong length"))?;
    let key = SigningKey::from_bytes(&seed).verifying_key();
    Ok(signed_note::new_ed25519_verifier_key(origin.as_str(), &key))
}

/// A secret beside a command.
pub(super) fn beside(mut run: Run, name: String, value: Option<Vec<u8>>) -> Run {
    let private = run.private.get_or_insert_default();
    private.secrets.push(SecretWrite { name, value: value.map(Bytes) });
    run
}
