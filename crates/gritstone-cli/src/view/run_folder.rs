//! The files of a run that can be looked at.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use gritstone::io::trajectory::Reader;

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

    /// Names of the tables that tell of times, in order.
    pub(crate) fn series(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter(|entry| entry.path().is_file() && tells_of_time(&entry.path()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        // Energies are what most people want to see first.
        names.sort_by_key(|name| (name != "energies.csv", name.clone()));
        names
    }

    /// Where a table is that [`series`](Self::series) has named, and no other file.
    pub(crate) fn series_path(&self, name: &str) -> Option<PathBuf> {
        self.series().into_iter().find(|known| known == name).map(|name| self.path.join(name))
    }
}

/// Whether a file is a table with a column of times.
fn tells_of_time(path: &Path) -> bool {
    if path.extension().is_none_or(|extension| extension != "csv") {
        return false;
    }
    let mut first = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut first));
    read.is_ok() && first.split(',').any(|column| column.trim().split(' ').next() == Some("time"))
}
