//! Which files a scene may read, and what of them may be told.
//!
//! A scene names its files itself, and one that was written by somebody else may name any. What is read from outside of the scene's
//! folder is therefore not quoted in messages, and a scene in a sandbox reads nothing there at all.

use std::io;
use std::path::{Path, PathBuf};

use gritstone_io::FileError;

use crate::scene::Scene;

impl Scene {
    /// The same scene, which reads regular files in its own folder and below, and no others. Links count as what they lead to.
    #[must_use]
    pub fn sandboxed(mut self) -> Self {
        self.sandbox = true;
        self
    }

    /// Where a file is that the scene names, or why it may not be read.
    pub fn file_path(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        if !self.sandbox || self.is_within(&path).is_ok_and(|within| within && path.is_file()) {
            return Ok(path);
        }
        // The same words whether it is there or not: nobody asks for files elsewhere that way.
        Err("in a sandbox it must be a regular file in the scene's folder or below (--sandbox)".to_owned())
    }

    /// The message for a file that cannot be read; without its content, where that is none of the scene's.
    pub(crate) fn message(&self, path: &Path, error: &FileError) -> String {
        let place = match error {
            FileError::Line { path, line, .. } => format!("{}:{line}", path.display()),
            FileError::Content { path, .. } => path.display().to_string(),
            FileError::System { .. } => return error.to_string(),
        };
        // Devices and pipes have no content that somebody keeps.
        if self.shows(path) || !path.is_file() { error.to_string() } else { format!("{place}: {HIDDEN}") }
    }

    /// Whether the content of a file may be quoted.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        self.is_within(path).unwrap_or(false)
    }

    /// Whether a file is in the scene's folder or below.
    fn is_within(&self, path: &Path) -> io::Result<bool> {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        Ok(path.canonicalize()?.starts_with(folder.canonicalize()?))
    }
}

/// What is said in place of content.
pub(crate) const HIDDEN: &str =
    "it is not as it must be; what it holds is not shown, because the file is outside of the scene's folder";
