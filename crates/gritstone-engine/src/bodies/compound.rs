//! Grains made of several convex shapes: concave grains, clumps of spheres.
//!
//! A compound has one pose, one mass and one moment of inertia; its parts carry the shapes that touch others. Where parts
//! overlap, matter is counted once ([`union`]).

mod adaptive;
mod balls;
mod chord;
mod union;

use std::collections::BTreeMap;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Linear as _, Mass, Pose, Vector as _};
use gritstone_shape::{AnyShape as _, Support as _};

use crate::dimension::Dimension;

/// A convex shape and its pose in a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Part<D: NarrowPhase> {
    /// The shape; it has a volume.
    pub shape: D::Shape,
    /// Position of its own origin and orientation in the compound's frame.
    pub pose: Pose<D>,
}

/// Several convex shapes that move as one body. Its centre of mass is at its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound<D: NarrowPhase> {
    parts: Vec<Part<D>>,
    mass: Mass<D>,
}

/// Compounds, by the indices of shapes.
pub type Compounds<D> = BTreeMap<u32, Compound<D>>;

/// Why a compound cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompoundError {
    /// There is nothing in it.
    #[error("a compound needs at least one part")]
    Empty,
    /// A shape that encloses nothing.
    #[error("part {part} is a {word}, which has no volume or no end")]
    NoVolume {
        /// Which one, counted from 0.
        part: usize,
        /// Its shape in words.
        word: String,
    },
    /// A number that is not finite.
    #[error("part {part} has a pose that is not finite")]
    NotFinite {
        /// Which one, counted from 0.
        part: usize,
    },
}

impl<D: Dimension> Compound<D> {
    /// The compound of these parts, moved so that its centre of mass is at the origin, and where the centre of mass was.
    pub fn new(mut parts: Vec<Part<D>>) -> Result<(Self, D::Vec), CompoundError> {
        if parts.is_empty() {
            return Err(CompoundError::Empty);
        }
        for (part, Part { shape, pose }) in parts.iter().enumerate() {
            if shape.mass_properties().is_none() {
                return Err(CompoundError::NoVolume { part, word: shape.word().to_owned() });
            }
            if !D::rotate(pose.rotation, pose.position).length().is_finite() {
                return Err(CompoundError::NotFinite { part });
            }
        }
        let mass = union::mass::<D>(&parts);
        let centre = mass.centroid;
        parts.iter_mut().for_each(|part| part.pose.position -= centre);
        Ok((Self { parts, mass: Mass { centroid: D::Vec::default(), ..mass } }, centre))
    }
}

impl<D: NarrowPhase> Compound<D> {
    /// Its parts.
    pub fn parts(&self) -> &[Part<D>] {
        &self.parts
    }

    /// Mass properties for density one, overlaps counted once.
    pub fn mass(&self) -> &Mass<D> {
        &self.mass
    }

    /// Radius of a ball about the centre of mass that holds all parts.
    pub fn size(&self) -> f64 {
        self.parts.iter().map(|part| part.pose.position.length() + part.shape.size()).fold(0.0, f64::max)
    }

    /// Half the edges of a box, aligned with the compound's axes and centred on its origin, that holds it.
    pub fn half_extents(&self) -> D::Vec {
        D::Vec::from_fn(|axis| {
            let reach = |part: &Part<D>| {
                [1.0, -1.0].map(|sign| reach(part, D::Vec::axis(axis) * sign)).into_iter().fold(0.0, f64::max)
            };
            self.parts.iter().map(reach).fold(0.0, f64::max)
        })
    }
}

/// How far a part reaches along a unit vector from the compound's origin.
fn reach<D: NarrowPhase>(part: &Part<D>, along: D::Vec) -> f64 {
    let n = D::unrotate(part.pose.rotation, along);
    part.pose.position.dot(along) + n.dot(part.shape.support(n))
}
