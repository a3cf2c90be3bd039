//! Where results go: the standard output, or a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A stream of results.
pub(crate) enum Output {
    /// The standard output.
    Standard(BufWriter<io::Stdout>),
    /// A device or pipe, written to as it is.
    Direct(PathBuf, BufWriter<File>),
    /// A file, written beside its place and moved there at the end.
    Aside(Aside),
}

/// A file that is not yet in its place. It is removed if it never gets there.
pub(crate) struct Aside {
    place: PathBuf,
    aside: PathBuf,
    file: BufWriter<File>,
    complete: bool,
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
                _ => Aside::create(place).map(Self::Aside),
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
        match &mut self {
            Self::Aside(aside) => {
                fs::rename(&aside.aside, &aside.place)
                    .map_err(|error| Failure::writing_file(&aside.place, &error))?;
                aside.complete = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Standard(stream) => stream,
            Self::Direct(_, file) => file,
            Self::Aside(aside) => &mut aside.file,
        }
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match self {
            Self::Standard(_) => Failure::writing("the standard output", error),
            Self::Direct(path, _) => Failure::writing_file(path, error),
            Self::Aside(aside) => Failure::writing_file(&aside.place, error),
        }
    }
}

impl Aside {
    fn create(place: PathBuf) -> io::Result<Self> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut aside = name.to_owned();
        aside.push(format!(".{}.tmp", std::process::id()));
        let aside = place.with_file_name(aside);
        let file = BufWriter::with_capacity(1 << 16, File::create_new(&aside)?);
        Ok(Self { place, aside, file, complete: false })
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.complete {
            // Best effort: what cannot be removed is left with a name that says what it is.
            let _ = fs::remove_file(&self.aside);
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
