//! A folder for one program at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::plain::{is_at, open_with};

/// A lock that is held while this exists. It is a file of its own, so that it can be taken before anything else is looked
/// at; the system lets go of it when the program ends, however that comes about.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Closed last, after the name is gone.
    _file: File,
}

impl Lock {
    /// Takes the lock of this name, or nothing where another program has it. Where the file system knows no locks, it is
    /// taken without any.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let created = OpenOptions::new().write(true).create_new(true).open(path);
            let file = match created {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    match open_with(OpenOptions::new().write(true), path) {
                        // Its holder has just ended and removed it.
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        opened => opened?,
                    }
                }
                created => created?,
            };
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Ok(None);
            }
            // One that was removed in between locks nothing.
            if is_at(&file, path) {
                return Ok(Some(Self { path: path.to_owned(), _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is taken over by the next program.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn one_holds_it_at_a_time_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.lock");
        let held = Lock::take(&path).unwrap().unwrap();
        assert!(Lock::take(&path).unwrap().is_none());
        drop(held);
        assert!(!path.exists());
        // As a program that was killed leaves it.
        fs::write(&path, "").unwrap();
        assert!(Lock::take(&path).unwrap().is_some());
    }

    /// Many at once, each removing the file that the next is about to lock.
    #[test]
    fn no_two_hold_it_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.lock");
        let (inside, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Some(lock) = Lock::take(&path).unwrap() else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 100);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("run.lock"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(Lock::take(&link).is_err());
        assert!(!target.exists());
    }
}
