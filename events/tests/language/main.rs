//! What the event language promises: one encoding, pinned bytes, rules that hold, a fold that cannot fail.
//!
//! `dice` and `rolled` make values of every kind, `sample` holds one of each by hand, `shard` runs commands the
//! way a log does and checks on each of them that little state decides as all of it would.
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
mod shard;

mod any_state;
mod any_value;
mod canonical;
mod golden;
mod size;
mod vectors;

mod actors;
mod chain;
mod clients;
mod exchange;
mod forged;
mod hearing;
mod issue;
mod keys;
mod lineage;
mod logs;
mod people;
mod refused_exchange;
mod revocation;
mod sequences;
mod void;
