//! The files as a whole: size and SHA-256 as the manifest lists them (19).

use crate::{
    bundle::LogFiles,
    exit::{Exit, Failure},
    manifest::{FileEntry, FileOf, LogEntry, Manifest},
};

/// How many bytes of events there are to read.
pub(super) fn total(manifest: &Manifest) -> u64 {
    manifest.logs.iter().filter_map(|log| log.file(FileOf::Events).ok()).map(|file| file.bytes).sum()
}

pub(super) fn are_as_listed(entry: &LogEntry, files: &LogFiles) -> Result<(), Failure> {
    for (file, bytes) in [(FileOf::Events, &files.bytes), (FileOf::Digests, &files.digests)] {
        let listed = entry.file(file)?;
        if *listed != FileEntry::of(listed.path.clone(), bytes) {
            let sentence = format!("{}: size or SHA-256 is not what the manifest lists.", listed.path);
            return Err(Failure::new(Exit::ManifestBroken, sentence));
        }
    }
    let listed = files.listed()?.len() as u64;
    if listed != entry.events {
        let sentence = format!("{}: {listed} digests are listed for {} events.", entry.origin, entry.events);
        return Err(Failure::new(Exit::ManifestBroken, sentence));
    }
    Ok(())
}
