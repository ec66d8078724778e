//! A shard's storage as the shard sees it: synchronous, one transaction per batch.

use crate::failure::Failure;
use grantlog_events::state::Key;

/// What one command writes, all or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Positions and bytes of the events.
    pub events: Vec<(u64, Vec<u8>)>,
    /// State rows; `None` deletes.
    pub rows: Vec<(Key, Option<Vec<u8>>)>,
    /// Secrets; `None` deletes.
    pub secrets: Vec<(String, Option<Vec<u8>>)>,
    /// Whether views follow from it: the alarm that retries them is set in the same transaction.
    pub follow_up: bool,
}

/// Synchronous storage of one log.
///
/// A failed `write` has written nothing, or the whole store is reset with the object: memory and disk
/// never diverge. Reads see every write before them.
pub trait Store {
    /// The last event's bytes.
    fn last_event(&self) -> Result<Option<Vec<u8>>, Failure>;
    /// The event at a position.
    fn event(&self, seq: u64) -> Result<Option<Vec<u8>>, Failure>;
    /// Events from a position on, in order, at most `limit` of them.
    fn events_from(&self, seq: u64, limit: u32) -> Result<Vec<Vec<u8>>, Failure>;
    /// The rows under these keys that exist.
    fn rows(&self, keys: &[Key]) -> Result<Vec<(String, Vec<u8>)>, Failure>;
    /// The rows whose key begins with `prefix`, in key order.
    fn rows_under(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, Failure>;
    /// A secret.
    fn secret(&self, name: &str) -> Result<Option<Vec<u8>>, Failure>;
    /// Writes a batch; answers with the number of rows written.
    fn write(&self, batch: &Batch) -> Result<u64, Failure>;
}
