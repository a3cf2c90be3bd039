//! What can go wrong with a picture.

use std::path::PathBuf;

/// Why a picture could not be drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A picture without pixels, or with more than can be addressed.
    #[error("a picture of {width} × {height} pixels is not possible (each side must lie in 1 … {limit})")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The longest side that is possible with the chosen supersampling.
        limit: u32,
    },
    /// Supersampling outside its range.
    #[error("supersampling is {0}, but must lie in 1 … 8")]
    Supersampling(u32),
    /// A mesh whose parts do not fit together.
    #[error("mesh: {0}")]
    Mesh(&'static str),
    /// A number in the scene that is infinite or not a number.
    #[error("{0} is not finite")]
    NotFinite(&'static str),
    /// A sheet without panels or columns.
    #[error("a sheet needs at least one panel and one column")]
    EmptySheet,
    /// The file could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Where the picture should have gone.
        path: PathBuf,
        /// Why it could not.
        source: std::io::Error,
    },
}
