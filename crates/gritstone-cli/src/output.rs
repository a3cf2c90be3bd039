//! Where results go: the standard output, or a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gritstone_files::Aside;

use crate::failure::Failure;

/// A stream of results.
pub(crate) enum Output {
    /// The standard output.
    Standard(BufWriter<io::Stdout>),
    /// A device or pipe, written to as it is.
    Direct(PathBuf, BufWriter<File>),
    /// A file, written beside its place and moved there at the end.
    Aside(PathBuf, BufWriter<Aside>),
}

impl Output {
    /// Opens the standard output for `-`, or else a file.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Self::Standard(BufWriter::with_capacity(1 << 16, io::stdout())));
        }
        let open = || -> io::Result<Self> {
            // A link stays a link: the file that it points to is replaced.
            let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            match fs::metadata(&place) {
                Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
                // Moving a file over /dev/null would replace the device.
                Ok(there) if !there.is_file() => {
                    let file = File::options().write(true).open(&place)?;
                    Ok(Self::Direct(place, BufWriter::new(file)))
                }
                _ => {
                    let aside = BufWriter::with_capacity(1 << 16, Aside::create(&place)?);
                    Ok(Self::Aside(place, aside))
                }
            }
        };
        open().map_err(|error| match Failure::writing_file(path, &error) {
            // Nothing has run yet: the name that was given is at fault.
            Failure::Failed(message) => Failure::BadInput(message),
            other => other,
        })
    }

    /// Whether results appear on a terminal as they come.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Standard(_)) && io::IsTerminal::is_terminal(&io::stdout())
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer().write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// Hands on what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer().flush().map_err(|error| self.failed(&error))
    }

    /// Puts the results in their place.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self {
            Self::Aside(place, aside) => {
                let placed =
                    aside.into_inner().map_err(io::IntoInnerError::into_error).and_then(Aside::place);
                placed.map_err(|error| Failure::writing_file(&place, &error))
            }
            _ => Ok(()),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Standard(stream) => stream,
            Self::Direct(_, file) => file,
            Self::Aside(_, file) => file,
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match self {
            Self::Standard(_) => Failure::writing("the standard output", error),
            Self::Direct(path, _) | Self::Aside(path, _) => Failure::writing_file(path, error),
        }
    }
}

/// Columns that a table may take: those of the terminal, or a hundred where there is none.
pub(crate) fn width() -> u16 {
    terminal_size::terminal_size().map_or(100, |(width, _)| width.0)
}

/// Prints a text to the standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::open(Path::new("-"))?;
    output.write(text.as_bytes())?;
    output.finish()
}
