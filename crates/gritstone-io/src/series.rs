//! Time series as CSV: energies and whatever else a run measures, one line per moment.
//!
//! The first line names the columns with their units, `step,time [s],translation [J]`; numbers are as short as they can be
//! without losing a bit. Commas, quotes and line ends in names become underscores. Every line reaches the system at once, so
//! that a killed run loses none, and a run that continues from a checkpoint first cuts off what it is going to write again: the
//! file is then the same as if nothing had happened.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::file::FileError;
use crate::words::quote;

/// No number takes more bytes than that.
const LONGEST: u64 = 64;

/// A column beside the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// What it is.
    pub name: &'a str,
    /// Its unit; empty where it has none.
    pub unit: &'a str,
}

/// A CSV file that grows by a line per moment.
#[derive(Debug)]
pub struct Series {
    path: PathBuf,
    file: File,
    columns: usize,
    last: Option<u64>,
}

impl Series {
    /// Starts a file, in place of any that is there.
    pub fn create(path: &Path, columns: &[Column<'_>]) -> Result<Self, FileError> {
        let mut file = File::create(path).map_err(FileError::when("create", path))?;
        file.write_all(title(columns).as_bytes()).map_err(FileError::when("write", path))?;
        Ok(Self { path: path.to_owned(), file, columns: columns.len(), last: None })
    }

    /// Goes on with a file after `step`: later lines, and a line that was being written when the run was killed, are cut
    /// off. Starts the file where there is none, or none that got as far as its title.
    pub fn resume(path: &Path, columns: &[Column<'_>], step: u64) -> Result<Self, FileError> {
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let mut file = match opened {
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::create(path, columns),
            opened => opened.map_err(FileError::when("open", path))?,
        };
        let title = title(columns);
        let mut reader = BufReader::new(&mut file);
        let mut found = Vec::new();
        let of_title = reader.by_ref().take(title.len() as u64).read_to_end(&mut found);
        of_title.map_err(FileError::when("read", path))?;
        if title.as_bytes().starts_with(&found) && found.len() < title.len() {
            return Self::create(path, columns);
        }
        if found != title.as_bytes() {
            let found = String::from_utf8_lossy(&found);
            let found = quote(found.lines().next().unwrap_or_default());
            let what = format!("the columns are {found}, but must be {:?}", title.trim_end());
            return Err(FileError::Line { path: path.to_owned(), line: 1, what });
        }
        let (end, last) = kept(reader, title.len(), LONGEST * (columns.len() as u64 + 1), step)
            .map_err(FileError::when("read", path))?;
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(FileError::when("shorten", path))?;
        Ok(Self { path: path.to_owned(), file, columns: columns.len(), last })
    }

    /// Step of the last line.
    pub fn last_step(&self) -> Option<u64> {
        self.last
    }

    /// Adds a line. A step that is there already is not written again, so that a run that continues may say once more what
    /// it said before it stopped.
    ///
    /// # Panics
    /// When there are not as many values as columns.
    pub fn push(&mut self, step: u64, values: &[f64]) -> Result<(), FileError> {
        self.push_rows(step, [values])
    }

    /// Adds all lines of a step, any number of them.
    ///
    /// # Panics
    /// When one has not as many values as there are columns.
    pub fn push_rows<R: AsRef<[f64]>>(
        &mut self,
        step: u64,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), FileError> {
        if self.last.is_some_and(|last| step <= last) {
            return Ok(());
        }
        let mut lines = String::new();
        for row in rows {
            let values = row.as_ref();
            assert_eq!(values.len(), self.columns, "one value for each column");
            // Writing into a string cannot fail.
            let _ = write!(lines, "{step}");
            for value in values {
                let _ = write!(lines, ",{value:?}");
            }
            lines.push('\n');
        }
        self.file.write_all(lines.as_bytes()).map_err(FileError::when("write", &self.path))?;
        self.last = Some(step);
        Ok(())
    }

    /// Makes the lines so far survive a loss of power.
    pub fn sync(&self) -> Result<(), FileError> {
        self.file.sync_data().map_err(FileError::when("write", &self.path))
    }
}

fn title(columns: &[Column<'_>]) -> String {
    let mut title = "step".to_owned();
    for Column { name, unit } in columns {
        title += ",";
        // A comma would be a column of its own.
        title += &name.replace([',', '"', '\n', '\r'], "_");
        if !unit.is_empty() {
            title += &format!(" [{unit}]");
        }
    }
    title + "\n"
}

/// Where the lines up to `step` end, and the step of the last of them. The first line that is none of ours, or longer than ours are,
/// ends them.
fn kept(mut lines: impl BufRead, title: usize, longest: u64, step: u64) -> io::Result<(u64, Option<u64>)> {
    let (mut end, mut last, mut line) = (title as u64, None, Vec::new());
    loop {
        line.clear();
        lines.by_ref().take(longest).read_until(b'\n', &mut line)?;
        let whole = std::str::from_utf8(&line).ok().filter(|line| line.ends_with('\n'));
        let found = whole.and_then(|line| line.split(',').next()?.parse::<u64>().ok());
        match found {
            Some(found) if found <= step => (end, last) = (end + line.len() as u64, Some(found)),
            _ => return Ok((end, last)),
        }
    }
}
