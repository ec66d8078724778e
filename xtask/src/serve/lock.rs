//! One process per state directory.

use crate::failure::Failure;
use std::fs::{DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Held until every copy of the file is closed, so a killed holder leaves nothing behind.
pub(crate) fn lock(state: &Path) -> Result<File, Failure> {
    let failed = || Failure::while_doing(state.display());
    // Views hold personal data in clear: the state is its owner's alone.
    DirBuilder::new().recursive(true).mode(0o700).create(state).map_err(failed())?;
    let file = File::options().create(true).append(true).open(state.join("lock")).map_err(failed())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Failure::new(format!("another process is using the state directory {}", state.display())))
        }
        Err(TryLockError::Error(error)) => Err(failed()(error)),
    }
}
