//! Whole files or none: what is written aside and renamed is never seen half-written under its name.
//!
//! The temporary name is the final one with `.tmp` behind it. It is created exclusively, so that no link leads elsewhere and no
//! two writers share it, and locked while it is written: a file of that name that nobody has locked was left by a program that
//! was killed, and is removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::plain::{is_at, open_with};

/// Names that are tried when others are writing the same file, or something else has our names.
const NAMES: u32 = 100;

/// A file that is not yet in its place. It is removed if it never gets there.
#[derive(Debug)]
pub struct Aside {
    place: PathBuf,
    path: PathBuf,
    file: File,
    placed: bool,
}

impl Aside {
    /// A new file beside the place that it is for.
    pub fn create(place: &Path) -> io::Result<Self> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut number = 1;
        while number <= NAMES {
            let mut aside = name.to_owned();
            aside.push(if number == 1 { ".tmp".to_owned() } else { format!(".{number}.tmp") });
            let path = place.with_file_name(aside);
            match File::create_new(&path) {
                Ok(file) => {
                    // Held by one who looks whether it is left over, for a moment; file systems without locks have no such.
                    let _ = file.lock();
                    if is_at(&file, &path) {
                        return Ok(Self { place: place.to_owned(), path, file, placed: false });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if !remove_leftover(&path) {
                        number += 1;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "all of its temporary names are taken"))
    }

    /// Where the file is now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the content survive a loss of power.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the file its name, instead of whatever had it before.
    pub fn place(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.placed = true;
        Ok(())
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.placed {
            // Best effort: the next writer removes what is left.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes a file that a killed program has left; whether the name is worth another try.
fn remove_leftover(path: &Path) -> bool {
    match open_with(OpenOptions::new().read(true), path) {
        Ok(file) => file.try_lock().is_ok() && is_at(&file, path) && fs::remove_file(path).is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_killed_writers_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("page.html");
        fs::write(folder.path().join("page.html.tmp"), "half a pa").unwrap();
        let mut aside = Aside::create(&place).unwrap();
        aside.write_all(b"whole").unwrap();
        aside.place().unwrap();
        assert_eq!(names(folder.path()), ["page.html"]);
        assert_eq!(fs::read(&place).unwrap(), b"whole");
    }

    #[test]
    fn two_writers_have_a_file_each() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("page.html");
        let (mut a, mut b) = (Aside::create(&place).unwrap(), Aside::create(&place).unwrap());
        assert_ne!(a.path(), b.path());
        a.write_all(b"first").unwrap();
        b.write_all(b"second").unwrap();
        a.place().unwrap();
        b.place().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"second");
        drop(Aside::create(&place).unwrap());
        assert_eq!(names(folder.path()), ["page.html"]);
    }

    /// Something else with a temporary name stays, and nothing is written through it.
    #[cfg(unix)]
    #[test]
    fn links_are_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (place, victim) = (folder.path().join("page.html"), folder.path().join("victim"));
        fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("page.html.tmp")).unwrap();
        let mut aside = Aside::create(&place).unwrap();
        aside.write_all(b"whole").unwrap();
        aside.place().unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read(&place).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["page.html", "page.html.tmp", "victim"]);
    }

    /// Each thread finds others' files at any moment of their lives.
    #[test]
    fn writers_at_once_all_end_well() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("page.html");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let mut aside = Aside::create(&place).unwrap();
                        aside.write_all(&[b'x'; 1000]).unwrap();
                        aside.place().unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read(&place).unwrap(), [b'x'; 1000]);
        assert_eq!(names(folder.path()), ["page.html"]);
    }
}
