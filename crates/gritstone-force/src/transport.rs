//! How springs in the tangent plane turn with it.

use gritstone_core::{Dim, Linear};

/// A tangent vector of the last step in this step's tangent plane: laid into the plane and turned about the normal, its
/// length kept.
///
/// Laying down by projection differs from turning by a quarter of the square of the angle between the normals: a hundredth
/// of a degree per full turn when a turn takes ten thousand steps, and the old normal need not be kept.
#[inline]
pub(crate) fn transport<D: Dim>(v: D::Vec, normal: D::Vec, mean_spin: D::Spin, dt: f64) -> D::Vec {
    let length2 = v.dot(v);
    if length2 == 0.0 {
        return v;
    }
    let flat = v - normal * normal.dot(v);
    let turned = flat + D::sweep(D::about(mean_spin, normal), flat) * dt;
    let turned2 = turned.dot(turned);
    if turned2 > 0.0 { turned * (length2 / turned2).sqrt() } else { D::Vec::default() }
}
