//! What holds for every page in every language, and what each looks like.

mod escaping;
mod golden;
mod markup;
mod responses;
mod samples;
mod structure;
