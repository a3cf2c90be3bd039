//! A grain's shape as it is put in place: one convex body, or the parts of a compound.

use gritstone_core::{Linear as _, Pose};
use gritstone_shape::Support as _;

use crate::bodies::compound::Compound;
use crate::dimension::Dimension;
use crate::setup::Setup;

/// A grain's shape as it is put in place.
#[derive(Debug)]
pub enum GrainShape<'s, D: Dimension> {
    /// A convex body.
    Convex(&'s D::Shape),
    /// Several of them.
    Compound(&'s Compound<D>),
}

impl<D: Dimension> Clone for GrainShape<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Dimension> Copy for GrainShape<'_, D> {}

impl<'s, D: Dimension> GrainShape<'s, D> {
    /// Radius of a ball about its origin that holds it.
    pub fn size(self) -> f64 {
        match self {
            Self::Convex(shape) => shape.size(),
            Self::Compound(compound) => compound.size(),
        }
    }

    /// How far it reaches along a unit vector from its origin.
    pub fn reach(self, along: D::Vec) -> f64 {
        let height = |(shape, pose): (&D::Shape, Pose<D>)| {
            let n = D::unrotate(pose.rotation, along);
            pose.position.dot(along) + n.dot(shape.support(n))
        };
        self.bodies(Pose::default()).map(height).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The convex bodies that it is made of when it is at this pose.
    pub fn bodies(self, pose: Pose<D>) -> impl Iterator<Item = (&'s D::Shape, Pose<D>)> {
        let (convex, parts) = match self {
            Self::Convex(shape) => (Some((shape, pose)), &[][..]),
            Self::Compound(compound) => (None, compound.parts()),
        };
        convex.into_iter().chain(parts.iter().map(move |part| (&part.shape, part.pose.moved_by(&pose))))
    }
}

impl<D: Dimension> Setup<D> {
    /// The form of grains of this shape.
    pub fn form(&self, shape: u32) -> GrainShape<'_, D> {
        let convex = || GrainShape::Convex(&self.shapes[shape as usize]);
        self.compounds.get(&shape).map_or_else(convex, GrainShape::Compound)
    }
}
