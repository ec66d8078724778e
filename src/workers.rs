//! The world on Cloudflare: the one place that knows Workers, objects, KV, D1 and R2.
//!
//! JavaScript is called through bindings of its own here, each with `catch`: an exception that nobody
//! catches takes the whole isolate with it, every log and every request in it.

mod analytics;
mod archive;
mod binding;
mod counted;
mod edge_request;
mod edge_response;
mod entry;
mod object;
mod objects;
mod outbound;
mod read_model;
mod sql;
mod thrown;
mod views;
mod webcrypto;
mod world;

pub use archive::R2;
pub use object::LogShard;
pub use objects::Objects;
pub use outbound::Fetch;
pub use sql::SqlStore;
pub use views::KvD1;
pub use webcrypto::WebCrypto;
pub use world::Workers;
