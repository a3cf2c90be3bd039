//! What a simulation starts from, in plain numbers: scenes are turned into this.

use gritstone_contact::Setting;
use gritstone_core::{Dim, Pose};

/// Everything that a world is made of.
#[derive(Clone, Debug)]
pub struct Setup<D: Setting> {
    /// The shapes that grains have. A grain's position is the centre of mass of its shape, which is not always the shape's
    /// own origin.
    pub shapes: Vec<D::Shape>,
    /// Density of each material (kg/m³; in the plane kg/m²).
    pub densities: Vec<f64>,
    /// The grains, in any order.
    pub grains: Vec<Grain<D>>,
    /// Walls: bodies that forces do not move.
    pub walls: Vec<Wall<D>>,
    /// Acceleration of free fall (m/s²).
    pub gravity: D::Vec,
    /// Time step (s).
    pub time_step: f64,
    /// Where grains may be, if there are limits.
    pub domain: Option<Domain<D>>,
}

/// A grain at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain<D: Dim> {
    /// Its name for good; no two grains share one.
    pub id: u32,
    /// Index of its shape.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// Where its centre of mass is, and how it is turned.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Whether it stays where it is, whatever pushes it.
    pub frozen: bool,
}

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall<D: Setting> {
    /// What it is called in reports.
    pub name: String,
    /// Its shape; half-spaces and half-planes are the usual ones.
    pub shape: D::Shape,
    /// Index of its material.
    pub material: u16,
    /// Where the shape's own origin is, and how it is turned.
    pub pose: Pose<D>,
    /// Velocity of that origin (m/s).
    pub velocity: D::Vec,
    /// Angular velocity about that origin (rad/s).
    pub spin: D::Spin,
}

/// A box that grains may not leave, and what happens when one does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain<D: Dim> {
    /// Corner with the smallest coordinates; may be infinite.
    pub low: D::Vec,
    /// Corner with the largest coordinates; may be infinite.
    pub high: D::Vec,
    /// What happens to a grain whose centre leaves.
    pub leaving: Leaving,
}

/// What happens to a grain that leaves the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// The run ends with an error that names the grain.
    #[default]
    Error,
    /// The grain is taken out, and counted.
    Remove,
    /// It goes on; the domain is only a region to report on.
    Keep,
}
