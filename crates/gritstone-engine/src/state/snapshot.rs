//! The state of a world at one time, in plain numbers, for files and pictures.

use gritstone_core::{Dim, Pose};

/// The state of a world at one time.
#[derive(Clone, Debug, Default)]
pub struct Snapshot<D: Dim> {
    /// Steps made since the start.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
    /// The grains, in order of their ids.
    pub bodies: Vec<BodyState<D>>,
    /// The walls, in order of the setup.
    pub walls: Vec<WallState<D>>,
    /// The contacts, in order of ids.
    pub contacts: Vec<ContactState<D>>,
}

/// A grain at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyState<D: Dim> {
    /// Its id, which never changes.
    pub id: u32,
    /// Index of its shape in the setup.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// How many bodies it touches, walls included.
    pub coordination: u16,
    /// Whether it is fixed in place.
    pub frozen: bool,
    /// Position of its centre of mass, and orientation. In a periodic cell it is the image inside.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Sum of the contact forces on it (N).
    pub force: D::Vec,
}

/// A wall at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WallState<D: Dim> {
    /// Whether it is still there.
    pub present: bool,
    /// Position of its shape's own origin, and orientation.
    pub pose: Pose<D>,
    /// Force of the grains on it (N).
    pub force: D::Vec,
    /// Torque of the grains about the shape's origin (N m).
    pub torque: D::Spin,
}

/// Two bodies that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactState<D: Dim> {
    /// Id of the first body, always a grain.
    pub a: u32,
    /// Id of the second grain, or the index of the wall.
    pub b: u32,
    /// Whether the second body is a wall.
    pub with_wall: bool,
    /// Where the force acts: of a flat contact, or one that resists rolling, the centre of pressure.
    pub point: D::Vec,
    /// From where b is to the image of it that a touches: zero unless they meet across a side of the cell.
    pub across: D::Vec,
    /// Unit vector from a to b.
    pub normal: D::Vec,
    /// Overlap (m).
    pub depth: f64,
    /// Force on b (N).
    pub force: D::Vec,
    /// Torque on b about that point (N m): the twisting torque about the normal. Where repulsion and attraction nearly cancel, so that there is
    /// no centre of pressure near by, also the tilting torque.
    pub torque: D::Spin,
}
