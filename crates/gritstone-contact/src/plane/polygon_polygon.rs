//! Two polygons, or segments: the boundary of their Minkowski difference, walked once.
//!
//! **Idea.** The edges of D = {x_b − x_a} are those of b and those of a turned round, in the order of their angles. So one
//! merge of the two lists visits every edge of D. The point of them nearest to the origin is the answer; the bodies
//! overlap if the origin lies on the inner side of all edges.
//!
//! **Notation.** As in [`pair`](super::pair). An edge of D from p to q has the inward normal c = (q − p) turned left, and
//! g(c) = c·p.
//!
//! **Deviations.** The direction that the walk finds is evaluated like any other: the lower bound is what that gives, and
//! where the two do not agree (a corner touches, collinear segments) the general method decides. Edges that are parallel
//! to rounding may come in either order, which moves a corner of D by no more than rounding.
//!
//! **Cost.** Some 10 operations for each edge of both; many edges are left to the general method, which looks at fewer.

use std::cmp::Ordering;

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::Support;

use super::flat;
use super::pair::{Pair, PointPair, Sample};
use crate::{Answer, Goal, Query, Verdict};

/// Polygons with more edges, together, are left to the general method.
const MOST_EDGES: usize = 96;

/// Solves a pair whose corners, counter-clockwise in their own frames, are given; `None` where that is not the method
/// of choice, or the bounds do not meet.
pub(crate) fn solve<A, B>(
    pair: &Pair<'_, A, B>,
    corners_a: &[DVec2],
    corners_b: &[DVec2],
    query: Query<Plane>,
) -> Option<Answer<Plane>>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    if corners_a.len() + corners_b.len() > MOST_EDGES {
        return None;
    }
    let tolerance = pair.tolerance();
    let answer = |verdict, lower, upper, evaluations| {
        Answer::new(verdict, [lower, upper], tolerance, [evaluations; 2])
    };
    if query.goal == Goal::Detect {
        let Sample { c, g, .. } = pair.sample(query.start.unwrap_or_else(|| pair.centre_line()));
        if g > 0.0 {
            return Some(answer(Verdict::Apart { at_least: g, along: c }, g, f64::INFINITY, 1));
        }
    }
    let Nearest { c, signed: upper, witness, on_edge } = walk(pair, corners_a, corners_b)?;
    let jet = pair.jet(c);
    let lower = jet.sample.g;
    if query.goal == Goal::Detect && lower > 0.0 {
        return Some(answer(Verdict::Apart { at_least: lower, along: c }, lower, upper, 2));
    }
    let contact: Contact<Plane> = if on_edge {
        flat::contact(pair, &jet, witness)
    } else {
        pair.contact(c, upper, witness.x_a, witness.x_b, f64::INFINITY)
    };
    ((upper - lower).abs() <= tolerance).then(|| answer(Verdict::Solved(contact), lower, upper, 1))
}

/// The point of the boundary of D nearest to the origin.
struct Nearest {
    /// Direction from a to b.
    c: DVec2,
    /// Signed distance.
    signed: f64,
    /// Points of a and b that make it.
    witness: PointPair,
    /// Whether it lies within an edge, and c is its normal.
    on_edge: bool,
}

/// Walks around D; `None` when it is a point.
fn walk<A: ?Sized, B: ?Sized>(
    pair: &Pair<'_, A, B>,
    corners_a: &[DVec2],
    corners_b: &[DVec2],
) -> Option<Nearest> {
    // Both start at the corner that is lowest in D: b's lowest and a's highest.
    let mut a = Walk::new(corners_a, |v| pair.frame_a * v, -1.0);
    let mut b = Walk::new(corners_b, |v| pair.frame_b * v + pair.offset, 1.0);
    let (mut nearest, mut inside) = (None, true);
    let mut least = f64::INFINITY;
    while !(a.done() && b.done()) {
        let from = PointPair { x_a: a.here, x_b: b.here };
        match order(&a, &b) {
            Ordering::Less => a.step(),
            Ordering::Greater => b.step(),
            Ordering::Equal => {
                a.step();
                b.step();
            }
        }
        let to = PointPair { x_a: a.here, x_b: b.here };
        let (p, way) = (from.difference(), to.difference() - from.difference());
        let Some(normal) = way.perp().try_normalize() else { continue };
        let outer = normal.dot(p) >= 0.0;
        if outer && inside {
            // Only edges that turn their outer side to the origin count from here on.
            (inside, least) = (false, f64::INFINITY);
        }
        let fraction = (-p.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let witness = from.lerp(&to, fraction);
        let distance = witness.difference().length();
        if distance < least && outer != inside {
            least = distance;
            nearest = Some((normal, witness, fraction > 0.0 && fraction < 1.0));
        }
    }
    let (normal, witness, on_edge) = nearest?;
    if inside || on_edge {
        let signed = normal.dot(witness.difference());
        return Some(Nearest { c: normal, signed, witness, on_edge: true });
    }
    let c = witness.difference().normalize_or(normal);
    Some(Nearest { c, signed: least, witness, on_edge })
}

/// Whose edge comes first in D, by its angle from 0 to 360°. Edges of a run backwards in D.
fn order<F, G>(a: &Walk<'_, F>, b: &Walk<'_, G>) -> Ordering {
    if a.done() || b.done() {
        return if a.done() { Ordering::Greater } else { Ordering::Less };
    }
    let (e_a, e_b) = (a.here - a.next, b.next - b.here);
    // Within the same half of the circle the product's sign is exact, but for edges that are parallel to rounding.
    let half = |e: DVec2| e.y < 0.0 || (e.y == 0.0 && e.x < 0.0);
    half(e_a).cmp(&half(e_b)).then_with(|| 0.0_f64.total_cmp(&(e_a.perp_dot(e_b) + 0.0)))
}

/// A walk around a polygon, from its lowest corner in D on.
struct Walk<'c, F> {
    corners: &'c [DVec2],
    place: F,
    index: usize,
    left: usize,
    here: DVec2,
    next: DVec2,
}

impl<F> Walk<'_, F> {
    fn done(&self) -> bool {
        self.left == 0
    }
}

impl<'c, F: Fn(DVec2) -> DVec2> Walk<'c, F> {
    /// Corners are placed by `place`; `sign` is that with which they enter D.
    fn new(corners: &'c [DVec2], place: F, sign: f64) -> Self {
        let key = |i: usize| {
            let v = place(corners[i]) * sign;
            (v.y, v.x)
        };
        let lowest = |x: usize, y: usize| if key(y) < key(x) { y } else { x };
        let index = (0..corners.len()).reduce(lowest).unwrap_or(0);
        let (here, next) = (place(corners[index]), place(corners[(index + 1) % corners.len()]));
        Self { corners, place, index, left: corners.len(), here, next }
    }

    fn step(&mut self) {
        self.left -= 1;
        self.index = (self.index + 1) % self.corners.len();
        self.here = self.next;
        self.next = (self.place)(self.corners[(self.index + 1) % self.corners.len()]);
    }
}
