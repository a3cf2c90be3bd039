//! Why there is no picture.

use std::path::PathBuf;

use gritstone_io::FileError;
use gritstone_scene::display::plain;

use super::SIDES;
use crate::run::TRAJECTORY;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The folder holds no trajectory.
    #[error(
        "{} {}",
        folder.display(),
        if *there { format!("holds no {TRAJECTORY}: pictures are made from that of a run") } else { "is no folder".to_owned() }
    )]
    NoTrajectory {
        /// The folder.
        folder: PathBuf,
        /// Whether it is there.
        there: bool,
    },
    /// The trajectory is empty.
    #[error("{} holds no frame{}", path.display(), why.as_ref().map_or_else(String::new, |why| format!(": {why}")))]
    NoFrames {
        /// The file.
        path: PathBuf,
        /// Why that is so, if it is known.
        why: Option<String>,
    },
    /// What the trajectory says of shapes and walls does not fit together.
    #[error("{}: {what}", path.display())]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// There is no frame near the time that was requested.
    #[error("there is no frame at {} s: the trajectory goes from {} to {} s", plain(*asked), plain(*first), plain(*last))]
    Time {
        /// The time that was requested (s).
        asked: f64,
        /// Time of the first frame (s).
        first: f64,
        /// Time of the last frame (s).
        last: f64,
    },
    /// The picture would be too small or too large.
    #[error("a picture of {width} × {height} pixels is not possible: each side must lie in {} … {}", SIDES.start(), SIDES.end())]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// Movies of this kind cannot be made.
    #[error("{0}")]
    Movie(String),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The picture could not be drawn or written.
    #[error(transparent)]
    Render(#[from] gritstone_render::Error),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl PictureError {
    /// Whether the input is at fault, rather than the run.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Render(_) | Self::Write { .. })
    }
}
