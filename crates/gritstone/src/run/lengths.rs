//! How long the files of a run were at its checkpoint: one that has become shorter would leave a hole in the results.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use gritstone_io::FileError;

use super::RunError;

/// Names in the folder of the run, and bytes.
pub(super) type Lengths = Vec<(String, u64)>;

/// How long these files are.
pub(super) fn measure(folder: &Path, names: impl Iterator<Item = String>) -> Result<Lengths, FileError> {
    names
        .map(|name| {
            let path = folder.join(&name);
            let found = fs::metadata(&path);
            let found = found.map_err(|source| FileError::System { doing: "look at", path, source })?;
            Ok((name, found.len()))
        })
        .collect()
}

/// Looks whether all files still are as long as they were.
pub(super) fn check(folder: &Path, lengths: &Lengths, step: u64) -> Result<(), RunError> {
    for (name, needed) in lengths {
        let path = folder.join(name);
        let found = match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(FileError::System { doing: "look at", path, source }.into()),
            Ok(found) => Some(found.len()),
        };
        if found.is_none_or(|found| found < *needed) {
            return Err(RunError::Shortened { path, step, found, needed: *needed });
        }
    }
    Ok(())
}
