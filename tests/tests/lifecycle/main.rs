//! The rules of a token's life over HTTP, each with the case it answers (`X`, `V`, `K`, `I` as in the
//! README's table of cases). Every test has a cast of its own and runs beside the others.
//!
//! Not here: X14 beyond assertions and XH, for no token with `cnf` and none without `exp` or `jti` can be
//! got from the service; the shard's own tests have them. V9's forged tokens are in `bad_input`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod assertions;
mod audit;
mod authentication;
mod delegation;
mod exchange_limits;
mod interop;
mod people;
mod registration;
mod revocation;
mod round_trips;
mod standing;
mod subtree;
