//! All files or none.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gritstone_files::Aside;

use crate::Error;

/// Writes each `(name, content)` into `dir`: all aside first, then all renamed.
pub(super) fn write_all(dir: &Path, files: &[(String, String)]) -> Result<Vec<PathBuf>, Error> {
    let new = !dir.exists();
    fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.to_owned(), source })?;
    let done = Staged::write(dir, files).and_then(Staged::rename);
    if new && done.is_err() {
        // Only an empty folder goes; if even that fails, the first error is the one to tell.
        let _ = fs::remove_dir(dir);
    }
    done
}

/// Files that are complete but not yet under their names; what is not renamed is removed.
struct Staged {
    /// Each file, and where it is to be.
    moves: Vec<(Aside, PathBuf)>,
}

impl Staged {
    fn write(dir: &Path, files: &[(String, String)]) -> Result<Self, Error> {
        let mut staged = Self { moves: Vec::new() };
        for (name, content) in files {
            let path = dir.join(name);
            staged.add(dir, name, content).map_err(|source| Error::Io { path, source })?;
        }
        Ok(staged)
    }

    fn add(&mut self, dir: &Path, name: &str, content: &str) -> io::Result<()> {
        let path = dir.join(name);
        // The one thing that a file cannot replace; found now, nothing has been renamed yet.
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut aside = Aside::create(&path)?;
        aside.write_all(content.as_bytes())?;
        self.moves.push((aside, path));
        Ok(())
    }

    fn rename(self) -> Result<Vec<PathBuf>, Error> {
        let place = |(aside, path): (Aside, PathBuf)| match aside.place() {
            Ok(()) => Ok(path),
            Err(source) => Err(Error::Io { path, source }),
        };
        self.moves.into_iter().map(place).collect()
    }
}
