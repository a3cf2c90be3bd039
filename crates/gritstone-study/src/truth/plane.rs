//! The same search in the plane, where cones are arcs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_shape::Support;

use super::{LIMIT, Truth};

/// An arc is split when a cut leaves more than this of it.
const SPLIT_ABOVE: f64 = 0.7;

/// Encloses the signed distance of two bodies in the plane in an interval of `tolerance` times the size of the smaller
/// one.
pub fn bracket_in_plane<A, B>(
    a: &A,
    pose_a: &Pose<Plane>,
    b: &B,
    pose_b: &Pose<Plane>,
    tolerance: f64,
) -> Truth<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    let (frame_a, frame_b) = (pose_a.frame(), pose_b.frame());
    let offset = pose_b.position - pose_a.position;
    let difference = |c: DVec2| {
        let x_a = frame_a * a.support(frame_a.transpose() * c);
        let x_b = frame_b * b.support(frame_b.transpose() * -c) + offset;
        x_b - x_a
    };
    let tolerance = tolerance * a.size().min(b.size());
    let mut truth =
        Truth { lower: f64::NEG_INFINITY, upper: f64::INFINITY, direction: DVec2::X, evaluations: 0 };
    // Not at the axes, which shapes and poses like.
    let quarters = (0..4).map(|k| -PI + 0.1 + FRAC_PI_2 * f64::from(k));
    let mut open: BinaryHeap<Arc> =
        quarters.map(|from| Arc { promise: f64::MAX, from, to: from + FRAC_PI_2 }).collect();
    while let Some(arc) = open.pop() {
        if truth.evaluations >= LIMIT {
            return truth;
        }
        let middle = 0.5 * (arc.from + arc.to);
        let c = DVec2::from_angle(middle);
        let d = difference(c);
        truth.evaluations += 1;
        if c.dot(d) > truth.lower {
            (truth.lower, truth.direction) = (c.dot(d), c);
        }
        open.extend(arc.cut(d, middle, truth.lower + tolerance).into_iter().flatten());
    }
    Truth { upper: truth.lower + tolerance, ..truth }
}

/// Angles of directions that may be better. The one with the largest g at its parent's middle comes first.
struct Arc {
    promise: f64,
    from: f64,
    to: f64,
}

impl Arc {
    /// What is left of it where `d·c` reaches the threshold, given d at the middle; in two parts where that is much.
    fn cut(&self, d: DVec2, middle: f64, threshold: f64) -> [Option<Self>; 2] {
        let length = d.length();
        if length < threshold {
            return [None, None];
        }
        // d·c ≥ T within this angle of d, which is less than half a turn from the middle, one way or the other.
        let reach = if length == 0.0 { PI } else { (threshold / length).clamp(-1.0, 1.0).acos() };
        let towards = middle + DVec2::from_angle(middle).angle_to(d);
        let promise = DVec2::from_angle(middle).dot(d);
        let part = |turn: f64| {
            let (from, to) = (self.from.max(towards + turn - reach), self.to.min(towards + turn + reach));
            (from < to).then_some(Self { promise, from, to })
        };
        // The part around d, and where that is wider than half a turn, its other end.
        let parts = [part(0.0), part(if towards > middle { -2.0 * PI } else { 2.0 * PI })];
        match parts {
            [Some(one), None] | [None, Some(one)]
                if one.to - one.from > SPLIT_ABOVE * (self.to - self.from) =>
            {
                let half = 0.5 * (one.from + one.to);
                [Some(Self { to: half, ..one }), Some(Self { promise, from: half, to: one.to })]
            }
            parts => parts,
        }
    }
}

impl Ord for Arc {
    fn cmp(&self, other: &Self) -> Ordering {
        self.promise.total_cmp(&other.promise)
    }
}

impl PartialOrd for Arc {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Arc {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Arc {}
