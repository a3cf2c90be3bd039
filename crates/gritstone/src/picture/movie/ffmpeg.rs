//! MP4 by the program ffmpeg, where it is installed.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use gritstone_files::Aside;
use gritstone_render::Image;

use super::{Film, Look, PictureError};

/// ffmpeg, waiting for pictures.
pub(super) struct Ffmpeg {
    place: PathBuf,
    aside: Option<Aside>,
    child: Child,
}

impl Ffmpeg {
    /// Starts the program; the error says what to do where there is none.
    pub(super) fn start(path: &Path, look: &Look, fps: u32) -> Result<Self, PictureError> {
        let (size, fps) = (format!("{}x{}", look.width, look.height), fps.to_string());
        let aside =
            Aside::create(path).map_err(|source| PictureError::Write { path: path.to_owned(), source })?;
        let child = Command::new("ffmpeg")
            .args([
                "-y",
                "-loglevel",
                "error",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "rgb24",
                "-s",
                &size,
                "-r",
                &fps,
            ])
            // Players want an even number of pixels, and colours at half the resolution.
            .args(["-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p"])
            .args(["-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"])
            .args(["-f", "mp4"])
            .arg(aside.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => Ok(Self { place: path.to_owned(), aside: Some(aside), child }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(PictureError::Movie(
                "MP4 is made by the program ffmpeg, which is not installed here; a movie whose name ends in .gif needs none"
                    .to_owned(),
            )),
            Err(error) => Err(PictureError::Movie(format!("ffmpeg cannot be started: {error}"))),
        }
    }

    /// What ffmpeg says, once it has ended.
    fn failure(&mut self) -> PictureError {
        let mut said = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            // What cannot be read is not told.
            let _ = stderr.read_to_string(&mut said);
        }
        let source = io::Error::other(format!("ffmpeg failed: {}", said.trim()));
        PictureError::Write { path: self.place.clone(), source }
    }
}

impl Film for Ffmpeg {
    fn push(&mut self, picture: &Image) -> Result<(), PictureError> {
        let bytes: Vec<u8> = picture.pixels().iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        let written = self.child.stdin.as_mut().map(|stdin| stdin.write_all(&bytes));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.failure()),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<(), PictureError> {
        drop(self.child.stdin.take());
        match self.child.wait() {
            Ok(status) if status.success() => self.aside.take().map_or(Ok(()), |aside| {
                aside.place().map_err(|source| PictureError::Write { path: self.place.clone(), source })
            }),
            _ => Err(self.failure()),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Where it has ended already, there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
