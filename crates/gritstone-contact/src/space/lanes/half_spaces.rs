//! Ellipsoids on half-spaces, in lanes: one evaluation, exact.

use gritstone_core::lanes::{Lanes, Vec3, WIDTH};
use gritstone_shape::space::HalfSpace;

use super::class::ShapeRows;
use super::{Body, Contacts, Curvature, PairSolver, Request, Start, no_points, no_radii};

/// Normal and offset in the frame of the half-space.
pub(super) fn shape_rows(shape: &HalfSpace) -> ShapeRows {
    let [x, y, z] = shape.normal().to_array();
    [[x, y, z, shape.offset(), 0.0, 0.0, 0.0, 0.0], [0.0; WIDTH]]
}

/// Unit vectors from the free side into the half-spaces, whose outward normals in their own frames are given.
#[inline(always)]
pub(super) fn inward_normal<L: Lanes>(half_space: &Body<L>, outward: Vec3<L>) -> Vec3<L> {
    -half_space.turn().apply(outward).renormalized()
}

/// Ellipsoids on half-spaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct EllipsoidsOnHalfSpaces;

impl PairSolver for EllipsoidsOnHalfSpaces {
    const WIDE: bool = false;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[shape_a, _], [shape_b, _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let [a1, a2, a3, _, size, ..] = shape_a;
        let [x, y, z, offset, ..] = shape_b;
        let tensor = a.tensor([a1, a2, a3]);
        let normal = inward_normal(b, Vec3::new(x, y, z));
        let along = tensor.apply(normal);
        let h = normal.dot(along).sqrt();
        let by_h = one / h;
        let lowest = along * by_h;
        let gap = (normal.dot(b.position - a.position) - offset) - h;
        let mut curvature = Curvature::zero();
        if request.curvature {
            curvature = Curvature::of(tensor.minus_square(lowest).scaled(by_h));
        }
        Contacts {
            normal,
            gap,
            lower: gap,
            direction: normal,
            upper: gap,
            point: a.position + normal.mul_add(half * gap, lowest),
            curvature,
            radii: no_radii(),
            size,
            certified: active,
            points: no_points(),
            evaluations: one,
        }
    }
}
