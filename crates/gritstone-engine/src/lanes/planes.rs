//! Ellipsoids and spheres on planes, in lanes: one evaluation, exact.

use gritstone_core::lanes::{Lanes, Vec3, WIDTH};
use gritstone_shape::space::Solid;

use super::body::Body;
use super::found::{Finder, Found, Wanted, curvatures, effective_radius};

/// What lanes know of a plane: normal and offset in its own frame.
pub(super) fn numbers(shape: &Solid) -> Option<[f64; WIDTH]> {
    let Solid::HalfSpace(plane) = shape else { return None };
    let [x, y, z] = plane.normal().to_array();
    Some([x, y, z, plane.offset(), 0.0, 0.0, 0.0, 0.0])
}

/// Ellipsoids on planes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EllipsoidsOnPlanes;

impl Finder for EllipsoidsOnPlanes {
    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [shape_a, shape_b]: [[L; WIDTH]; 2],
        _: Vec3<L>,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let [a1, a2, a3, _, size, ..] = shape_a;
        let [x, y, z, plane_offset, ..] = shape_b;
        let tensor = a.tensor([a1, a2, a3]);
        // From the grain into the plane's solid side.
        let normal = -b.turn().apply(Vec3::new(x, y, z)).renormalized();
        let along = tensor.apply(normal);
        let h = normal.dot(along).sqrt();
        let by_h = one / h;
        let lowest = along * by_h;
        let gap = (normal.dot(b.position - a.position) - plane_offset) - h;
        let point = a.position + normal.mul_add(half * gap, lowest);
        let mut radius = a.radius;
        let mut good = active;
        if wanted.curvature || wanted.patches {
            let [sum, product] = curvatures(tensor.minus_square(lowest).scaled(by_h));
            let (effective, curved) = effective_radius(half * sum, product, size);
            if wanted.curvature {
                radius = effective;
            }
            if wanted.patches {
                good = good & curved;
            }
        }
        Found { normal, gap, lower: gap, direction: normal, point, radius, good }
    }
}
