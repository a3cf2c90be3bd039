//! Spheres on each other and on half-spaces, in lanes: closed forms.

use gritstone_core::lanes::{Lanes, Vec3, WIDTH};

use super::half_spaces::inward_normal;
use super::{Body, Contacts, Curvature, PairSolver, Request, Start, no_points, no_radii};

/// Pairs of spheres. Their size is their radius.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpherePairs;

/// Spheres on half-spaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpheresOnHalfSpaces;

impl PairSolver for SpherePairs {
    const WIDE: bool = false;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[[.., r_a, _, _, _], _], [[.., r_b, _, _, _], _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let line = b.position - a.position;
        let distance = line.length();
        let normal = line * (one / distance);
        let gap = distance - (r_a + r_b);
        let mut curvature = Curvature::zero();
        if request.curvature {
            curvature = Curvature::isotropic((r_a + r_b) / (r_a * r_b));
        }
        Contacts {
            normal,
            gap,
            lower: gap,
            direction: normal,
            upper: gap,
            point: normal.mul_add(half.mul_add(gap, r_a), a.position),
            curvature,
            radii: no_radii(),
            size: r_a.min(r_b),
            // Concentric spheres have no direction: the general method chooses one.
            certified: active & L::splat(0.0).lt(distance),
            points: no_points(),
            evaluations: one,
        }
    }
}

impl PairSolver for SpheresOnHalfSpaces {
    const WIDE: bool = false;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[[.., r, _, _, _], _], [[x, y, z, offset, ..], _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let normal = inward_normal(b, Vec3::new(x, y, z));
        let gap = (normal.dot(b.position - a.position) - offset) - r;
        let mut curvature = Curvature::zero();
        if request.curvature {
            curvature = Curvature::isotropic(L::splat(1.0) / r);
        }
        Contacts {
            normal,
            gap,
            lower: gap,
            direction: normal,
            upper: gap,
            point: normal.mul_add(L::splat(0.5).mul_add(gap, r), a.position),
            curvature,
            radii: no_radii(),
            size: r,
            certified: active,
            points: no_points(),
            evaluations: L::splat(1.0),
        }
    }
}
