//! Best-first search for the direction of largest g.
//!
//! **Notation.** L: the largest g so far; T = L + tolerance: what a direction must reach to matter; d: the point of the
//! Minkowski difference found at the centre c0 of a cone; θ: the largest angle between c0 and the cone's edges.
//!
//! A unit vector c of the cone can reach T only if `d·c ≥ T`. To cut cones by planes through the origin this is
//! weakened to `d·c ≥ κT c0·c`: since `cos θ ≤ c0·c ≤ 1`, that follows from it with κ = 1 for T ≥ 0, and with
//! κ = 1/cos θ for T < 0. What is lost is of second order in θ.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::cone::Cone;
use super::scalar::Scalar;
use super::vector::Vector;

/// A cone is split when a cut leaves more than this of its area.
const SPLIT_ABOVE: f64 = 0.7;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort<S> {
    /// How much better a direction must be to matter.
    pub(crate) tolerance: S,
    /// Evaluations.
    pub(crate) limit: u32,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<S> {
    /// The largest g.
    pub(crate) value: S,
    /// Where it is.
    pub(crate) direction: Vector<S>,
    /// Directions that were evaluated.
    pub(crate) evaluations: u32,
    /// Whether no direction is better by more than the tolerance.
    pub(crate) proven: bool,
}

/// Finds the largest `g(c) = c·d(c)`, where `difference` is d: a point of the Minkowski difference that is farthest
/// along −c. `first` and `starts` are evaluated before the search begins.
pub(crate) fn search<S: Scalar>(
    difference: impl Fn(Vector<S>) -> Vector<S>,
    first: Vector<S>,
    starts: impl IntoIterator<Item = Vector<S>>,
    effort: Effort<S>,
) -> Found<S> {
    let mut found =
        Found { value: first.dot(difference(first)), direction: first, evaluations: 1, proven: false };
    for c in starts {
        found.see(c, difference(c));
    }
    let unseen = |cone| Open { promise: f64::MAX, cone };
    let mut open: BinaryHeap<Open<S>> = Cone::sphere().into_iter().map(unseen).collect();
    while let Some(Open { cone, .. }) = open.pop() {
        if found.evaluations >= effort.limit {
            return found;
        }
        let c = cone.centre();
        let d = difference(c);
        let promise = found.see(c, d).rounded();
        let threshold = found.value + effort.tolerance;
        let Some(rest) = cone.clip(d - c * weakened(threshold, &cone, c)) else { continue };
        if rest.area() < SPLIT_ABOVE * cone.area() {
            open.push(Open { promise, cone: rest });
        } else {
            open.extend(rest.halves().into_iter().flatten().map(|cone| Open { promise, cone }));
        }
    }
    Found { proven: true, ..found }
}

impl<S: Scalar> Found<S> {
    /// Takes note of an evaluation and returns its g.
    fn see(&mut self, c: Vector<S>, d: Vector<S>) -> S {
        let value = c.dot(d);
        self.evaluations += 1;
        if value > self.value {
            (self.value, self.direction) = (value, c);
        }
        value
    }
}

/// κT.
fn weakened<S: Scalar>(threshold: S, cone: &Cone<S>, c: Vector<S>) -> S {
    if threshold >= S::exactly(0.0) { threshold } else { threshold / c.dot(cone.farthest(c)) }
}

/// A cone that may hold a better direction. The one with the largest g at its parent's centre comes first.
#[derive(Debug)]
struct Open<S> {
    promise: f64,
    cone: Cone<S>,
}

impl<S> Ord for Open<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.promise.total_cmp(&other.promise)
    }
}

impl<S> PartialOrd for Open<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> PartialEq for Open<S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<S> Eq for Open<S> {}
