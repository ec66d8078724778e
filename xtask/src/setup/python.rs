//! Python packages of the tests with real clients, pinned, in an environment of their own under `target`.

use crate::failure::Failure;
use crate::process;
use crate::stamp::Stamp;
use std::path::{Path, PathBuf};
use std::process::Command;

const ENVIRONMENT: &str = "target/python";
const REQUIREMENTS: &str = "tests/clients/authlib/requirements.txt";

/// The interpreter that has the packages.
pub(crate) fn interpreter() -> PathBuf {
    PathBuf::from(ENVIRONMENT).join("bin/python")
}

pub(crate) fn install() -> Result<(), Failure> {
    let file = Path::new(ENVIRONMENT).join("grantlog-requirements");
    let stamp = Stamp::of(&file, &[REQUIREMENTS], &[])?;
    if stamp.is_current() {
        return Ok(());
    }
    println!("setup: installing the Python packages of {REQUIREMENTS}");
    process::run(Command::new("python3").args(["-m", "venv", "--clear", ENVIRONMENT]))?;
    process::run(Command::new(interpreter()).args(["-m", "pip", "install", "-q", "-r", REQUIREMENTS]))?;
    stamp.write()
}
