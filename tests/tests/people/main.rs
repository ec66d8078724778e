//! People over HTTP: refresh tokens that race, families that stand apart, and what ends them.
//!
//! Each test has people and clients of its own. The grace window itself, in virtual time, is tested where rotation is
//! decided; here many ask at once, over real connections.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod families;
mod races;

use grantlog_tests::{Browser, Person, RelyingParty, Service};

/// A client, a person and a browser in which nobody is logged in.
fn cast(service: &Service) -> (RelyingParty, Person, Browser) {
    (RelyingParty::register(service), Person::create(service), Browser::new(service))
}
