//! How springs in the tangent plane turn with it.

use gritstone_core::lanes::{Quantity, Real};

use crate::Arithmetic;

/// A tangent vector of the last step in this step's tangent plane: laid into the plane and turned about the normal by the
/// small angle `turn`, its length kept.
///
/// Laying down by projection differs from turning by a quarter of the square of the angle between the normals: a hundredth
/// of a degree per full turn when a turn takes ten thousand steps, and the old normal need not be kept.
#[inline(always)]
pub(crate) fn transport<A: Arithmetic>(v: A::Vec, normal: A::Vec, turn: A::Spin) -> A::Vec {
    let zero = A::Num::splat(0.0);
    let flat = v - normal * normal.inner(v);
    let turned = flat + A::sweep(turn, flat);
    let (before, after) = (v.inner(v), turned.inner(turned));
    turned * A::Num::select(zero.lt(after), (before / after).sqrt(), zero)
}
