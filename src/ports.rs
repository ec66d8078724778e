//! The world as the rest of the code sees it: six small contracts, each implemented twice.
//!
//! Every method may fail with [`Failure`]; none answers a verdict. Nothing here may be called between a
//! shard's load and its append: those run in [`crate::shard::Shard::run`], which is not `async`.

use crate::{
    config::Config,
    failure::Failure,
    http::Memory,
    metrics::Metric,
    shard::{Ask, Reply},
};
use grantlog_events::{ClientId, Place, Subject, Timestamp, key::Algorithm};
use grantlog_projections::read_model::Table;

/// The logs. An answer means that what it says is durable.
pub trait Log {
    /// Asks one log, in one sequential call. A retry must carry the same request id.
    fn ask(&self, place: Place, ask: &Ask) -> impl Future<Output = Result<Reply, Failure>>;
}

/// What clients of the service read: one value per user and per client, and tables for reports.
pub trait Views {
    /// The user's view; `None` if there is none. May be up to 60 s old elsewhere than where it was written.
    fn user(&self, subject: &Subject) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>>;
    /// Replaces or (with `None`) deletes the user's view. Called by the home shard alone.
    fn put_user(&self, subject: &Subject, view: Option<&[u8]>) -> impl Future<Output = Result<(), Failure>>;
    /// The client's view; `None` if there is none.
    fn client(&self, client: &ClientId) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>>;
    /// Replaces the client's view. Called by the registry alone.
    fn put_client(&self, client: &ClientId, view: &[u8]) -> impl Future<Output = Result<(), Failure>>;
    /// How far the read model has read a log: the last position, `None` before the first.
    fn read_model_position(&self, place: Place) -> impl Future<Output = Result<Option<u64>, Failure>>;
    /// One log's rows of one table, in the order of the primary key.
    fn read_model_rows(&self, place: Place, table: Table)
    -> impl Future<Output = Result<Vec<Vec<Parameter>>, Failure>>;
    /// Runs statements against the read model as one transaction.
    fn write_read_model(&self, batch: &[Statement]) -> impl Future<Output = Result<(), Failure>>;
}

/// One SQL statement with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The SQL, with `?1`, `?2`, …
    pub sql: &'static str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter that the read model can hold.
pub use grantlog_projections::read_model::Field as Parameter;

/// A key pair as it is made: the public half, and the private half under the key-encryption key.
#[derive(Clone, PartialEq, Eq)]
pub struct FreshKey {
    /// The public JWK, as JSON, without `kid`.
    pub jwk: String,
    /// The wrapped private key; useless without `KEK`.
    pub wrapped: Vec<u8>,
}

/// Signing keys and everything done with them.
pub trait Keys {
    /// A private key that can sign, unwrapped.
    type Private;
    /// A public key that can verify.
    type Public;

    /// Makes a key pair.
    fn generate(&self, algorithm: Algorithm) -> impl Future<Output = Result<FreshKey, Failure>>;
    /// Unwraps a private key; under `KEK`, else under `KEK_PREVIOUS`.
    fn open(&self, algorithm: Algorithm, wrapped: &[u8]) -> impl Future<Output = Result<Self::Private, Failure>>;
    /// Signs, as JWS has it (ES256: `r ‖ s`).
    fn sign(&self, key: &Self::Private, message: &[u8]) -> impl Future<Output = Result<Vec<u8>, Failure>>;
    /// Reads a public JWK for an algorithm; `None` if it is not a key of that algorithm.
    fn import(&self, algorithm: Algorithm, jwk: &str) -> impl Future<Output = Result<Option<Self::Public>, Failure>>;
    /// Whether the signature is the key's over the message.
    fn verify(
        &self,
        key: &Self::Public,
        message: &[u8],
        signature: &[u8],
    ) -> impl Future<Output = Result<bool, Failure>>;
}

/// What is kept beside the logs: birth records and halves of keys. Strongly consistent.
pub trait Archive {
    /// Reads an object.
    fn read(&self, name: &str) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>>;
    /// Creates an object; `false` if one of this name exists already.
    fn create(&self, name: &str, bytes: &[u8]) -> impl Future<Output = Result<bool, Failure>>;
    /// Deletes an object; a missing one is no failure.
    fn delete(&self, name: &str) -> impl Future<Output = Result<(), Failure>>;
}

/// Requests to others: clients that are told something, documents that clients point to.
pub trait Outbound {
    /// Posts a form; answers with the status. Redirects are not followed, and after five seconds it has failed.
    fn post_form(&self, url: &str, form: &str) -> impl Future<Output = Result<u16, Failure>>;
    /// Reads a document of at most 64 KiB; `None` if it is longer, or the answer is none of success.
    fn get(&self, url: &str) -> impl Future<Output = Result<Option<Vec<u8>>, Failure>>;
}

/// Everything at once, with the clock, randomness and what this isolate remembers.
pub trait World: Sized {
    /// The logs.
    type Log: Log;
    /// The views.
    type Views: Views;
    /// The keys.
    type Keys: Keys;
    /// The archive.
    type Archive: Archive;
    /// Others.
    type Outbound: Outbound;

    /// The logs.
    fn log(&self) -> &Self::Log;
    /// The views.
    fn views(&self) -> &Self::Views;
    /// The keys.
    fn keys(&self) -> &Self::Keys;
    /// The archive.
    fn archive(&self) -> &Self::Archive;
    /// Others.
    fn outbound(&self) -> &Self::Outbound;
    /// The configuration.
    fn config(&self) -> &Config;
    /// What this isolate may remember between requests. Never a verdict.
    fn memory(&self) -> &Memory<Self::Keys>;
    /// The clock.
    fn now(&self) -> Timestamp;
    /// Fresh random bytes.
    fn random(&self) -> Result<[u8; 32], Failure>;
    /// Waits, at least about this long.
    fn pause(&self, milliseconds: u32) -> impl Future<Output = ()>;
    /// Calls to logs, views and archive that were made through this world, for who asks to see them.
    fn calls(&self) -> u32;
    /// Rows that the logs' engines wrote for this request, where somebody asks to see them.
    fn rows_written(&self) -> Option<u64>;
    /// Counts something. Never a verdict follows from it.
    fn count(&self, metric: Metric, value: u64);
    /// One line for the operator. Never a secret, token or personal datum.
    fn note(&self, line: &str);
}
