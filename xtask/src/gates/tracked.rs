//! The files that belong to the project: what git tracks, and what it would if asked.

use crate::failure::Failure;
use crate::process::output;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Calls with each path and its text; files that are not text are left out.
pub(super) fn for_each_text(mut check: impl FnMut(&str, &str) -> Result<(), Failure>) -> Result<(), Failure> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = output(Command::new("git").args(arguments))?;
    let paths: BTreeSet<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    for path in paths {
        if let Ok(text) = fs::read_to_string(path) {
            check(path, &text)?;
        }
    }
    Ok(())
}
