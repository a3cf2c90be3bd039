//! The files of a run that can be looked at.

use std::fs;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use gritstone::io::trajectory::Reader;
use gritstone_files::open_plain;

use crate::failure::Failure;

/// A folder that `gritstone run` has written, or is writing.
#[derive(Clone, Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// A folder that is there.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Ok(Self { path: path.to_owned() });
        }
        let what = if path.exists() { "is no folder" } else { "is not there" };
        Err(Failure::BadInput(format!("{} {what}: give the folder of a run", path.display())))
    }

    /// What the folder is called.
    pub(crate) fn name(&self) -> String {
        let whole = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        whole.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Where the folder is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the trajectory is, if there is one.
    pub(crate) fn trajectory_path(&self) -> PathBuf {
        self.path.join("trajectory.grit")
    }

    /// The trajectory, or why there is none that can be shown.
    pub(crate) fn trajectory(&self) -> Result<Reader, Failure> {
        let path = self.trajectory_path();
        if !path.exists() {
            return Err(Failure::BadInput(format!(
                "{} is not there: the folder holds no run, the run has not started (then use view --live), or its scene \
                 says trajectory = false",
                path.display()
            )));
        }
        Reader::open(&path).map_err(|error| Failure::BadInput(error.to_string()))
    }

    /// Whether the run has come to its end.
    pub(crate) fn finished(&self) -> bool {
        self.path.join("summary.json").exists()
    }

    /// Names of the tables that have a line for each moment, in order: energies, walls, then `probes/NAME.csv`. Those that are too large
    /// for a page are left out.
    pub(crate) fn series(&self) -> Vec<String> {
        self.tables().into_iter().filter(|(_, size)| *size <= LARGEST).map(|(name, _)| name).collect()
    }

    /// What is left out of them, in words.
    pub(crate) fn too_large(&self) -> Vec<String> {
        let large = self.tables().into_iter().filter(|(_, size)| *size > LARGEST);
        large
            .map(|(name, size)| {
                format!("{name} has {size} bytes, but a page shows at most {LARGEST} of a table")
            })
            .collect()
    }

    /// Tables with a line for each moment, with their sizes.
    fn tables(&self) -> Vec<(String, u64)> {
        let mut names = Vec::new();
        for (folder, before) in [(self.path.clone(), ""), (self.path.join("probes"), "probes/")] {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let tables = entries.filter(|entry| has_a_line_per_moment(&entry.path()));
            let named = tables.filter_map(|entry| entry.file_name().into_string().ok());
            let mut named: Vec<String> = named.map(|name| format!("{before}{name}")).collect();
            named.sort();
            names.extend(named);
        }
        let size = |name: &String| fs::symlink_metadata(self.path.join(name)).map_or(0, |file| file.len());
        names.into_iter().map(|name| (name.clone(), size(&name))).collect()
    }

    /// Where a table is that [`series`](Self::series) has named, and no other file.
    pub(crate) fn series_path(&self, name: &str) -> Option<PathBuf> {
        self.series().into_iter().find(|known| known == name).map(|name| self.path.join(name))
    }
}

/// The largest table that a page shows (bytes): its browser holds it several times over.
const LARGEST: u64 = 256 << 20;

/// So much of a table is read to see what it holds (bytes).
const BEGINNING: u64 = 1 << 20;

/// Whether a file is a table with a column of times, in which no time comes twice, as far as its first lines tell.
fn has_a_line_per_moment(path: &Path) -> bool {
    if path.extension().is_none_or(|extension| extension != "csv") {
        return false;
    }
    let Ok(file) = open_plain(path) else { return false };
    let lines: Vec<String> =
        BufReader::new(file.take(BEGINNING)).lines().take(3).map_while(Result::ok).collect();
    let columns =
        |line: &String| -> Vec<String> { line.split(',').map(|cell| cell.trim().to_owned()).collect() };
    let lines: Vec<Vec<String>> = lines.iter().map(columns).collect();
    let Some(names) = lines.first() else { return false };
    let Some(time) = names.iter().position(|name| name.split(' ').next() == Some("time")) else {
        return false;
    };
    lines.len() < 3 || lines[1].get(time) != lines[2].get(time)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A line of 2 GB that takes no room on the disk is not read into memory.
    #[test]
    fn endless_lines_are_not_read_to_their_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("energies.csv");
        fs::File::create(&path).unwrap().set_len(2 << 30).unwrap();
        assert!(!has_a_line_per_moment(&path));
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
        assert!(peak < 1 << 20, "{peak} kB");
    }
}
