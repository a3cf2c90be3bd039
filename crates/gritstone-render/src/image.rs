//! Finished pictures and the PNG files they go to.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use gritstone_files::Aside;

use crate::{Color, Error};

/// A picture of 8-bit sRGB pixels with alpha, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, color: Color) -> Self {
        let [r, g, b] = color.to_srgb8();
        Self { width, height, pixels: vec![[r, g, b, 255]; width as usize * height as usize] }
    }

    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The pixel in column `x` of row `y`, unless it lies outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        (x < self.width && y < self.height).then(|| self.pixels[self.index(x, y)])
    }

    /// Copies another picture in, its top left corner at (`x`, `y`); what sticks out is cut off.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let to = self.index(x, y + row);
            let from = other.index(0, row);
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[from..from + columns]);
        }
    }

    /// Covers part of one pixel, in proportion as the eye sees it (which keeps thin dark strokes dark).
    pub(crate) fn cover(&mut self, x: i64, y: i64, rgb: [u8; 3], coverage: f32) {
        if x < 0 || y < 0 || x >= i64::from(self.width) || y >= i64::from(self.height) {
            return;
        }
        let index = self.index(x as u32, y as u32);
        for (old, new) in self.pixels[index].iter_mut().zip(rgb) {
            *old = (f32::from(*old) + (f32::from(new) - f32::from(*old)) * coverage).round() as u8;
        }
    }

    /// Fills a rectangle; what sticks out is cut off.
    pub(crate) fn fill(&mut self, [x0, x1]: [u32; 2], [y0, y1]: [u32; 2], color: Color) {
        let [r, g, b] = color.to_srgb8();
        for y in y0..y1.min(self.height) {
            for x in x0..x1.min(self.width) {
                let index = self.index(x, y);
                self.pixels[index] = [r, g, b, 255];
            }
        }
    }

    pub(crate) fn set(&mut self, x: u32, y: u32, rgb: [u8; 3]) {
        let index = self.index(x, y);
        self.pixels[index] = [rgb[0], rgb[1], rgb[2], 255];
    }

    /// Writes a PNG beside `path` and renames it, so that no one ever sees half a picture.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        self.write_file(path).map_err(|source| Error::Write { path: path.to_owned(), source })
    }

    fn write_file(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(Aside::create(path)?);
        self.encode(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.place()
    }

    /// The bytes of a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let failed = |source| Error::Write { path: "a picture in memory".into(), source };
        self.encode(&mut bytes).map(|()| bytes).map_err(failed)
    }

    /// Without alpha, which nothing here makes use of: files are smaller by a fifth.
    fn encode(&self, out: &mut impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let rgb: Vec<u8> = self.pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer.write_image_data(&rgb).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }
}
