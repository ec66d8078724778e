//! What the event language promises: one encoding, pinned bytes, rules that hold, a fold that cannot fail.
//!
//! `dice` and `rolled` make values of every kind, `sample` holds one of each by hand, `shard` runs commands the
//! way a log does and checks on each of them that little state decides as all of it would; `visit` is what people
//! and their clients ask of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected is to stop there"
)]

mod dice;
mod rolled;
mod rolled_commands;
mod sample;
mod sample_commands;
mod sample_rows;
mod shard;
mod visit;

/// The view that a token is looked up in: a file of the crate above this one, which cannot be a dependency of it.
#[allow(dead_code, reason = "only what reads and packs it is of interest here")]
#[path = "../../../projections/src/user.rs"]
mod user;

mod any_state;
mod any_value;
mod canonical;
mod golden;
mod size;
mod vectors;

mod actors;
mod authorize;
mod chain;
mod clients;
mod codes;
mod consent;
mod daily_use;
mod exchange;
mod exchanged_families;
mod forged;
mod hearing;
mod issue;
mod keys;
mod lineage;
mod login_attempts;
mod logs;
mod many_grants;
mod people;
mod people_model;
mod refresh;
mod refreshed_tokens;
mod refused_exchange;
mod revocation;
mod sequences;
mod sessions;
mod void;
