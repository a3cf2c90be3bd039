//! The list of a series' frames.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gritstone_files::memory;

use crate::file::{FileError, replace};

/// A list takes about so many times the bytes of its file.
const PER_BYTE: u64 = 4;

/// A `.pvd` file and what it lists.
#[derive(Debug)]
pub(super) struct Pvd {
    path: PathBuf,
    word: &'static str,
    /// Step and time of each frame.
    frames: Vec<(u64, f64)>,
}

impl Pvd {
    /// The list of the series `word`; with its frames up to a step, where some shall be kept. Files of later ones are
    /// removed; those named in `without` stay where they are, but are not listed.
    pub(super) fn open(
        folder: &Path,
        word: &'static str,
        keep: Option<u64>,
        without: &[String],
    ) -> Result<Self, FileError> {
        let path = folder.join(format!("{word}.pvd"));
        let bytes = match memory::read_at_most(&path, memory::limit() / PER_BYTE) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            bytes => bytes.map_err(FileError::when("read", &path))?,
        };
        // A damaged line costs its own frame alone, whatever bytes it has.
        let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let found: Vec<(u64, f64)> = lines.filter_map(|line| frame(line, word)).collect();
        let kept = |step: u64| keep.is_some_and(|last| step <= last);
        let mut pvd = Self { path, word, frames: Vec::new() };
        for (step, _) in found.iter().filter(|(step, _)| !kept(*step)) {
            // One that is gone already is as good as removed.
            let _ = fs::remove_file(folder.join(pvd.file_name(*step)));
        }
        // A line that was altered may name a frame that was never written.
        let is_there = |name: &String| folder.join(name).is_file();
        let wanted = |name: &String| !without.contains(name) && is_there(name);
        let listed = |step: u64| kept(step) && wanted(&pvd.file_name(step));
        pvd.frames = found.into_iter().filter(|(step, _)| listed(*step)).collect();
        pvd.write()?;
        Ok(pvd)
    }

    /// Name of the file of a frame.
    pub(super) fn file_name(&self, step: u64) -> String {
        format!("{}_{step:09}.vtp", self.word)
    }

    /// Names of the files of all frames.
    pub(super) fn file_names(&self) -> impl Iterator<Item = String> {
        self.frames.iter().map(|(step, _)| self.file_name(*step))
    }

    pub(super) fn last_step(&self) -> Option<u64> {
        self.frames.last().map(|(step, _)| *step)
    }

    /// Adds a frame whose file is there.
    pub(super) fn push(&mut self, step: u64, time: f64) -> Result<(), FileError> {
        self.frames.push((step, time));
        self.write()
    }

    fn write(&self) -> Result<(), FileError> {
        replace(&self.path, |file| {
            writeln!(file, "<?xml version=\"1.0\"?>")?;
            writeln!(file, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">")?;
            writeln!(file, "<Collection>")?;
            for (step, time) in &self.frames {
                let name = self.file_name(*step);
                writeln!(file, "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{name}\"/>")?;
            }
            writeln!(file, "</Collection>\n</VTKFile>")
        })
    }
}

/// Step and time of a line that [`Pvd::write`] has written.
fn frame(line: &str, word: &str) -> Option<(u64, f64)> {
    let rest = line.strip_prefix("<DataSet timestep=\"")?;
    let (time, rest) = rest.split_once("\" part=\"0\" file=\"")?;
    let step = rest.strip_suffix(".vtp\"/>")?.strip_prefix(word)?.strip_prefix('_')?;
    Some((step.parse().ok()?, time.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_line_costs_its_own_frame_alone() {
        // A byte that is not UTF-8, and the name of a frame that is not there.
        for damage in [0xff, b'7'] {
            let folder = tempfile::tempdir().unwrap();
            let mut pvd = Pvd::open(folder.path(), "grains", None, &[]).unwrap();
            for step in 1..=3 {
                fs::write(folder.path().join(pvd.file_name(step)), "").unwrap();
                pvd.push(step, step as f64).unwrap();
            }
            let path = folder.path().join("grains.pvd");
            let mut bytes = fs::read(&path).unwrap();
            let second = bytes.windows(9).position(|bytes| bytes == b"000000002").unwrap();
            bytes[second + 8] = damage;
            fs::write(&path, bytes).unwrap();
            let pvd = Pvd::open(folder.path(), "grains", Some(9), &[]).unwrap();
            assert_eq!(pvd.frames, [(1, 1.0), (3, 3.0)]);
        }
    }
}
