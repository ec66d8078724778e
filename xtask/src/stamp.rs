//! Skips work whose inputs have not changed: a file holding the hash of the inputs it was done for.

use crate::failure::Failure;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) struct Stamp {
    file: PathBuf,
    hash: String,
}

impl Stamp {
    /// Hashes files, directories (recursively, in name order) and words. What is absent counts as
    /// empty.
    pub(crate) fn of(file: &Path, paths: &[&str], words: &[&str]) -> Result<Self, Failure> {
        let mut hasher = Sha256::new();
        for path in paths {
            add(&mut hasher, Path::new(path))?;
        }
        for word in words {
            hasher.update(word.as_bytes());
            hasher.update([0]);
        }
        Ok(Self { file: file.to_owned(), hash: hex(&hasher.finalize()) })
    }

    pub(crate) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|hash| hash == self.hash)
    }

    pub(crate) fn write(&self) -> Result<(), Failure> {
        if let Some(directory) = self.file.parent() {
            fs::create_dir_all(directory).map_err(Failure::while_doing("making a directory for a stamp"))?;
        }
        fs::write(&self.file, &self.hash).map_err(Failure::while_doing(self.file.display()))
    }
}

/// SHA-256 in lower-case hex, as `sha256sum` prints it.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn add(hasher: &mut Sha256, path: &Path) -> Result<(), Failure> {
    let failed = || Failure::while_doing(path.display());
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(failed())?;
        let mut children =
            entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>().map_err(failed())?;
        children.sort();
        return children.iter().try_for_each(|child| add(hasher, child));
    }
    let content = if path.exists() { fs::read(path).map_err(failed())? } else { Vec::new() };
    hasher.update(path.as_os_str().as_encoded_bytes());
    hasher.update([0]);
    hasher.update(content.len().to_be_bytes());
    hasher.update(content);
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
