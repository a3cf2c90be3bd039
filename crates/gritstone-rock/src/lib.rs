//! Grains from triangle meshes, such as scans of rocks.
//!
//! A [`Rock`] is a closed surface with the mass properties of what it encloses. It becomes a convex hull ([`Rock::hull`]), convex
//! parts ([`Rock::parts`]) or a superellipsoid ([`Rock::superellipsoid`]); [`Rock::deviation`] measures how far that is from the
//! surface.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod deviation;
mod fit;
mod hull;
mod mass;
mod parts;
mod sample;

use glam::DVec3;
use gritstone_core::{Mass, Space};
use gritstone_shape::ShapeError;

pub use deviation::Deviation;
pub use fit::Fitted;
pub use parts::Part;

/// What is wrong with a surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RockError {
    /// It encloses nothing.
    #[error("the surface encloses no volume")]
    NoVolume,
    /// A shape cannot be made of it.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// It could not be cut into convex parts.
    #[error("the surface could not be cut into convex parts")]
    NoParts,
}

/// A closed surface, about the centre of mass of what it encloses.
#[derive(Clone, Debug, PartialEq)]
pub struct Rock {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    mass: Mass<Space>,
}

impl Rock {
    /// A closed surface whose triangles run counter-clockwise seen from outside.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, RockError> {
        let mass = mass::of(points, triangles);
        // A body as flat as this has no shape left after rounding.
        let size = points.iter().map(|point| (*point - mass.centroid).length()).fold(0.0, f64::max);
        if !(mass.volume > 1e-9 * size.powi(3) && mass.volume.is_finite()) {
            return Err(RockError::NoVolume);
        }
        let points = points.iter().map(|point| *point - mass.centroid).collect();
        Ok(Self { points, triangles: triangles.to_vec(), mass: Mass { centroid: DVec3::ZERO, ..mass } })
    }

    /// The same rock, larger or smaller.
    pub fn scaled(&self, factor: f64) -> Self {
        let Mass { volume, centroid, second_moments } = self.mass;
        let mass = Mass {
            volume: volume * factor.powi(3),
            centroid,
            second_moments: second_moments * factor.powi(5),
        };
        let points = self.points.iter().map(|point| *point * factor).collect();
        Self { points, triangles: self.triangles.clone(), mass }
    }

    /// Mass properties for density one; the centre of mass is the origin.
    pub fn mass(&self) -> &Mass<Space> {
        &self.mass
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.triangles.len()
    }

    /// Radius of the ball of the same volume.
    pub fn radius(&self) -> f64 {
        libm::cbrt(self.mass.volume * 0.75 / std::f64::consts::PI)
    }

    /// The corners of a triangle.
    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|point| self.points[point as usize])
    }
}
