//! From placed figures to the thesis' ellipses, and from its results to answers with bounds.

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::plane::{Ellipse, Figure};

use super::method::Placed;
use super::oval::Oval;
use super::overlap_point::Outcome;
use super::pair::{Pair, Sample};
use crate::{Answer, Card, Goal, Query, Refusal, Verdict};

/// What a method of the thesis says of a pair, in fixed axes about the centre of a.
pub(super) struct Found {
    /// The two points of least f.
    pub(super) deepest: Outcome,
    /// From a to b, where the method has a direction.
    pub(super) normal: Option<DVec2>,
    /// Its distance, negative at overlap.
    pub(super) gap: f64,
    /// Where the contact lies, midway between its two points.
    pub(super) middle: DVec2,
    /// Relative curvature.
    pub(super) curvature: f64,
}

/// Two ellipses, with the fixed axes about the centre of the first.
pub(super) struct OvalPair {
    shapes: [Ellipse; 2],
    placed: [Oval; 2],
}

impl OvalPair {
    /// The ellipses, or the refusal of anything else.
    pub(super) fn new(a: &Placed<'_>, b: &Placed<'_>, card: &Card) -> Result<Self, Refusal> {
        let (Some(shape_a), Some(shape_b)) = (ellipse(a.shape), ellipse(b.shape)) else {
            let shapes = [a.shape.word(), b.shape.word()];
            return Err(Refusal { method: card.name, shapes, takes: card.shapes });
        };
        let offset = b.pose.position - a.pose.position;
        let oval = |shape: &Ellipse, angle, centre| Oval::new(shape.semi_axes(), angle, centre);
        let placed = [oval(&shape_a, a.pose.rotation, DVec2::ZERO), oval(&shape_b, b.pose.rotation, offset)];
        Ok(Self { shapes: [shape_a, shape_b], placed })
    }

    /// The two ellipses as the thesis writes them.
    pub(super) fn ovals(&self) -> (&Oval, &Oval) {
        (&self.placed[0], &self.placed[1])
    }

    /// The method's own answer, with what can be proven beside it.
    pub(super) fn answer(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        query: Query<Plane>,
        found: &Found,
    ) -> Answer<Plane> {
        let pair = Pair::new(&self.shapes[0], &a.pose, &self.shapes[1], &b.pose);
        let normal = found.normal.unwrap_or_else(|| pair.centre_line());
        let sample = pair.sample(normal);
        let half = normal * (0.5 * found.gap);
        let contact: Contact<Plane> =
            pair.contact(normal, found.gap, found.middle - half, found.middle + half, found.curvature);
        let verdict = if query.goal == Goal::Detect && found.gap > 0.0 && sample.g > 0.0 {
            Verdict::Apart { at_least: sample.g, along: normal }
        } else {
            Verdict::Solved(contact)
        };
        let bounds = [sample.g, self.upper(&found.deepest, &sample)];
        let iterations = found.deepest.b_in_a.evaluations + found.deepest.a_in_b.evaluations;
        Answer::new(verdict, bounds, pair.tolerance(), [iterations, 1])
    }

    /// Upper bound of the signed distance by points: the distance of any two, and, where a point lies inside of the
    /// other ellipse, minus the radius of a circle about it that does, too. A point with f < 0 lies on the curve scaled
    /// by s = √(1 + f), and the ellipse scaled by 1 − s about it is part of the ellipse.
    fn upper(&self, deepest: &Outcome, sample: &Sample) -> f64 {
        let [x_a, x_b] = deepest.points;
        let inside = |f: f64, oval: &Oval| {
            if f < 0.0 {
                -(1.0 - (1.0 + f).max(0.0).sqrt()) * oval.semi_axes.min_element()
            } else {
                f64::INFINITY
            }
        };
        sample
            .d
            .length()
            .min(x_a.distance(x_b))
            .min(inside(deepest.b_in_a.value, &self.placed[0]))
            .min(inside(deepest.a_in_b.value, &self.placed[1]))
    }
}

/// The shapes that the thesis takes.
fn ellipse(figure: &Figure) -> Option<Ellipse> {
    match figure {
        Figure::Circle(circle) => Ellipse::new(DVec2::splat(circle.radius())).ok(),
        Figure::Ellipse(ellipse) => Some(*ellipse),
        Figure::Superellipse(_)
        | Figure::Polygon(_)
        | Figure::Segment(_)
        | Figure::HalfPlane(_)
        | Figure::Crowned(_)
        | Figure::Custom(_) => None,
    }
}
