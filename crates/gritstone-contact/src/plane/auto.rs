//! `auto`: the certified default in the plane.
//!
//! **Idea.** Newton's method finds a direction; its g is a lower bound of the signed distance. Points of the Minkowski
//! difference give the upper bound: one point, or one edge, when apart. Overlapping, circles that fit into the bodies do
//! where they are known and the overlap is shallow; else directions all around ([`ring`](super::ring)), a few of them set
//! where the curvature says that they suffice, and more wherever the bound is worst. A direction found there that beats the
//! best one starts Newton's method again. The answer is certified when the bounds agree. Circles have their closed form,
//! polygons their exact walk ([`polygon_polygon`](super::polygon_polygon)), half-planes one evaluation
//! ([`half_plane`](super::half_plane)).
//!
//! **Source.** Gritstone.
//!
//! **Notation.** As in [`pair`](super::pair).
//!
//! **Fails when** a continuum of directions is optimal (concentric bodies that are circles to nine digits, but not
//! exactly), where the ring would have to be fine all along it: `unresolved`, with bounds.
//!
//! **Cost.** Evaluations, cold: 3 to 6 apart and for ellipses at small overlap, 8 to 12 for others, 15 to 30 for harsh shapes
//! and deep overlap.

use gritstone_core::Plane;
use gritstone_shape::Support;
use gritstone_shape::plane::Figure;

use super::method::{Placed, Scratch};
use super::pair::Pair;
use super::search::Search;
use super::{circle_circle, half_plane, polygon_polygon};
use crate::{Answer, Card, Method, Query, Refusal};

/// The certified method for each pair.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

impl Method<Plane> for Auto {
    fn card(&self) -> Card {
        Card {
            name: "auto",
            source: "Gritstone",
            shapes: "all but two half-planes",
            guarantee: "signed distance between proven bounds, or unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Plane>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Plane>, Refusal> {
        if let Some(answer) = half_plane::solve(&self.card(), a, b, query) {
            return answer;
        }
        if let (Some(r_a), Some(r_b)) = (radius(a.shape), radius(b.shape)) {
            return Ok(circle_circle::solve(r_a, &a.pose, r_b, &b.pose, query));
        }
        if let (Some(x), Some(y)) = (a.shape.corners(), b.shape.corners())
            && let Some(answer) =
                polygon_polygon::solve(&Pair::new(a.shape, &a.pose, b.shape, &b.pose), x, y, query)
        {
            return Ok(answer);
        }
        // Like pairs get code of their own; the rest goes through the table of shapes.
        Ok(match (a.shape, b.shape) {
            (Figure::Ellipse(x), Figure::Ellipse(y)) => {
                certify(&Pair::new(x, &a.pose, y, &b.pose), query, scratch)
            }
            (Figure::Superellipse(x), Figure::Superellipse(y)) => {
                certify(&Pair::new(x, &a.pose, y, &b.pose), query, scratch)
            }
            (x, y) => certify(&Pair::new(x, &a.pose, y, &b.pose), query, scratch),
        })
    }
}

/// The radius of whatever is a circle.
fn radius(figure: &Figure) -> Option<f64> {
    let (axes, round) = match figure {
        Figure::Circle(circle) => return Some(circle.radius()),
        Figure::Ellipse(ellipse) => (ellipse.semi_axes(), true),
        Figure::Superellipse(shape) => (shape.semi_axes(), shape.blockiness() == 2.0),
        Figure::Polygon(_)
        | Figure::Segment(_)
        | Figure::HalfPlane(_)
        | Figure::Crowned(_)
        | Figure::Custom(_) => return None,
    };
    (round && axes.x == axes.y).then_some(axes.x)
}

/// Solves any two bodies that have a support function and bounds. For shapes that are not in the table.
pub fn certify<A, B>(pair: &Pair<'_, A, B>, query: Query<Plane>, scratch: &mut Scratch) -> Answer<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    Search::new(pair, query, &mut scratch.ring).run()
}
