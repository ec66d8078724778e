//! JOSE from outside: a registry that answers for the ring, and tokens made by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod access_tokens;
mod assertions;
mod forgeries;
mod id_tokens;
mod key_sets;
mod mangled;
mod rings;
mod software_keys;
mod stage;
mod vectors;
