//! `cargo deny`: what may be depended on, under which licenses, and from where (see `deny.toml`).

use super::Verdict;
use crate::failure::Failure;
use crate::process;
use crate::setup::{self, Tool};
use std::process::Command;

pub(super) fn check() -> Result<Verdict, Failure> {
    let tool = Tool::cargo_deny();
    if let Err(failure) = setup::install(&tool) {
        return Ok(Verdict::NotRun(format!("cargo-deny could not be built: {failure}")));
    }
    process::run(Command::new(tool.path()).args(["check", "bans", "licenses", "sources"]))?;
    Ok(Verdict::Passed)
}
