//! What the files of a run were at its checkpoint: one that has lost or changed bytes since is found before the run continues with it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use gritstone_io::FileError;
use gritstone_io::checksum::Prefix;
use serde::{Deserialize, Serialize};

use super::RunError;
use super::folder::TRAJECTORY;

/// What names of frames for ParaView begin with.
const FRAMES: &str = "vtk/";

/// A file as it was at a checkpoint; it may have grown since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// Its name in the folder of the run.
    name: String,
    length: u64,
    checksum: u64,
}

/// The files of a run that continues, each with the part that is read already.
#[derive(Debug)]
pub(super) struct Checksums {
    folder: PathBuf,
    files: BTreeMap<String, Prefix>,
}

/// What was found of a run's files before it continues.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) checksums: Checksums,
    /// Bytes of the trajectory have changed.
    pub(super) trajectory_altered: bool,
    /// Frames for ParaView that are missing or altered, by their names in their folder.
    pub(super) bad_frames: Vec<String>,
}

impl Checksums {
    /// Records these files: what has been appended to each since the last time is read, and files that are written as a whole
    /// are read once.
    pub(super) fn record(
        &mut self,
        growing: impl Iterator<Item = String>,
        whole: impl Iterator<Item = String>,
    ) -> Result<Vec<FileRecord>, FileError> {
        for name in growing {
            self.read(name)?;
        }
        for name in whole {
            if !self.files.contains_key(&name) {
                self.read(name)?;
            }
        }
        let record = |(name, prefix): (&String, &Prefix)| FileRecord {
            name: name.clone(),
            length: prefix.length(),
            checksum: prefix.checksum(),
        };
        Ok(self.files.iter().map(record).collect())
    }

    fn read(&mut self, name: String) -> Result<(), FileError> {
        let path = self.folder.join(&name);
        let prefix = self.files.entry(name).or_default();
        prefix.extend(&path).map_err(|source| FileError::System { doing: "read", path, source })
    }
}

/// Compares the files of a folder with their records, and changes nothing.
pub(super) fn check(folder: &Path, records: &[FileRecord], step: u64) -> Result<Checked, RunError> {
    let checksums = Checksums { folder: folder.to_owned(), files: BTreeMap::new() };
    let mut checked = Checked { checksums, trajectory_altered: false, bad_frames: Vec::new() };
    for record in records {
        let path = folder.join(&record.name);
        let state = state(&path, record).map_err(|source| FileError::System {
            doing: "read",
            path: path.clone(),
            source,
        })?;
        match state {
            State::Same(prefix) => drop(checked.checksums.files.insert(record.name.clone(), *prefix)),
            // Frames for ParaView stand alone: the run continues without those that are lost.
            _ if record.name.starts_with(FRAMES) => {
                checked.bad_frames.extend(record.name.strip_prefix(FRAMES).map(str::to_owned));
            }
            State::Altered if record.name == TRAJECTORY => checked.trajectory_altered = true,
            State::Altered => return Err(RunError::Altered { path, step }),
            State::Short(found) => {
                return Err(RunError::Shortened { path, step, found, needed: record.length });
            }
        }
    }
    Ok(checked)
}

/// How a file is, compared with its record.
enum State {
    Same(Box<Prefix>),
    Altered,
    /// Its bytes, if it is there.
    Short(Option<u64>),
}

fn state(path: &Path, record: &FileRecord) -> io::Result<State> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Short(None)),
        found => found?.len(),
    };
    if found < record.length {
        return Ok(State::Short(Some(found)));
    }
    let prefix = Prefix::of(path, record.length)?;
    Ok(if prefix.checksum() == record.checksum { State::Same(Box::new(prefix)) } else { State::Altered })
}
