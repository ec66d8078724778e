//! What an auditor does with a log: take it along, check it from the bytes up, ask it questions.
//!
//! In scope: exports as directories and what can be read from them without trusting anyone. Out of
//! scope: the rules themselves, which are those of `grantlog-events`; nothing here decides on its own.

pub mod cli;
pub mod exit;

mod bundle;
mod diff;
mod export;
mod lineage;
mod manifest;
mod progress;
mod rebuild;
mod replay;
mod sequence;
mod server;
mod state;
mod verify;
