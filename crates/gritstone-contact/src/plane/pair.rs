//! Two bodies in the plane as one function of direction, with its derivatives.
//!
//! **Notation.** As in [`pair`](crate::pair). t: c turned left by 90°. `d_t = t·d`: the derivative of g with the angle of c.
//! h_a, h_b: radii of curvature; the second derivative of g is `−(h_a + h_b) − g`.

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::{Jet, Support};

/// Two placed bodies, ready to be evaluated in any direction.
pub type Pair<'s, A, B> = crate::pair::Pair<'s, Plane, A, B>;
/// A point of each body: together, a point of the Minkowski difference.
pub type PointPair = crate::pair::PointPair<Plane>;
/// One evaluated direction.
pub type Sample = crate::pair::Sample<Plane>;

/// Largest last step (rad) that is taken without evaluating it.
pub(crate) const LARGEST_CORRECTION: f64 = 1e-3;

impl PointPair {
    /// The pair of points at a fraction of the way to another.
    pub fn lerp(&self, other: &Self, fraction: f64) -> Self {
        Self { x_a: self.x_a.lerp(other.x_a, fraction), x_b: self.x_b.lerp(other.x_b, fraction) }
    }
}

/// One evaluated direction with derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairJet {
    /// The evaluation.
    pub sample: Sample,
    /// Radius of curvature of a.
    pub h_a: f64,
    /// Radius of curvature of b.
    pub h_b: f64,
    /// d across c: the derivative of g with the angle of c.
    pub d_t: f64,
}

impl<A: Support<Plane> + ?Sized, B: Support<Plane> + ?Sized> Pair<'_, A, B> {
    /// Upper bound of the signed distance from balls that fit into the bodies and touch the two support points from within:
    /// the distance of their centres, less their radii. It is g where the points lie along c and the overlap is not deeper
    /// than the sum of the radii.
    pub(crate) fn nested_bound(&self, sample: &Sample) -> f64 {
        let Sample { c, x_a, x_b, d, g } = *sample;
        let (in_a, in_b) = (self.frame_a.transpose(), self.frame_b.transpose());
        let ball_a = self.a.nested_ball(in_a * c, in_a * x_a, -g);
        let ball_b = self.b.nested_ball(in_b * -c, in_b * (x_b - self.offset), -g);
        (d + c * (ball_a + ball_b)).length() - (ball_a + ball_b)
    }

    /// The largest relative change that a small turn of `c` makes to the radii of curvature, where it is known.
    pub(crate) fn change(&self, c: DVec2, turn: f64) -> Option<f64> {
        let (in_a, in_b, step) = (self.frame_a.transpose(), self.frame_b.transpose(), c.perp() * turn);
        Some(self.a.change(in_a * c, in_a * step)?.max(self.b.change(in_b * -c, in_b * -step)?))
    }

    /// Evaluates the unit direction `c` with derivatives.
    #[inline]
    pub fn jet(&self, c: DVec2) -> PairJet {
        let Jet { point: p_a, hessian: h_a } = self.a.jet(self.frame_a.transpose() * c);
        let Jet { point: p_b, hessian: h_b } = self.b.jet(self.frame_b.transpose() * -c);
        let sample = Sample::new(c, self.frame_a * p_a, self.frame_b * p_b + self.offset);
        // A Hessian annihilates its normal: the trace is what it has along the tangent.
        PairJet { sample, h_a: h_a.trace(), h_b: h_b.trace(), d_t: c.perp().dot(sample.d) }
    }
}

impl PairJet {
    /// What to start from when the best of several is looked for.
    pub(crate) fn nowhere() -> Self {
        Self { sample: Sample::nowhere(), ..Self::default() }
    }

    /// Second derivative of −g with the angle of c: `h_a + h_b + g`.
    pub fn model(&self) -> f64 {
        self.h_a + self.h_b + self.sample.g
    }

    /// The contact by one more Newton step, taken to second order without evaluating it: the depth gains `½ d_t·s`, the
    /// direction turns by s and the points move by h·s. Right to rounding once d_t is small.
    pub fn contact<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>) -> Contact<Plane> {
        let Sample { c, x_a, x_b, g, .. } = self.sample;
        let s = self.d_t / self.model();
        // Where corners touch, no direction is better than another, and the step means nothing.
        let s = if s.abs() <= LARGEST_CORRECTION { s } else { 0.0 };
        let normal = (c + c.perp() * s).normalize();
        let gap = g + 0.5 * self.d_t * s;
        // What is left of d across the normal is shared, so that the points lie apart along it by the gap exactly.
        let middle = 0.5 * (x_a + x_b) + c.perp() * (0.5 * s * (self.h_a - self.h_b));
        let half = normal * (0.5 * gap);
        pair.contact(normal, gap, middle - half, middle + half, self.curvature())
    }

    /// Relative curvature `1/h_a + 1/h_b`; infinite at a corner.
    pub fn curvature(&self) -> f64 {
        self.h_a.recip() + self.h_b.recip()
    }
}
