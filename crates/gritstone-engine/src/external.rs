//! Forces on grains that come from no contact: fields, drag, magnets, coupling to other programs.

use std::fmt::Debug;

use gritstone_core::Pose;

use crate::dimension::Dimension;

/// A grain as external forces see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainView<D: Dimension> {
    /// Its id, which never changes.
    pub id: u32,
    /// Index of its shape in the setup.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// Mass (kg).
    pub mass: f64,
    /// Position of its centre of mass, and orientation.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s), at the same moment as the pose.
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
}

/// A force on grains, evaluated once a step for every grain that can move.
///
/// Gravity is part of the setup. The work of these forces on the grains is counted as external work.
pub trait ExternalForce<D: Dimension>: Debug + Send + Sync {
    /// Force on a grain at its centre of mass (N) and torque about it (N m) at a time (s).
    fn load(&self, time: f64, grain: &GrainView<D>) -> (D::Vec, D::Spin);
}
