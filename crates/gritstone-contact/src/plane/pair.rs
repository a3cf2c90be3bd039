//! Two bodies in the plane seen as one function of direction.
//!
//! **Notation.** c: unit direction from a to b; t: c turned left by 90°. `x_a = p_a(c)`, `x_b = p_b(−c)`: support points.
//! `d = x_b − x_a`, `g(c) = c·d`: lower bound of the signed distance, for every c. `d_t = t·d`: the derivative of g with
//! the angle of c. h_a, h_b: radii of curvature; the second derivative of g is `−(h_a + h_b) − g`.
//!
//! All vectors are in world axes; points are relative to the centre of a.

use glam::{DMat2, DVec2};
use gritstone_core::{Contact, Plane, Pose};
use gritstone_shape::{Jet, Support};

use crate::tolerance;

/// Largest last step (rad) that is taken without evaluating it.
const LARGEST_CORRECTION: f64 = 1e-3;

/// Two placed bodies, ready to be evaluated in any direction.
#[derive(Debug)]
pub struct Pair<'s, A: ?Sized, B: ?Sized> {
    /// First body.
    pub a: &'s A,
    /// Second body.
    pub b: &'s B,
    /// Axes of a in the world, as columns.
    pub frame_a: DMat2,
    /// Axes of b in the world, as columns.
    pub frame_b: DMat2,
    /// Centre of b relative to the centre of a.
    pub offset: DVec2,
    /// Where the centre of a is.
    pub origin: DVec2,
    /// Size of the smaller body: what tolerances are fractions of.
    pub size: f64,
    /// Size of the larger body.
    pub reach: f64,
}

/// A point of each body: together, a point of the Minkowski difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointPair {
    /// Point of a.
    pub x_a: DVec2,
    /// Point of b.
    pub x_b: DVec2,
}

impl PointPair {
    /// `x_b − x_a`.
    pub fn difference(&self) -> DVec2 {
        self.x_b - self.x_a
    }

    /// The pair of points at a fraction of the way to another.
    pub fn lerp(&self, other: &Self, fraction: f64) -> Self {
        Self { x_a: self.x_a.lerp(other.x_a, fraction), x_b: self.x_b.lerp(other.x_b, fraction) }
    }
}

/// One evaluated direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Unit direction from a to b.
    pub c: DVec2,
    /// Support point of a along c.
    pub x_a: DVec2,
    /// Support point of b along −c.
    pub x_b: DVec2,
    /// `x_b − x_a`: a point of the Minkowski difference.
    pub d: DVec2,
    /// `c·d`: lower bound of the signed distance.
    pub g: f64,
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

impl<'s, A: Support<Plane> + ?Sized, B: Support<Plane> + ?Sized> Pair<'s, A, B> {
    /// Places two bodies.
    pub fn new(a: &'s A, pose_a: &Pose<Plane>, b: &'s B, pose_b: &Pose<Plane>) -> Self {
        let (size_a, size_b) = (a.size(), b.size());
        Self {
            a,
            b,
            frame_a: pose_a.frame(),
            frame_b: pose_b.frame(),
            offset: pose_b.position - pose_a.position,
            origin: pose_a.position,
            size: size_a.min(size_b),
            reach: size_a.max(size_b),
        }
    }

    /// Width between the bounds of a certified gap, never less than the rounding of the coordinates.
    pub fn tolerance(&self) -> f64 {
        (tolerance::CERTIFICATE * self.size).max(self.rounding())
    }

    /// Rounding error of one evaluation of g.
    pub fn rounding(&self) -> f64 {
        tolerance::ROUNDING * (self.reach + self.offset.length())
    }

    /// The direction between the centres; where they coincide, the first axis of a.
    pub fn centre_line(&self) -> DVec2 {
        self.offset.try_normalize().unwrap_or(self.frame_a.x_axis)
    }

    /// Evaluates the unit direction `c`.
    #[inline]
    pub fn sample(&self, c: DVec2) -> Sample {
        let x_a = self.frame_a * self.a.support(self.frame_a.transpose() * c);
        let x_b = self.frame_b * self.b.support(self.frame_b.transpose() * -c) + self.offset;
        sample(c, x_a, x_b)
    }

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

    /// Evaluates the unit direction `c` with derivatives.
    #[inline]
    pub fn jet(&self, c: DVec2) -> PairJet {
        let Jet { point: p_a, hessian: h_a } = self.a.jet(self.frame_a.transpose() * c);
        let Jet { point: p_b, hessian: h_b } = self.b.jet(self.frame_b.transpose() * -c);
        let sample = sample(c, self.frame_a * p_a, self.frame_b * p_b + self.offset);
        // A Hessian annihilates its normal: the trace is what it has along the tangent.
        PairJet { sample, h_a: h_a.trace(), h_b: h_b.trace(), d_t: c.perp().dot(sample.d) }
    }
}

#[inline]
fn sample(c: DVec2, x_a: DVec2, x_b: DVec2) -> Sample {
    let d = x_b - x_a;
    Sample { c, x_a, x_b, d, g: c.dot(d) }
}

impl Sample {
    /// The two support points.
    pub fn points(&self) -> PointPair {
        PointPair { x_a: self.x_a, x_b: self.x_b }
    }
}

impl PairJet {
    /// What to start from when the best of several is looked for.
    pub(crate) fn nowhere() -> Self {
        let sample = Sample { c: DVec2::X, g: f64::NEG_INFINITY, ..Sample::default() };
        Self { sample, ..Self::default() }
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

impl<A: ?Sized, B: ?Sized> Pair<'_, A, B> {
    /// A contact in world coordinates from points relative to the centre of a.
    pub fn contact(&self, normal: DVec2, gap: f64, x_a: DVec2, x_b: DVec2, curvature: f64) -> Contact<Plane> {
        Contact { point_a: self.origin + x_a, point_b: self.origin + x_b, normal, gap, curvature }
    }
}
