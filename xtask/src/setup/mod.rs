//! Set-up: after it, every tool a command needs is here in its pinned version.
//!
//! Idempotent; a second run only looks. Nothing outside the checkout changes, but for rustup's own
//! target directory.

mod cargo_tools;
pub(crate) mod debian;
mod npm;
pub(crate) mod python;
mod wasm_target;

pub(crate) use cargo_tools::{Tool, install};

use crate::failure::Failure;

pub(crate) fn run() -> Result<(), Failure> {
    wasm_target::add()?;
    npm::install()?;
    install(&Tool::wasm_bindgen()?)?;
    install(&Tool::worker_build())
}
