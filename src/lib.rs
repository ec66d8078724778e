//! Grantlog's Worker: the HTTP edge, the log shards and the projector.
//!
//! `http` answers requests and `shard` runs logs; both know the world only through `ports`. `workers`
//! is the one place that knows Cloudflare, `memory` is the same world inside one process.

pub mod authorization_code;
pub mod config;
pub mod failure;
pub mod http;
pub mod jose;
pub mod metrics;
pub mod pages;
pub mod pairwise;
pub mod ports;
pub mod refresh_token;
pub mod sealed;
pub mod shard;
pub mod watchdog;

#[cfg(not(target_arch = "wasm32"))]
pub mod memory;
#[cfg(target_arch = "wasm32")]
pub mod workers;
