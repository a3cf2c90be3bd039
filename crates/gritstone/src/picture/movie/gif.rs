//! Animated GIF.
//!
//! Each frame has a palette of its own, from the colours that are new in it. Pixels that are the same as in the frame
//! before are transparent, so that a picture with a still ground takes little room.

use std::collections::HashMap;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use gritstone_files::Aside;
use gritstone_render::Image;

use super::{Film, Look, PictureError};

/// Colours of a palette that are learnt; one more is the white of the ground, and one means "as before".
const COLORS: usize = 254;
const WHITE: u8 = 254;
const AS_BEFORE: u8 = 255;

/// Every how manyth pixel teaches the palette: 1 is best, 30 fastest.
const SAMPLING: i32 = 1;

/// A GIF on its way.
pub(super) struct Gif {
    place: PathBuf,
    /// Hundredths of a second that a picture stays.
    delay: u16,
    encoder: Option<Encoder<BufWriter<Aside>>>,
    before: Option<Image>,
}

impl Gif {
    /// Begins the file beside its place.
    pub(super) fn create(path: &Path, look: &Look, fps: u32) -> Result<Self, PictureError> {
        let begin = || -> io::Result<_> {
            let file = BufWriter::new(Aside::create(path)?);
            let mut encoder =
                Encoder::new(file, look.width as u16, look.height as u16, &[]).map_err(io::Error::other)?;
            encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
            Ok(encoder)
        };
        let encoder = begin().map_err(|source| PictureError::Write { path: path.to_owned(), source })?;
        let delay = (100.0 / f64::from(fps)).round() as u16;
        Ok(Self { place: path.to_owned(), delay, encoder: Some(encoder), before: None })
    }

    fn failed(&self, source: io::Error) -> PictureError {
        PictureError::Write { path: self.place.clone(), source }
    }
}

impl Film for Gif {
    fn push(&mut self, picture: &Image) -> Result<(), PictureError> {
        let frame = frame(picture, self.before.as_ref(), self.delay);
        let Some(encoder) = &mut self.encoder else { return Ok(()) };
        let written = encoder.write_frame(&frame);
        self.before = Some(picture.clone());
        written.map_err(|error| self.failed(io::Error::other(error)))
    }

    fn finish(mut self: Box<Self>) -> Result<(), PictureError> {
        let Some(encoder) = self.encoder.take() else { return Ok(()) };
        let ended = encoder.into_inner().map_err(io::Error::other);
        let ended = ended.and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        ended.and_then(Aside::place).map_err(|error| self.failed(error))
    }
}

/// What is new in a picture.
fn frame(picture: &Image, before: Option<&Image>, delay: u16) -> Frame<'static> {
    let pixels = picture.pixels();
    let old = |at: usize| before.map(|before| before.pixels()[at]);
    let is_new = |(at, pixel): &(usize, &[u8; 4])| old(*at) != Some(**pixel);
    // Each colour once: a white ground would teach nothing else.
    let mut fresh: Vec<[u8; 4]> = pixels.iter().enumerate().filter(is_new).map(|(_, pixel)| *pixel).collect();
    fresh.sort_unstable();
    fresh.dedup();
    let mut sample: Vec<u8> = fresh.into_iter().flatten().collect();
    // A palette is learnt from some colours at least.
    if sample.len() < 4 * COLORS {
        sample.extend(pixels.iter().take(COLORS).flatten());
    }
    let quantiser = NeuQuant::new(SAMPLING, COLORS, &sample);
    let mut known: HashMap<[u8; 4], u8> = HashMap::new();
    let mut index = |pixel: &[u8; 4]| match pixel {
        [255, 255, 255, _] => WHITE,
        _ => *known.entry(*pixel).or_insert_with(|| quantiser.index_of(pixel) as u8),
    };
    let indices: Vec<u8> = pixels
        .iter()
        .enumerate()
        .map(|(at, pixel)| if old(at) == Some(*pixel) { AS_BEFORE } else { index(pixel) })
        .collect();
    let mut palette = quantiser.color_map_rgb();
    palette.resize(3 * COLORS, 0);
    palette.extend([255; 3]);
    palette.extend([0; 3]);
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: before.map(|_| AS_BEFORE),
        width: picture.width() as u16,
        height: picture.height() as u16,
        palette: Some(palette),
        buffer: indices.into(),
        ..Frame::default()
    }
}
