//! Lines of a dump, counted.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read as _};
use std::path::Path;
use std::str::FromStr;

use crate::file::FileError;
use crate::words::quote;

/// The longest line that is read (bytes): thousands of columns.
const LONGEST: u64 = 1 << 20;

/// The lines of a file, one after another.
pub(super) struct Lines<'p> {
    pub(super) path: &'p Path,
    /// Number of the line that was read last, from one.
    pub(super) line: u64,
    reader: BufReader<File>,
}

impl<'p> Lines<'p> {
    pub(super) fn open(path: &'p Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(FileError::when("open", path))?;
        Ok(Self { path, line: 0, reader: BufReader::with_capacity(1 << 16, file) })
    }

    /// An error in the line that was read last.
    pub(super) fn wrong(&self, what: impl Into<String>) -> FileError {
        FileError::Line { path: self.path.to_owned(), line: self.line.max(1), what: what.into() }
    }

    /// The next line; nothing at the end of the file.
    fn next(&mut self) -> Result<Option<String>, FileError> {
        let mut line = String::new();
        match self.reader.by_ref().take(LONGEST).read_line(&mut line) {
            Ok(0) => Ok(None),
            Ok(read) if read as u64 == LONGEST && !line.ends_with('\n') => {
                self.line += 1;
                Err(self.wrong(format!("the line is longer than {LONGEST} bytes")))
            }
            Ok(_) => {
                self.line += 1;
                line.truncate(line.trim_end().len());
                Ok(Some(line))
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                self.line += 1;
                Err(self.wrong("is not text"))
            }
            Err(error) => Err(FileError::when("read", self.path)(error)),
        }
    }

    /// The next line that is not empty.
    pub(super) fn next_filled(&mut self) -> Result<Option<String>, FileError> {
        loop {
            match self.next()? {
                Some(line) if line.is_empty() => {}
                other => return Ok(other),
            }
        }
    }

    /// A line that must be there.
    pub(super) fn need(&mut self, what: &str) -> Result<String, FileError> {
        match self.next()? {
            Some(line) => Ok(line),
            None => Err(self.wrong(format!("the file ends here, but {what} must follow"))),
        }
    }

    /// A line that is one number.
    pub(super) fn number<N: FromStr>(&mut self, what: &str, must: &str) -> Result<N, FileError> {
        let line = self.need(what)?;
        line.trim().parse().map_err(|_| self.wrong(format!("{what} is {}, but must be {must}", quote(&line))))
    }

    /// A line of finite numbers; more than `count` are let pass.
    pub(super) fn numbers(&mut self, count: usize) -> Result<Vec<f64>, FileError> {
        let line = self.need("the bounds of the box")?;
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
        match numbers {
            Some(numbers) if numbers.len() >= count && numbers.iter().all(|x| x.is_finite()) => Ok(numbers),
            _ => Err(self.wrong(format!("the bounds are {}, but must be {count} numbers", quote(&line)))),
        }
    }
}
