//! Pictures of a run without a browser or a graphics card: from its trajectory to PNG, GIF and MP4.
//!
//! An [`Album`] is an open trajectory. [`Album::draw`] draws one frame in a given [`Look`], with a
//! legend; [`movie`] draws all frames. Grains have their true surfaces, in as much detail as the resolution shows. In 3D there are
//! shadows, and walls in front of the grains are drawn as edges or glass; in 2D shapes are flat with outlines.

mod cell;
mod coloring;
mod description;
mod edges;
mod error;
mod frame;
pub mod movie;
mod plane;
mod polygon;
mod space;
mod stage;
mod walls;

use std::path::{Path, PathBuf};

use gritstone_core::{Plane, Space};
use gritstone_io::trajectory::{Moment, Reader};
use gritstone_render::{Figure, Image, View};

pub use coloring::Coloring;
pub use error::PictureError;
pub use stage::Stage;

use crate::run::TRAJECTORY;
use coloring::Paint;
use description::Description;
use frame::Frame;

/// Options of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// View direction; in 2D there is one view only.
    pub view: View,
    /// Quantity to colour by; default: shape if there are several, else size if sizes differ, else speed.
    pub coloring: Option<Coloring>,
    /// Pixels across, legend included.
    pub width: u32,
    /// Pixels down, caption included.
    pub height: u32,
    /// Samples per pixel along each side; fewer are faster and coarser.
    pub supersampling: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self { view: View::Iso, coloring: None, width: 1200, height: 900, supersampling: 3 }
    }
}

/// Smallest and largest side of a picture in pixels.
pub const SIDES: std::ops::RangeInclusive<u32> = 64..=8192;

/// Least and most that a picture is tall in widths, where it may choose.
const LEAST_TALL: f64 = 0.35;
const MOST_TALL: f64 = 0.9;

/// The trajectory of a run, opened for drawing.
#[derive(Debug)]
pub struct Album {
    path: PathBuf,
    reader: Reader,
    description: Description,
}

impl Album {
    /// Opens the trajectory in the folder of a run. A file that was cut is good for the frames before that.
    pub fn open(folder: &Path) -> Result<Self, PictureError> {
        let path = folder.join(TRAJECTORY);
        if !path.is_file() {
            return Err(PictureError::NoTrajectory { folder: folder.to_owned(), there: folder.is_dir() });
        }
        let reader = Reader::open(&path)?;
        let description = Description::of(reader.description())
            .map_err(|what| PictureError::Description { path: path.clone(), what })?;
        if reader.moments().is_empty() {
            let why = reader.broken().map(ToString::to_string);
            return Err(PictureError::NoFrames { path, why });
        }
        Ok(Self { path, reader, description })
    }

    /// When the frames were taken; there is at least one.
    pub fn moments(&self) -> &[Moment] {
        self.reader.moments()
    }

    /// What the run is called; may be empty.
    pub fn title(&self) -> &str {
        &self.description.title
    }

    /// Whether it is of two dimensions.
    pub fn is_flat(&self) -> bool {
        self.description.dimension == 2
    }

    /// What is wrong with the file behind its last frame.
    pub fn broken(&self) -> Option<String> {
        self.reader.broken().map(|broken| format!("{}: {broken}", self.path.display()))
    }

    /// The frame nearest to a time, which must not be farther outside than frames are apart.
    pub fn frame_at(&self, time: f64) -> Result<usize, PictureError> {
        let moments = self.moments();
        let (first, last) = (moments[0].time, moments[moments.len() - 1].time);
        let apart = if moments.len() > 1 { (last - first) / (moments.len() - 1) as f64 } else { 0.0 };
        if !(first - apart..=last + apart).contains(&time) {
            return Err(PictureError::Time { asked: time, first, last });
        }
        let distance = |i: &usize| (moments[*i].time - time).abs();
        Ok((0..moments.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0))
    }

    /// Mean number of bodies that a grain of a frame touches, and the force on each wall.
    pub fn numbers(&mut self, number: usize) -> Result<Numbers, PictureError> {
        let frame = self.read_frame(number)?;
        let count = frame.grains.len().max(1) as f64;
        Ok(Numbers {
            coordination: frame.grains.iter().map(|grain| grain.coordination).sum::<f64>() / count,
            wall_forces: frame.walls.iter().map(|wall| wall.force.to_array()).collect(),
        })
    }

    /// Names of the walls.
    pub fn walls(&self) -> Vec<String> {
        self.description.walls.iter().map(|wall| wall.name.clone()).collect()
    }

    /// Number of grains in a frame.
    pub fn grains(&mut self, number: usize) -> Result<usize, PictureError> {
        Ok(self.read_frame(number)?.grains.len())
    }

    /// Common view and colour scale of some frames.
    pub fn stage(&mut self, frames: &[usize], look: &Look) -> Result<Stage, PictureError> {
        let view = if self.description.dimension == 2 { View::Z } else { look.view };
        // One for the whole run: as it is at its end.
        let last = self.moments().len() - 1;
        let coloring = match look.coloring {
            Some(coloring) => coloring,
            None => {
                let frame = self.read_frame(last)?;
                self.description.telling(&frame.grains)
            }
        };
        let mut stage = Stage::new(view, coloring);
        for number in frames {
            let frame = self.read_frame(*number)?;
            stage.add(&self.description, &frame);
        }
        Ok(stage)
    }

    /// A height in pixels that suits what there is to see in some frames, for a width.
    pub fn suiting_height(&mut self, frames: &[usize], look: &Look) -> Result<u32, PictureError> {
        let tall = self.stage(frames, look)?.aspect().clamp(LEAST_TALL, MOST_TALL);
        Ok((f64::from(look.width) * tall).round() as u32)
    }

    /// The picture of a frame.
    pub fn draw(&mut self, number: usize, look: &Look) -> Result<Image, PictureError> {
        let stage = self.stage(&[number], look)?;
        self.draw_on(&stage, number, look)
    }

    /// The picture of a frame, on a stage that it shares with others.
    pub fn draw_on(&mut self, stage: &Stage, number: usize, look: &Look) -> Result<Image, PictureError> {
        if !SIDES.contains(&look.width) || !SIDES.contains(&look.height) {
            return Err(PictureError::Size { width: look.width, height: look.height });
        }
        let frame = self.read_frame(number)?;
        let paint = Paint::new(&self.description, stage);
        let caption = self.caption(frame.time);
        let figure = Figure {
            width: look.width,
            height: look.height,
            legend: paint.legend(&self.description, stage),
            caption,
        };
        let room = figure.room();
        let picture = match self.description.dimension {
            2 => plane::draw(&self.description, &frame, &paint, stage, room)?,
            _ => space::draw(&self.description, &frame, &paint, stage, look.supersampling, room)?,
        };
        Ok(figure.compose(&picture))
    }

    fn caption(&self, time: f64) -> String {
        let time = format!("t = {}", gritstone_scene::display::time(time));
        if self.description.title.is_empty() { time } else { format!("{} · {time}", self.description.title) }
    }

    fn read_frame(&mut self, number: usize) -> Result<Frame, PictureError> {
        let frame = match self.description.dimension {
            2 => Frame::of::<Plane>(&mut self.reader, number),
            _ => Frame::of::<Space>(&mut self.reader, number),
        }?;
        match frame.misfit(&self.description) {
            None => Ok(frame),
            Some(what) => Err(PictureError::Description { path: self.path.clone(), what }),
        }
    }
}

/// Numbers of a frame that reports plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Mean number of bodies that a grain touches, walls included.
    pub coordination: f64,
    /// Force of the grains on each wall along x, y, z (N).
    pub wall_forces: Vec<[f64; 3]>,
}
