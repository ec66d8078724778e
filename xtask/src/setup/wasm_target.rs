//! The compiler's target for Workers.

use crate::failure::Failure;
use crate::process;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

pub(super) fn add() -> Result<(), Failure> {
    let directory = process::output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(directory.trim()).exists() {
        return Ok(());
    }
    println!("setup: adding the target {TARGET}");
    process::run(Command::new("rustup").args(["target", "add", TARGET]))
}
