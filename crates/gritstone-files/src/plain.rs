//! Opening files, and nothing that links, pipes and devices lead to.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading. A symbolic link in its place is refused, and so are pipes and devices.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// The same with other options.
pub(crate) fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // Without waiting: a pipe without a writer would hold the program for good.
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    if path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link"));
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
    }
}

/// Whether a file that is open still has this name.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        match (file.metadata(), path.symlink_metadata()) {
            (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        // Files that are open keep their names there.
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (there, link) = (folder.path().join("there"), folder.path().join("link"));
        std::fs::write(&there, "content").unwrap();
        std::os::unix::fs::symlink(&there, &link).unwrap();
        assert!(open_plain(&there).is_ok());
        assert!(open_plain(&link).unwrap_err().to_string().contains("symbolic link"));
        assert!(open_plain(Path::new("/dev/null")).unwrap_err().to_string().contains("no regular file"));
        assert!(open_plain(folder.path()).is_err());
    }
}
