//! The contact where the Minkowski difference has an edge, or is flat to within tolerance.
//!
//! The distance is well defined there, but the points are not: a turn of the direction by less than its rounding moves
//! the support points from one end of a body's flat part to the other. Support points in directions tilted by just more
//! than that are the ends. The two flat parts, seen along c, overlap in the contact region, and its middle is the point
//! that is returned.

use gritstone_core::{Contact, Plane};
use gritstone_shape::Support;

use super::pair::{Pair, PairJet, PointPair};
use crate::tolerance;

/// Slope up to which a boundary counts as flat: within the certificate's tolerance of its support line.
pub(crate) const SLOPE: f64 = 0.5 * tolerance::CERTIFICATE;

/// The contact in the direction of `jet`. Where the flat parts do not overlap it is at the middle of `witness`.
pub(crate) fn contact<A, B>(pair: &Pair<'_, A, B>, jet: &PairJet, witness: PointPair) -> Contact<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    let (c, t) = (jet.sample.c, jet.sample.c.perp());
    let [right, left] = [-SLOPE, SLOPE].map(|lean| pair.sample((c + t * lean).normalize()));
    // As c turns left, the point of a goes left and that of b, which looks along −c, goes right.
    let part_a = [t.dot(right.x_a), t.dot(left.x_a)];
    let part_b = [t.dot(left.x_b), t.dot(right.x_b)];
    let (low, high) = (part_a[0].max(part_b[0]), part_a[1].min(part_b[1]));
    let along = if low <= high { 0.5 * (low + high) } else { 0.5 * t.dot(witness.x_a + witness.x_b) };
    let x_a = t * along + c * c.dot(jet.sample.x_a);
    let least = tolerance::WITNESS * pair.size;
    let curvature = curvature(jet.h_a, part_a, least) + curvature(jet.h_b, part_b, least);
    pair.contact(c, jet.sample.g, x_a, x_a + c * jet.sample.g, curvature)
}

/// Curvature of a body whose radius of curvature is `h`, from the ends of its flat part: a body without a radius is at a
/// corner, or on an edge.
pub(crate) fn curvature(h: f64, [low, high]: [f64; 2], least: f64) -> f64 {
    if h == 0.0 && high - low > least { 0.0 } else { h.recip() }
}
