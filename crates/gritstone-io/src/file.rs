//! Whole files or none: what is written aside and renamed is never seen half-written under its name.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gritstone_files::Aside;

/// A file that could not be read or written, or that does not hold what it must.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    System {
        /// What was tried.
        doing: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not what it must be.
    #[error("{}: {what}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A line of a text file is not what it must be.
    #[error("{}:{line}: {what}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Number of the line, from one.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl FileError {
    /// For `map_err`: what was tried, and on which file.
    pub(crate) fn when(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { doing, path: path.to_owned(), source }
    }

    /// A file that is not what it must be.
    pub(crate) fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), what: what.into() }
    }
}

/// Writes a file aside and renames it, so that under `path` there is the old content or the new, never a part of one. What
/// a writer leaves that dies is removed by the next.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    let aside = write_aside(path, write, false)?;
    aside.place().map_err(FileError::when("rename a file to", path))
}

/// Writes the file that shall become `path` under another name; nothing is left of it on failure.
pub(crate) fn write_aside(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    durably: bool,
) -> Result<Aside, FileError> {
    let written = Aside::create(path).and_then(|aside| {
        let mut buffered = BufWriter::new(aside);
        write(&mut buffered)?;
        let aside = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        if durably {
            aside.sync()?;
        }
        Ok(aside)
    });
    written.map_err(FileError::when("write", path))
}

/// Gives a file its name, instead of whatever had it before.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    fs::rename(from, to).map_err(FileError::when("rename a file to", to))
}

/// Makes the names in a folder survive a loss of power.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), FileError> {
    // Windows has no handles of folders; its file systems keep the order of renames themselves.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileError::when("write", folder))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        replace(&path, |file| file.write_all(b"old")).unwrap();
        let failed = replace(&path, |file| {
            file.write_all(&[0; 100_000])?;
            Err(io::Error::other("no space left"))
        });
        assert!(failed.unwrap_err().to_string().contains("numbers.txt: no space left"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        replace(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
