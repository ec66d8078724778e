//! The event log's own language: commands, decisions, events, their bytes and their chain.
//!
//! In scope: what an event is, how it is encoded, which command leads to which events in which state,
//! and what state the events leave behind. Out of scope: clocks, randomness, storage, HTTP and every
//! platform. Time and entropy are values in the command; a decision is a pure function of them.

pub mod address;
pub mod body;
pub mod cbor;
pub mod chain;
pub mod client;
pub mod command;
pub mod decide;
pub mod envelope;
pub mod identity;
pub mod key;
pub mod refusal;
pub mod scope;
pub mod state;
pub mod stored;
pub mod time;
pub mod token;

pub use address::{Address, Jti, Origin, Place};
pub use body::Body;
pub use command::{Command, Header};
pub use decide::{Decision, decide};
pub use envelope::{Draft, Event, Outcome};
pub use identity::{ClientId, Digest, EventId, Kid, RequestId, Subject};
pub use refusal::Refusal;
pub use scope::Scope;
pub use state::State;
pub use stored::{Malformed, Stored};
pub use time::{Seconds, Timestamp};
