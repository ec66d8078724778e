//! What holds for every page in every language, and what each looks like.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod escaping;
mod golden;
mod markup;
mod responses;
mod samples;
mod structure;
