//! Bounds of placed bodies: sphere, box along the world's axes, box along the body's axes.

use glam::{DMat3, DVec3};
use gritstone_core::{Pose, Space};

use crate::{Body, Support};

/// The smallest sphere about a body's own origin that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Centre in the world.
    pub centre: DVec3,
    /// Radius.
    pub radius: f64,
}

impl BoundingSphere {
    /// The bounds of a placed body.
    pub fn of<S: Support<Space> + ?Sized>(shape: &S, pose: &Pose<Space>) -> Self {
        Self { centre: pose.position, radius: shape.size() }
    }
}

/// The smallest box along the world's axes that holds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignedBox {
    /// The corner with the least coordinates, in the world.
    pub min: DVec3,
    /// The corner with the largest coordinates, in the world.
    pub max: DVec3,
}

impl AlignedBox {
    /// The bounds of a placed body: its support function along the six directions of the world's axes.
    pub fn of<S: Support<Space> + ?Sized>(shape: &S, pose: &Pose<Space>) -> Self {
        let axes_body = pose.frame().transpose();
        let reach = |sign: f64| {
            DVec3::from_array([axes_body.x_axis, axes_body.y_axis, axes_body.z_axis].map(|axis| {
                let n = axis * sign;
                n.dot(shape.support(n))
            }))
        };
        Self { min: pose.position - reach(-1.0), max: pose.position + reach(1.0) }
    }
}

/// The smallest box along a body's own axes that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Centre in the world.
    pub centre: DVec3,
    /// The box's axes in the world, as columns.
    pub frame: DMat3,
    /// Half the edges along these axes.
    pub half_extents: DVec3,
}

impl OrientedBox {
    /// The bounds of a placed body.
    pub fn of<S: Body<Space> + ?Sized>(shape: &S, pose: &Pose<Space>) -> Self {
        Self { centre: pose.position, frame: pose.frame(), half_extents: shape.half_extents() }
    }
}
