//! The radius of curvature of a boundary in the plane.

use glam::DVec2;
use gritstone_core::Plane;

use super::unit::unit;
use crate::{Implicit, Support};

/// The radius of curvature of a boundary: zero at a corner, large or infinite where it is flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiusOfCurvature(pub f64);

impl RadiusOfCurvature {
    /// Where the boundary has the outward unit normal `n`: the trace of ∇²h, whose other eigenvalue is zero.
    pub fn at_normal<S: Support<Plane> + ?Sized>(shape: &S, n: DVec2) -> Self {
        Self(shape.jet(n).hessian.trace())
    }

    /// At the point `x` of the boundary; for any other point but the origin, of the scaled body on which it lies:
    /// `|∇N| / tᵀ∇²N t` with the gauge N and the tangent t.
    pub fn at_point<S: Implicit<Plane> + ?Sized>(shape: &S, x: DVec2) -> Self {
        let (_, gradient, hessian) = shape.gauge_jet(x);
        let n = unit(gradient);
        Self(gradient.dot(n) / hessian.form(n.perp()))
    }
}
