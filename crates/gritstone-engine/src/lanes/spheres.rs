//! Spheres on each other and on planes, in lanes: closed forms.

use gritstone_core::lanes::{Lanes, Vec3, WIDTH};

use super::body::Body;
use super::found::{Finder, Found, Start, Wanted, curvature_radius, none};

/// Pairs of spheres. Their size is their radius.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpherePairs;

/// Spheres on planes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpheresOnPlanes;

impl Finder for SpherePairs {
    type Kept = ();
    const WIDE: bool = false;
    const TURNING: usize = 0;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[[.., r_a, _, _, _], _], [[.., r_b, _, _, _], _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        mut radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let line = b.position - a.position;
        let distance = line.length();
        let normal = line * (one / distance);
        let gap = distance - (r_a + r_b);
        // Concentric spheres have no direction: whoever handles the general case finds one.
        let mut good = active & L::splat(0.0).lt(distance);
        let size = r_a.min(r_b);
        if wanted.curvature || wanted.patches {
            let curvature = (r_a + r_b) / (r_a * r_b);
            curvature_radius(wanted, curvature, curvature * curvature, size, &mut radius, &mut good);
        }
        let point = normal.mul_add(half.mul_add(gap, r_a), a.position);
        Found { normal, gap, lower: gap, direction: normal, point, radius, size, good, points: none() }
    }
}

impl Finder for SpheresOnPlanes {
    type Kept = ();
    const WIDE: bool = false;
    const TURNING: usize = 0;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[[.., r, _, _, _], _], [[x, y, z, offset, ..], _]]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        mut radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        // From the grain into the plane's solid side.
        let normal = -b.turn().apply(Vec3::new(x, y, z)).renormalized();
        let gap = (normal.dot(b.position - a.position) - offset) - r;
        let mut good = active;
        if wanted.curvature || wanted.patches {
            let curvature = L::splat(1.0) / r;
            curvature_radius(wanted, curvature, curvature * curvature, r, &mut radius, &mut good);
        }
        let point = normal.mul_add(L::splat(0.5).mul_add(gap, r), a.position);
        Found { normal, gap, lower: gap, direction: normal, point, radius, size: r, good, points: none() }
    }
}
