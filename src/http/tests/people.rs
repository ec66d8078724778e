//! People at the service: a browser with its cookies, and what clients get by it.

mod account;
mod attempts;
mod audited;
mod browser;
mod code_flow;
mod failing_logins;
mod failures;
mod hints;
mod log;
mod logout;
mod questions;
mod refusals;
mod revoked_by_operator;
mod round_trips;
mod told_of_logouts;
mod unhurried;

pub(super) use browser::{Browser, Person};
