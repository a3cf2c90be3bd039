//! The trajectory: one compact file that the viewer, pictures and reports are made from.
//!
//! The layout is in `docs/trajectory.md`: a chain of checksummed, zlib-compressed chunks; first a description of shapes,
//! walls and materials as JSON, then frames, and before a frame the list of grains wherever that has changed. Frames can be
//! read one by one. A file that was cut or altered is good up to there, and the reader says where that is.
//!
//! Numbers are as exact as pictures need: positions to 1/8192 of the smallest grain's size, rotations to 3e-4, velocities,
//! spins and forces to three digits. States to compute with are in checkpoints and in [`states`](crate::states).

mod cell;
mod chunk;
mod columns;
mod compounds;
mod describe;
mod frame;
mod half;
mod outline;
mod reader;
mod rotation;
mod salvage;
mod writer;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Dim, Pose};
use gritstone_engine::{Compounds, Wall};

pub use outline::headers;
pub use reader::{Broken, Moment, Reader};
pub use rotation::PackedRotation;
pub use salvage::Repaired;
pub use writer::Writer;

/// What a trajectory says of the run before its first frame.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a, D: NarrowPhase> {
    /// What the run is called.
    pub title: &'a str,
    /// The shapes that grains have.
    pub shapes: &'a [D::Shape],
    /// Those of them that are compounds, if any are.
    pub compounds: Option<&'a Compounds<D>>,
    /// Names of the shapes, as many as there are shapes, or none.
    pub shape_names: &'a [String],
    /// Names of the materials.
    pub materials: &'a [String],
    /// The walls.
    pub walls: &'a [Wall<D>],
}

/// A moment as a trajectory tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame<D: Dim> {
    /// Steps made since the start.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
    /// The grains, in order of their ids.
    pub grains: Vec<FrameGrain<D>>,
    /// The walls, in the order of the description.
    pub walls: Vec<FrameWall<D>>,
    /// What touches what; nothing where contacts were not recorded.
    pub contacts: Option<Vec<FrameContact<D>>>,
    /// The periodic cell, if there is one.
    pub cell: Option<FrameCell<D>>,
}

/// The periodic cell, in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameCell<D: Dim> {
    /// Its middle.
    pub centre: D::Vec,
    /// From a place to the next one that is the same, along each axis (m); none where nothing repeats.
    pub sides: [Option<D::Vec>; 3],
}

/// A grain of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameGrain<D: Dim> {
    /// Its name for good.
    pub id: u32,
    /// Index of its shape.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// How many bodies it touches, walls included; 255 stands for more, too.
    pub coordination: u8,
    /// Position of its centre of mass, and orientation.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity, in world axes (rad/s).
    pub spin: D::Spin,
    /// Sum of the magnitudes of the contact forces on it (N).
    pub load: f64,
}

/// A wall of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameWall<D: Dim> {
    /// Whether it is there.
    pub present: bool,
    /// Position of its shape's own origin, and orientation.
    pub pose: Pose<D>,
    /// Force of the grains on it (N).
    pub force: D::Vec,
}

/// A contact of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameContact<D: Dim> {
    /// Id of the first body, always a grain.
    pub a: u32,
    /// Id of the second grain, or the index of the wall.
    pub b: u32,
    /// Whether the second body is a wall.
    pub with_wall: bool,
    /// Where forces act.
    pub point: D::Vec,
    /// Force on b (N).
    pub force: D::Vec,
}
