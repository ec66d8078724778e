//! Where things are. After `enter`, relative paths are relative to the project's root.

use crate::failure::Failure;
use std::env;
use std::path::{Path, PathBuf};

/// Pinned tools built from source; `cargo clean` removes them with everything else.
pub(crate) const TOOLS: &str = "target/tools";
/// Stamps of what was done for which inputs.
pub(crate) const STAMPS: &str = "target/xtask";

/// Makes the project's root the working directory.
pub(crate) fn enter() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    env::set_current_dir(root).map_err(Failure::while_doing("entering the project's root"))
}

/// A path under the root in a form that means the same in every directory.
pub(crate) fn absolute(path: impl AsRef<Path>) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(Failure::while_doing("resolving a path"))
}

/// A program built beside this one in the same profile.
pub(crate) fn sibling_binary(name: &str) -> Result<PathBuf, Failure> {
    Ok(this_binary()?.with_file_name(name))
}

pub(crate) fn this_binary() -> Result<PathBuf, Failure> {
    env::current_exe().map_err(Failure::while_doing("finding this program"))
}
