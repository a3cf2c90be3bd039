//! Ellipsoids and spheres on planes, in lanes: one evaluation, exact.

use gritstone_core::lanes::{Lanes, Vec3, WIDTH};
use gritstone_shape::space::Solid;

use super::body::Body;
use super::found::{Finder, Found, Start, Wanted, curvature_radius, curvatures, none};
use super::kernel::LaneRow;

/// What lanes know of a plane: normal and offset in its own frame.
pub(super) fn numbers(shape: &Solid) -> Option<[LaneRow; 2]> {
    let Solid::HalfSpace(plane) = shape else { return None };
    let [x, y, z] = plane.normal().to_array();
    Some([[x, y, z, plane.offset(), 0.0, 0.0, 0.0, 0.0], LaneRow::default()])
}

/// Ellipsoids on planes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EllipsoidsOnPlanes;

impl Finder for EllipsoidsOnPlanes {
    type Kept = ();
    const WIDE: bool = false;
    const TURNING: usize = 1;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[shape_a, _], [shape_b, _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        mut radius: L,
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
        let mut good = active;
        if wanted.curvature || wanted.patches {
            let [sum, product] = curvatures(tensor.minus_square(lowest).scaled(by_h));
            curvature_radius(wanted, half * sum, product, size, &mut radius, &mut good);
        }
        Found { normal, gap, lower: gap, direction: normal, point, radius, size, good, points: none() }
    }
}
