//! Bounds of placed bodies: ball, box along the world's axes, box along the body's axes. In the plane: circle and
//! rectangles.

use gritstone_core::{Dim, Linear, Pose, Vector};

use crate::{Body, Support};

/// The smallest ball about a body's own origin that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBall<D: Dim> {
    /// Centre in the world.
    pub centre: D::Vec,
    /// Radius.
    pub radius: f64,
}

impl<D: Dim> BoundingBall<D> {
    /// The bounds of a placed body.
    pub fn of<S: Support<D> + ?Sized>(shape: &S, pose: &Pose<D>) -> Self {
        Self { centre: pose.position, radius: shape.size() }
    }
}

/// The smallest box along the world's axes that holds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignedBox<D: Dim> {
    /// The corner with the least coordinates, in the world.
    pub min: D::Vec,
    /// The corner with the largest coordinates, in the world.
    pub max: D::Vec,
}

impl<D: Dim> AlignedBox<D> {
    /// The bounds of a placed body: its support function along the world's axes, both ways.
    pub fn of<S: Support<D> + ?Sized>(shape: &S, pose: &Pose<D>) -> Self {
        let reach = |sign: f64| {
            D::Vec::from_fn(|i| {
                let n = D::unrotate(pose.rotation, D::Vec::axis(i) * sign);
                n.dot(shape.support(n))
            })
        };
        Self { min: pose.position - reach(-1.0), max: pose.position + reach(1.0) }
    }
}

/// The smallest box along a body's own axes that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox<D: Dim> {
    /// Centre in the world.
    pub centre: D::Vec,
    /// The box's axes in the world, as columns.
    pub frame: D::Frame,
    /// Half the edges along these axes.
    pub half_extents: D::Vec,
}

impl<D: Dim> OrientedBox<D> {
    /// The bounds of a placed body.
    pub fn of<S: Body<D> + ?Sized>(shape: &S, pose: &Pose<D>) -> Self {
        Self { centre: pose.position, frame: pose.frame(), half_extents: shape.half_extents() }
    }
}
