//! Where a body is and how it is turned.

use glam::{DMat3, DQuat, DVec3};

use crate::{Dim, Space};

/// Position and orientation of a body: `x_world = position + rotation · x_body`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose<D: Dim> {
    /// Where the body's own origin is.
    pub position: D::Vec,
    /// How the body is turned (in space a unit quaternion, in the plane an angle in radians).
    pub rotation: D::Rotation,
}

impl Pose<Space> {
    /// A pose at `position`, turned by `rotation`, which is normalised here.
    pub fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation: rotation.normalize() }
    }

    /// A pose at `position` that is not turned.
    pub fn at(position: DVec3) -> Self {
        Self { position, rotation: DQuat::IDENTITY }
    }

    /// The rotation as a matrix whose columns are the body's axes in the world.
    pub fn frame(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// A point given in the body's frame, in the world.
    pub fn to_world(&self, point: DVec3) -> DVec3 {
        self.position + self.rotation * point
    }

    /// A point given in the world, in the body's frame.
    pub fn to_body(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.position)
    }

    /// This pose after a rigid motion of the whole world.
    pub fn moved_by(&self, motion: &Self) -> Self {
        Self::new(motion.to_world(self.position), motion.rotation * self.rotation)
    }
}
