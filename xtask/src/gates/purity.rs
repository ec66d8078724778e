//! The domain knows no platform, clock or randomness: none of their crates is among the normal
//! dependencies of `events` and `projections`.

use crate::failure::Failure;
use crate::process::{cargo, output};

const BANNED: [&str; 8] = ["worker", "js-sys", "web-sys", "wasm-bindgen", "chrono", "time", "getrandom", "rand"];

pub(super) fn check() -> Result<(), Failure> {
    let tree = output(&mut cargo(&[
        "tree",
        "-p",
        "grantlog-events",
        "-p",
        "grantlog-projections",
        "--target",
        "wasm32-unknown-unknown",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]))?;
    let used = tree.lines().filter_map(|line| line.split_whitespace().next());
    match used.into_iter().find(|name| BANNED.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Failure::new(format!("events or projections depends on {name}"))),
    }
}
