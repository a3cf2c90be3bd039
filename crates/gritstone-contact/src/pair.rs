//! Two bodies seen as one function of direction, in the plane and in space.
//!
//! **Notation.** c: unit direction from a to b. `x_a = p_a(c)`, `x_b = p_b(−c)`: support points.
//! `d = x_b − x_a`, `g(c) = c·d`: lower bound of the signed distance, for every c.
//!
//! All vectors are in world axes; points are relative to the centre of a.

use gritstone_core::{Contact, Dim, Linear, Pose, Vector};
use gritstone_shape::Support;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Answer, Goal, Query, Verdict, tolerance};

/// Two placed bodies, ready to be evaluated in any direction.
#[derive(Debug)]
pub struct Pair<'s, D: Dim, A: ?Sized, B: ?Sized> {
    /// First body.
    pub a: &'s A,
    /// Second body.
    pub b: &'s B,
    /// Axes of a in the world, as columns.
    pub frame_a: D::Frame,
    /// Axes of b in the world, as columns.
    pub frame_b: D::Frame,
    /// Centre of b relative to the centre of a.
    pub offset: D::Vec,
    /// Where the centre of a is.
    pub origin: D::Vec,
    /// Size of the smaller body: what tolerances are fractions of.
    pub size: f64,
    /// Size of the larger body.
    pub reach: f64,
}

/// A point of each body: together, a point of the Minkowski difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "D::Vec: Serialize + DeserializeOwned")]
pub struct PointPair<D: Dim> {
    /// Point of a.
    pub x_a: D::Vec,
    /// Point of b.
    pub x_b: D::Vec,
}

impl<D: Dim> PointPair<D> {
    /// `x_b − x_a`.
    pub fn difference(&self) -> D::Vec {
        self.x_b - self.x_a
    }
}

/// One evaluated direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample<D: Dim> {
    /// Unit direction from a to b.
    pub c: D::Vec,
    /// Support point of a along c.
    pub x_a: D::Vec,
    /// Support point of b along −c.
    pub x_b: D::Vec,
    /// `x_b − x_a`: a point of the Minkowski difference.
    pub d: D::Vec,
    /// `c·d`: lower bound of the signed distance.
    pub g: f64,
}

impl<D: Dim> Sample<D> {
    /// The direction `c` with its support points.
    pub(crate) fn new(c: D::Vec, x_a: D::Vec, x_b: D::Vec) -> Self {
        let d = x_b - x_a;
        Self { c, x_a, x_b, d, g: c.dot(d) }
    }

    /// What to start from when the best of several is searched for.
    pub(crate) fn nowhere() -> Self {
        Self { c: D::Vec::axis(D::N - 1), g: f64::NEG_INFINITY, ..Self::default() }
    }

    /// The two support points.
    pub fn points(&self) -> PointPair<D> {
        PointPair { x_a: self.x_a, x_b: self.x_b }
    }
}

impl<'s, D: Dim, A: Support<D> + ?Sized, B: Support<D> + ?Sized> Pair<'s, D, A, B> {
    /// Places two bodies.
    pub fn new(a: &'s A, pose_a: &Pose<D>, b: &'s B, pose_b: &Pose<D>) -> Self {
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
    pub fn centre_line(&self) -> D::Vec {
        unit(self.offset).unwrap_or_else(|| D::to_world(&self.frame_a, D::Vec::axis(0)))
    }

    /// Evaluates the unit direction `c`.
    #[inline]
    pub fn sample(&self, c: D::Vec) -> Sample<D> {
        let x_a = D::to_world(&self.frame_a, self.a.support(D::to_body(&self.frame_a, c)));
        let x_b = D::to_world(&self.frame_b, self.b.support(D::to_body(&self.frame_b, -c))) + self.offset;
        Sample::new(c, x_a, x_b)
    }
}

impl<D: Dim, A: ?Sized, B: ?Sized> Pair<'_, D, A, B> {
    /// A contact in world coordinates from points relative to the centre of a.
    pub fn contact(
        &self,
        normal: D::Vec,
        gap: f64,
        x_a: D::Vec,
        x_b: D::Vec,
        curvature: D::Curvature,
    ) -> Contact<D> {
        Contact { point_a: self.origin + x_a, point_b: self.origin + x_b, normal, gap, curvature }
    }
}

/// The vector with length one; `None` where it has no direction.
#[inline]
pub(crate) fn unit<V: Vector>(v: V) -> Option<V> {
    let inverse = v.length().recip();
    (inverse.is_finite() && inverse > 0.0).then(|| v * inverse)
}

/// Limits of an ascent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Steps, rejected ones too.
    pub(crate) iterations: u32,
    /// Stop at the first separating plane.
    pub(crate) detect: bool,
}

/// Bounds of the signed distance while a query is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<D: Dim> {
    pub(crate) query: Query<D>,
    /// Width between the bounds of a certified gap.
    tolerance: f64,
    /// The best direction: its g is the lower bound.
    pub(crate) best: Sample<D>,
    pub(crate) upper: f64,
    pub(crate) iterations: u32,
    pub(crate) evaluations: u32,
}

impl<D: Dim> Bounds<D> {
    /// Nothing is known.
    pub(crate) fn new(query: Query<D>, tolerance: f64) -> Self {
        let best = Sample::nowhere();
        Self { query, tolerance, best, upper: f64::INFINITY, iterations: 0, evaluations: 0 }
    }

    /// Counts an evaluation, and bounds the signed distance by its d from above.
    #[inline]
    pub(crate) fn visit(&mut self, sample: &Sample<D>) {
        self.evaluations += 1;
        self.upper = self.upper.min(sample.d.length());
    }

    /// Whether detection has found a separating plane.
    pub(crate) fn detected(&self) -> bool {
        self.query.goal == Goal::Detect && self.best.g > 0.0
    }

    /// Whether the bounds agree.
    pub(crate) fn closed(&self) -> bool {
        self.upper - self.best.g <= self.width(1.0)
    }

    /// Width allowed between the bounds, with this fraction of the certificate's.
    pub(crate) fn width(&self, fraction: f64) -> f64 {
        self.query.width(fraction * self.tolerance, self.best.g)
    }

    /// The best direction separates the bodies.
    pub(crate) fn separated(&self) -> Answer<D> {
        self.answer(Verdict::Apart { at_least: self.best.g, along: self.best.c })
    }

    /// A verdict between these bounds.
    pub(crate) fn answer(&self, verdict: Verdict<D>) -> Answer<D> {
        let counts = [self.iterations, self.evaluations];
        Answer::new(verdict, [self.best.g, self.upper], self.width(1.0), counts)
    }
}
