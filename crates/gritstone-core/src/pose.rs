//! Position and orientation of a body.

use crate::Dim;

/// Position and orientation of a body: `x_world = position + rotation · x_body`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose<D: Dim> {
    /// Where the body's own origin is.
    pub position: D::Vec,
    /// How the body is turned (in space a unit quaternion, in the plane an angle in radians).
    pub rotation: D::Rotation,
}

impl<D: Dim> Pose<D> {
    /// A pose at `position`, turned by `rotation`; a quaternion is normalised here.
    pub fn new(position: D::Vec, rotation: D::Rotation) -> Self {
        Self { position, rotation: D::normalized(rotation) }
    }

    /// A pose at `position` that is not turned.
    pub fn at(position: D::Vec) -> Self {
        Self { position, rotation: D::Rotation::default() }
    }

    /// The rotation as a matrix whose columns are the body's axes in the world.
    pub fn frame(&self) -> D::Frame {
        D::frame(self.rotation)
    }

    /// A point given in the body's frame, in the world.
    pub fn to_world(&self, point: D::Vec) -> D::Vec {
        self.position + D::rotate(self.rotation, point)
    }

    /// A point given in the world, in the body's frame.
    pub fn to_body(&self, point: D::Vec) -> D::Vec {
        D::unrotate(self.rotation, point - self.position)
    }

    /// This pose after a rigid motion of the whole world.
    pub fn moved_by(&self, motion: &Self) -> Self {
        Self::new(motion.to_world(self.position), D::compose(motion.rotation, self.rotation))
    }
}
