//! npm packages, exactly as locked. Install scripts are not run: nothing here needs one.

use crate::failure::Failure;
use crate::process;
use crate::stamp::Stamp;
use std::path::Path;
use std::process::Command;

/// In the directory it vouches for, so that both go together.
const STAMP: &str = "node_modules/.grantlog-lock";

pub(super) fn install() -> Result<(), Failure> {
    let inputs = ["package.json", "package-lock.json", ".npmrc"];
    let stamp = Stamp::of(Path::new(STAMP), &inputs, &[])?;
    if stamp.is_current() {
        return Ok(());
    }
    println!("setup: installing the npm packages of package-lock.json");
    process::run(Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    stamp.write()
}
