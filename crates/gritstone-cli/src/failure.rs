//! How a command fails: a message in the user's words and an exit code.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use gritstone::scene::Problems;
use serde_json::{Value, json};

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The run failed, or a line was bad.
    Failed(String),
    /// What the user gave cannot be used.
    BadInput(String),
    /// A scene is wrong, in one place or several.
    BadScene(Problems),
    /// Whoever reads our output has had enough, as `head` does: no failure at all.
    NoReader,
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn reading(name: &str, error: &io::Error) -> Self {
        Self::BadInput(format!("cannot read {name}: {}", plain(error)))
    }

    /// A file or stream that cannot be written.
    pub(crate) fn writing(name: impl Display, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NoReader
        } else {
            Self::Failed(format!("cannot write {name}: {}", plain(error)))
        }
    }

    /// A file that cannot be written to disk.
    pub(crate) fn writing_file(path: &Path, error: &io::Error) -> Self {
        Self::writing(path.display(), error)
    }

    /// What is told.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::NoReader => String::new(),
            Self::Failed(message) | Self::BadInput(message) => message.clone(),
            Self::BadScene(problems) => problems.to_string(),
        }
    }

    /// For programs: an object with the error, and for scenes all problems one by one.
    pub(crate) fn to_json(&self) -> Option<Value> {
        let (error, problems) = match self {
            Self::NoReader => return None,
            Self::Failed(message) | Self::BadInput(message) => (message.clone(), None),
            Self::BadScene(problems) => (problems.to_string(), Some(problems.to_json())),
        };
        Some(json!({ "end": "failed", "error": error, "problems": problems }))
    }

    /// Tells the user and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::NoReader => ExitCode::SUCCESS,
            Self::Failed(message) => {
                eprintln!("error: {message}");
                ExitCode::from(1)
            }
            Self::BadScene(problems) => {
                for problem in &problems.list {
                    eprintln!("error: {}", problems.source.show(problem));
                }
                ExitCode::from(2)
            }
            Self::BadInput(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::BadInput(message) => f.write_str(message),
            Self::BadScene(problems) => problems.fmt(f),
            Self::NoReader => f.write_str("the output is not read any more"),
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::BadScene(problems)
    }
}

impl From<gritstone::report::Error> for Failure {
    fn from(error: gritstone::report::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<gritstone::render::Error> for Failure {
    fn from(error: gritstone::render::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The system's words without the number that Rust puts behind them.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
