//! The HTTP layer and every shard behind it, in memory: what is asked of the world, what happens when it
//! fails, and that nothing is issued or said which the log does not bear out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod agreement;
mod bad_input;
mod bad_tokens;
pub(in crate::http) mod deployment;
mod errors;
mod eventual;
mod exchange;
mod failures;
mod forged;
mod late_writes;
mod noise;
mod people;
mod rebuild;
mod replay;
mod rotation;
mod round_trips;
mod round_trips_of_operators;
mod signing;
mod stale_client;
mod strangers;
mod userinfo;
mod voided;
mod watchdog;
