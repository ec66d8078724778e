//! Pure folds over events into something to read. Depends on the event language and nothing else.

pub mod claims;
pub mod client;
pub mod lineage;
pub mod read_model;
pub mod rendered;
pub mod replay;
pub mod token_history;
pub mod user;
