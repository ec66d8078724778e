//! The same world inside one process: logs, views, keys and archive in memory, a clock that stands
//! still or runs, and failures on demand. The whole HTTP layer and every shard run over it under `cargo test`.

mod archive;
mod clock;
mod faults;
mod finished;
mod keys;
mod kv;
mod log;
mod outbound;
mod store;
mod views;
mod world;

pub use archive::MemoryArchive;
pub use clock::Clock;
pub use faults::{Counted, Faults, When};
pub use finished::finished;
pub use keys::SoftwareKeys;
pub use kv::{Fate, Kv};
pub use outbound::MemoryOutbound;
pub use store::MemoryStore;
pub use views::MemoryViews;
pub use world::MemoryWorld;
