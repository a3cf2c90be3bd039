//! A certificate for overlap with a fixed topology: rings of directions about the best one.
//!
//! **Idea.** Around the deepest direction c* the Minkowski difference looks like a paraboloid with the radii of
//! curvature h1, h2 of H_a + H_b. Four directions tilted from c* by r_i along its principal axes give four points that,
//! with d(c*) in the middle and d(−c*) at the back, make a closed surface of eight triangles. If it keeps the distance
//! δ = −g(c*) from the origin within tolerance, no other direction does better. Where the first ring, which must be
//! small for the faces at d(c*) to be flat enough, does not reach wide enough, further rings widen it.
//!
//! **Memory.** The ring's points are material: wherever the bodies move, they stay points of the bodies. Kept in the
//! bodies' frames, the moved surface bounds the moved overlap without a single evaluation.
//!
//! **Fails when** a corner or a second optimum is near: then the convex hull decides.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;
use serde::{Deserialize, Serialize};

use super::pair::{Pair, PairJet, PointPair, Sample};
use super::surface::{face_bound, side};

/// Most rings.
const RINGS: usize = 3;
/// Widest tilt of the first ring (rad).
const FIRST_WIDEST: f64 = 0.6;
/// Widest tilt of any ring (rad).
const WIDEST: f64 = 0.9;
/// The faces of the first ring deviate from c* by half its tilt, which costs δ·tilt²/4: this much times √(2 tol/δ) keeps
/// that below the tolerance.
const FLATNESS: f64 = 1.39;
/// How many times wider than deep the first ring is at most: where the surfaces are nearly flat a wider one gains nothing.
const WIDTH: f64 = 8.0;
/// Growth of the tilt from ring to ring, as a multiple of h/δ, and its ends: the planes between the rings then keep the
/// distance δ.
const GROWTH: (f64, f64, f64) = (1.4, 2.0, 30.0);

/// Rings of points of the two bodies about their deepest point.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RingCertificate {
    /// Points in the direction opposite to the deepest.
    far: PointPair,
    /// Rings of four, narrowest first.
    rings: [[PointPair; 4]; RINGS],
    /// How many rings there are.
    levels: usize,
}

impl RingCertificate {
    /// Builds rings about an overlapping optimum until the bound that they prove comes within `tolerance` of g, or they
    /// are used up. Returns them with the bound; every evaluation is shown to `visit`.
    pub(crate) fn build<A, B>(
        pair: &Pair<'_, A, B>,
        jet: &PairJet,
        tolerance: f64,
        mut visit: impl FnMut(&Sample),
    ) -> (Self, f64)
    where
        A: Support<Space> + ?Sized,
        B: Support<Space> + ?Sized,
    {
        let c = jet.sample.c;
        let depth = -jet.sample.g;
        let (radii, axis) = (jet.h_a + jet.h_b).eigen();
        let axes = [jet.tangent.lift(axis), jet.tangent.lift(axis.perp())];
        let mut evaluate = |direction: DVec3| {
            let sample = pair.sample(direction.normalize());
            visit(&sample);
            sample.points()
        };
        let flat_enough = FLATNESS * (2.0 * tolerance / depth).sqrt();
        let widest = flat_enough.min(0.5 * tolerance / jet.d_t.length()).min(FIRST_WIDEST);
        let mut tilt = radii.map(|h| widest.min(WIDTH * depth / h));
        let mut rings = Self { far: evaluate(-c), ..Self::default() };
        loop {
            let [u, v] = [axes[0] * tilt[0], axes[1] * tilt[1]];
            rings.rings[rings.levels] = [u, v, -u, -v].map(|lean| evaluate(c + lean));
            rings.levels += 1;
            let upper = rings.upper(jet.sample.d);
            if upper - jet.sample.g <= tolerance || rings.levels == RINGS {
                return (rings, upper);
            }
            let (factor, least, most) = GROWTH;
            for i in 0..2 {
                tilt[i] = (tilt[i] * (factor * radii[i] / depth).clamp(least, most)).min(WIDEST);
            }
        }
    }

    /// Upper bound of the signed distance that the surface proves, with the point `top` of the Minkowski difference in
    /// its middle; infinite where all of it lies in a plane, as it does at a corner.
    pub(crate) fn upper(&self, top: DVec3) -> f64 {
        let (mut upper, mut encloses) = (f64::NEG_INFINITY, false);
        let mut face = |x, y, z| {
            upper = upper.max(face_bound(x, y, z).upper);
            encloses = encloses || side(x, y, z, DVec3::ZERO) > 0.0;
        };
        let far = self.far.difference();
        let mut inner = [top; 4];
        for ring in &self.rings[..self.levels] {
            // Tilting c by r moves d by −H·r: in the order of the tilts the corners run counter-clockwise about c.
            let outer = ring.map(|points| points.difference());
            for i in 0..4 {
                let j = (i + 1) % 4;
                face(inner[i], outer[i], outer[j]);
                if inner[i] != inner[j] {
                    face(inner[i], outer[j], inner[j]);
                }
            }
            inner = outer;
        }
        for i in 0..4 {
            face(far, inner[(i + 1) % 4], inner[i]);
        }
        if encloses { upper } else { f64::INFINITY }
    }

    /// The same rings with every point mapped.
    fn map(&self, change: impl Fn(PointPair) -> PointPair) -> Self {
        let mut mapped = Self { far: change(self.far), ..*self };
        for ring in &mut mapped.rings[..self.levels] {
            *ring = ring.map(&change);
        }
        mapped
    }

    /// The rings in the bodies' frames.
    pub(crate) fn in_bodies<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>) -> Self {
        let (a, b) = (pair.frame_a.transpose(), pair.frame_b.transpose());
        self.map(|p| PointPair { x_a: a * p.x_a, x_b: b * (p.x_b - pair.offset) })
    }

    /// Rings given in the bodies' frames, where the bodies are now.
    pub(crate) fn in_world<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>) -> Self {
        self.map(|p| PointPair { x_a: pair.frame_a * p.x_a, x_b: pair.frame_b * p.x_b + pair.offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_core::Pose;
    use gritstone_shape::space::Ellipsoid;

    /// Two ellipsoids end to end: the depth is known in closed form, and the rings prove it.
    #[test]
    fn rings_prove_the_depth_of_coaxial_ellipsoids() {
        let shape = Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        for depth in [1e-6, 1e-3, 0.05] {
            let pair = Pair::new(&shape, &Pose::at(DVec3::ZERO), &shape, &Pose::at(DVec3::X * (2.0 - depth)));
            let jet = pair.jet(DVec3::X);
            assert!((jet.sample.g + depth).abs() < 1e-15);
            let (rings, upper) = RingCertificate::build(&pair, &jet, 1e-9, |_| {});
            assert!(upper >= -depth - 1e-15 && upper <= -depth + 1e-9, "{depth}: {upper}");
            // Moved apart by less than the depth, the same material points bound the smaller depth.
            let moved =
                Pair::new(&shape, &Pose::at(DVec3::ZERO), &shape, &Pose::at(DVec3::X * (2.0 - 0.9 * depth)));
            let there = rings.in_bodies(&pair).in_world(&moved).upper(moved.jet(DVec3::X).sample.d);
            assert!(there >= -0.9 * depth - 1e-15 && there < -0.89 * depth, "{depth}: {there}");
        }
    }

    /// All around a corner support points are the same: the surface has no inside, although none of it is near.
    #[test]
    fn no_proof_from_a_corner() {
        let at = |d: DVec3| PointPair { x_a: DVec3::ZERO, x_b: d };
        let (corner, far) = (DVec3::X * 0.1, DVec3::new(2.0, 1.0, 0.0));
        let rings = RingCertificate { far: at(far), rings: [[at(corner); 4]; RINGS], levels: 1 };
        assert_eq!(rings.upper(corner), f64::INFINITY);
    }

    /// A direction that is not the best: the surface must not pretend that it were.
    #[test]
    fn no_proof_for_a_wrong_direction() {
        let shape = Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        let pair = Pair::new(&shape, &Pose::at(DVec3::ZERO), &shape, &Pose::at(DVec3::Z * 1.0));
        // Along z the overlap is 5, along x only 2.
        let jet = pair.jet(DVec3::Z);
        let (_, upper) = RingCertificate::build(&pair, &jet, 1e-9, |_| {});
        assert!(upper >= -2.0);
    }
}
