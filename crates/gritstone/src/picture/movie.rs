//! Movies: all frames of a run as an animated GIF, or as MP4 by ffmpeg.

mod ffmpeg;
mod gif;

use std::path::Path;

use gritstone_render::Image;

use super::{Album, Look, PictureError};

/// Most frames per second of a GIF: viewers slow down what is faster.
const FASTEST_GIF: u32 = 50;

/// A kind of movie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An animated GIF, which every browser and word processor shows.
    Gif,
    /// H.264 in MP4, which is smaller and has all colours.
    Mp4,
}

impl Kind {
    /// The kind that a file's name asks for.
    pub fn of(path: &Path) -> Result<Self, PictureError> {
        match path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("gif") => Ok(Self::Gif),
            Some("mp4") => Ok(Self::Mp4),
            _ => Err(PictureError::Movie(format!(
                "{}: the name of a movie ends in .gif or .mp4",
                path.display()
            ))),
        }
    }
}

/// Takes pictures one after another.
trait Film {
    fn push(&mut self, picture: &Image) -> Result<(), PictureError>;
    fn finish(self: Box<Self>) -> Result<(), PictureError>;
}

/// Draws these frames into a movie, all from one point of view and with one scale of colours. `told` hears how many are
/// done. Nothing is left of a movie that fails.
pub fn write(
    album: &mut Album,
    frames: &[usize],
    look: &Look,
    fps: u32,
    path: &Path,
    progress: &mut dyn FnMut(usize),
) -> Result<(), PictureError> {
    let mut film: Box<dyn Film> = match Kind::of(path)? {
        Kind::Gif if fps > FASTEST_GIF => return Err(PictureError::Movie(too_fast(fps))),
        Kind::Gif => Box::new(gif::Gif::create(path, look, fps)?),
        Kind::Mp4 => Box::new(ffmpeg::Ffmpeg::start(path, look, fps)?),
    };
    let stage = album.stage(frames, look)?;
    for (done, frame) in frames.iter().enumerate() {
        film.push(&album.draw_on(&stage, *frame, look)?)?;
        progress(done + 1);
    }
    film.finish()
}

fn too_fast(fps: u32) -> String {
    format!("{fps} frames per second are too many for a GIF: at most {FASTEST_GIF}")
}
