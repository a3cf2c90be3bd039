//! What can go wrong while a report is put together or written.

use std::io;
use std::path::PathBuf;

/// Why a table, an image or a report was refused or could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A row does not have one cell per column.
    #[error("table `{table}`: a row has {found} cells, but the table has {expected} columns")]
    RowLength {
        /// Name of the table.
        table: String,
        /// Number of columns.
        expected: usize,
        /// Number of cells in the row.
        found: usize,
    },
    /// A name that becomes a file name holds something else than ASCII letters, digits, `-`, `_` and `.`,
    /// starts with a dot, or is empty.
    #[error("`{0}` cannot name a file: use ASCII letters, digits, `-`, `_` and `.`, not starting with `.`")]
    BadName(String),
    /// Two tables, plots or images of one report share a name (letter case does not count).
    #[error("two parts of the report are named `{0}`")]
    DuplicateName(String),
    /// The bytes of an image do not start like a PNG file.
    #[error("image `{0}` is not a PNG file")]
    NotPng(String),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder in question.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}
