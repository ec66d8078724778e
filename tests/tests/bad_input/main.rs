//! Bad input, at every endpoint: a clean 4xx in the form of its RFC, never a 5xx, and nothing written.
//!
//! The tests take turns, for each compares the logs before and after.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod bodies;
mod endpoints;
mod tokens;
mod untouched;
