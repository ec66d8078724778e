//! The service as its callers see it: a client of every endpoint, the parties of the story, and the
//! attacks on its tokens.
//!
//! In scope: speaking HTTP to a served build, and judging what comes back with code that shares nothing
//! with the server. Out of scope: starting the shared server and building it, which `cargo xtask` does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a test stops at the first thing that does not hold, and this library exists for tests"
)]

pub mod answer;
pub mod audit;
pub mod browser;
pub mod client;
pub mod command_line;
pub mod environment;
pub mod exchange;
pub mod issuer;
pub mod jwt;
pub mod key;
pub mod listener;
pub mod parallel;
pub mod party;
pub mod random;
pub mod registration;
pub mod relying_party;
pub mod request;
pub mod server;
pub mod service;
pub mod tamper;
pub mod user;

pub use answer::Answer;
pub use browser::{Browser, Page};
pub use client::Client;
pub use issuer::AssertionIssuer;
pub use random::Random;
pub use registration::Registration;
pub use relying_party::{Person, RelyingParty};
pub use request::Request;
pub use service::Service;
pub use user::User;
