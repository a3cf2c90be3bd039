//! All files or none.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    /// Where each file is, and where it is to be.
    moves: Vec<(PathBuf, PathBuf)>,
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
        let (aside, mut file) = create_aside(dir, name)?;
        self.moves.push((aside, path));
        file.write_all(content.as_bytes())
    }

    fn rename(mut self) -> Result<Vec<PathBuf>, Error> {
        for (aside, path) in &self.moves {
            fs::rename(aside, path).map_err(|source| Error::Io { path: path.clone(), source })?;
        }
        Ok(self.moves.drain(..).map(|(_, path)| path).collect())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (aside, _) in &self.moves {
            let _ = fs::remove_file(aside);
        }
    }
}

/// A new file next to the one that it will become. Another process, or one that died, may hold a name.
fn create_aside(dir: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    for attempt in 0.. {
        let aside = dir.join(format!(".{name}.{process}-{attempt}.part"));
        match File::create_new(&aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (aside, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
