//! Principal radii of curvature of a surface in space.
//!
//! **Idea.** At a normal n the Hessian of the support function, restricted to the tangent plane, is the inverse of the
//! shape operator: its eigenvalues are the principal radii. At a point x the Hessian of the gauge N over `|∇N|`, again
//! on the tangent plane, is the shape operator: its eigenvalues are the principal curvatures. Each is exact where the
//! other loses digits: from normals on curved parts, from points on flat ones.
//!
//! **Fails when** a radius is infinite (flat) or zero (a vertex): it then comes out as large, or infinite, or zero.

use glam::{DMat3, DVec3};
use gritstone_core::Space;
use gritstone_core::linalg::{Sym3, Tangent};

use super::unit::unit;
use crate::{Implicit, Support};

/// The principal radii of curvature of a surface at a point, with their directions, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalRadii {
    /// The radii, the smaller one first.
    pub radii: [f64; 2],
    /// Unit tangents along which the surface bends with these radii; with the normal they are right-handed.
    pub directions: [DVec3; 2],
}

impl PrincipalRadii {
    /// Where the surface has the outward unit normal `n`.
    pub fn at_normal<S: Support<Space> + ?Sized>(shape: &S, n: DVec3) -> Self {
        let (radii, directions) = principal(&shape.jet(n).hessian, n);
        Self { radii, directions }
    }

    /// At the surface point `x`. For any other point but the origin: of the scaled body on which it lies.
    pub fn at_point<S: Implicit<Space> + ?Sized>(shape: &S, x: DVec3) -> Self {
        let (_, gradient, hessian) = shape.gauge_jet(x);
        let n = unit(gradient);
        let ([low, high], [along_low, along_high]) = principal(&hessian, n);
        let slope = gradient.dot(n);
        // The larger curvature is the smaller radius; one turn by 90° keeps the directions right-handed.
        Self { radii: [slope / high, slope / low], directions: [along_high, -along_low] }
    }
}

/// Eigenvalues of a positive semi-definite matrix on the plane across the unit vector `n`, the smaller one first, and
/// their directions.
fn principal(matrix: &Sym3, n: DVec3) -> ([f64; 2], [DVec3; 2]) {
    let tangent = Tangent::across(n);
    // Squares of entries are formed on the way.
    let of_order_one = *matrix * matrix.trace().max(f64::MIN_POSITIVE).recip();
    let (_, first) = tangent.restrict(&of_order_one, &DMat3::IDENTITY).eigen();
    let directions = [tangent.lift(first), tangent.lift(first.perp())];
    // Measured along the directions: the difference that gives the smaller one would lose it beside a large one.
    let [low, high] = directions.map(|t| t.dot(*matrix * t).max(0.0));
    ([low.min(high), high.max(low)], directions)
}
