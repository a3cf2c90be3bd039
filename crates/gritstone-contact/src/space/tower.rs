//! A certificate for overlap with a fixed topology: rings of directions about the best one.
//!
//! **Idea.** Around the deepest direction c* the Minkowski difference looks like a paraboloid with the radii of
//! curvature h1, h2 of H_a + H_b. Four directions tilted from c* by r_i along its principal axes give four points that,
//! with d(c*) in the middle and d(−c*) at the back, make a closed surface of eight triangles. If it keeps the distance
//! δ = −g(c*) from the origin within tolerance, no other direction does better. Where the first ring, which must be
//! small for the faces at d(c*) to be flat enough, does not reach wide enough, further rings widen it.
//!
//! **Fails when** a corner or a second optimum is near: then the convex hull decides.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;

use super::pair::{Pair, PairJet, Sample};
use super::surface::face_bound;

/// Most rings.
pub(crate) const RINGS: usize = 3;
/// Widest tilt of a ring (rad).
const WIDEST: f64 = 0.9;

/// Rings of points of the Minkowski difference about a middle one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tower {
    /// d in the best direction.
    pub(crate) top: DVec3,
    /// d in the opposite direction.
    pub(crate) far: DVec3,
    /// Rings of four, from the top down.
    pub(crate) rings: [[DVec3; 4]; RINGS],
    /// How many rings there are.
    pub(crate) levels: usize,
}

impl Tower {
    /// Upper bound of the signed distance that the closed surface proves.
    pub(crate) fn upper(&self) -> f64 {
        let mut upper = f64::NEG_INFINITY;
        let mut face = |x, y, z| upper = upper.max(face_bound(x, y, z).upper);
        let last = &self.rings[self.levels - 1];
        for i in 0..4 {
            let j = (i + 1) % 4;
            face(self.top, self.rings[0][i], self.rings[0][j]);
            for level in 1..self.levels {
                let (inner, outer) = (&self.rings[level - 1], &self.rings[level]);
                face(inner[i], outer[i], outer[j]);
                face(inner[i], outer[j], inner[j]);
            }
            face(self.far, last[j], last[i]);
        }
        upper
    }
}

/// Builds rings about an overlapping optimum until the bound comes within `tolerance` of g, or they are used up.
/// Returns the upper bound; every evaluation is shown to `visit`.
pub(crate) fn certify<A, B>(
    pair: &Pair<'_, A, B>,
    jet: &PairJet,
    tolerance: f64,
    mut visit: impl FnMut(&Sample),
) -> f64
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let c = jet.sample.c;
    let depth = (-jet.sample.g).max(f64::MIN_POSITIVE);
    let ([h1, h2], e) = (jet.h_a + jet.h_b).eigen();
    let radii = [h1, h2].map(|h| h.max(f64::EPSILON * pair.size));
    let axes = [jet.tangent.lift(e), jet.tangent.lift(e.perp())];
    let mut evaluate = |direction: DVec3| {
        let sample = pair.sample(direction.normalize());
        visit(&sample);
        sample.d
    };
    let flat_enough = 1.39 * (2.0 * tolerance / depth).sqrt();
    let widest = flat_enough.min(0.5 * tolerance / jet.d_t.length()).min(0.6);
    let mut tilt = radii.map(|h| widest.min(8.0 * depth / h));
    let far = evaluate(-c);
    let mut tower = Tower { top: jet.sample.d, far, rings: [[DVec3::ZERO; 4]; RINGS], levels: 0 };
    for level in 0..RINGS {
        let [u, v] = [axes[0] * tilt[0], axes[1] * tilt[1]];
        // Tilting c towards u moves d by −h·u, so this order runs counter-clockwise seen from inside.
        tower.rings[level] = [u, v, -u, -v].map(|tilted| evaluate(c + tilted));
        tower.levels = level + 1;
        let upper = tower.upper();
        if upper - jet.sample.g <= tolerance || level + 1 == RINGS {
            return upper;
        }
        for i in 0..2 {
            tilt[i] = (tilt[i] * (1.4 * radii[i] / depth).clamp(2.0, 30.0)).min(WIDEST);
        }
    }
    f64::INFINITY
}
