//! `gjk` in the plane: distance by Gilbert, Johnson and Keerthi's descent, depth by an expanding polygon, for anything
//! that has a support function.
//!
//! **Idea.** The distance of the bodies is that of the origin from the Minkowski difference D. GJK keeps a simplex of
//! points of D, finds its point v nearest to the origin, and looks for a new point in the direction of −v. If the
//! simplex swallows the origin the bodies overlap, and the expanding polygon (van den Bergen's EPA) grows at the edge
//! nearest to the origin until that edge lies on the boundary of D.
//!
//! **Source.** \[gilbert1988\], \[vandenbergen2001\].
//!
//! **Notation.** As in [`pair`](super::pair); v: the simplex' nearest point, an upper bound |v| of the distance.
//!
//! **Deviations.** Both stop on proven bounds relative to the smaller grain's size, not on progress. Whether the simplex
//! holds the origin is decided exactly. The polygon is a [`ring`](super::ring), which also continues where the descent
//! stalls.
//!
//! **Fails when** a continuum of directions is optimal; smooth bodies cost more evaluations than by Newton's method, and
//! their direction is only as good as the square root of the bounds' width.
//!
//! **Cost.** 5 to 20 evaluations when apart, 20 to 60 when overlapping.

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::Support;
use robust::{Coord, orient2d};

use super::method::{Placed, Scratch};
use super::pair::{Pair, PointPair};
use super::ring::{CAPACITY, Ring, nearest};
use super::{flat, half_plane};
use crate::gjk::{Descent, End, Reduce};
use crate::{Answer, Card, Doubt, Method, Query, Refusal, Verdict};

/// Points of the Minkowski difference in the plane.
type Simplex = crate::gjk::Simplex<Plane, 3>;

/// Steps of the descent; beyond it the polygon takes over.
const MAX_STEPS: u32 = 60;

/// Gilbert, Johnson and Keerthi's method with an expanding polygon.
#[derive(Clone, Copy, Debug)]
pub struct Gjk;

impl Method<Plane> for Gjk {
    fn card(&self) -> Card {
        Card {
            name: "gjk",
            source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001",
            shapes: "all but two half-planes",
            guarantee: "signed distance between proven bounds, or unresolved; slow on smooth shapes",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Plane>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Plane>, Refusal> {
        half_plane::solve(&self.card(), a, b, query).unwrap_or_else(|| {
            let pair = Pair::new(a.shape, &a.pose, b.shape, &b.pose);
            let mut descent = Descent::new(&pair, query);
            Ok(match descent.descend::<3>(MAX_STEPS, |_| {}) {
                End::Closed(witness) => solved(&descent, witness),
                End::Separated => descent.bounds.separated(),
                End::Open => expand(descent, &mut scratch.ring),
            })
        })
    }
}

/// Grows a polygon at its worst edge until the bounds meet.
fn expand<A, B>(mut descent: Descent<'_, '_, Plane, A, B>, ring: &mut Ring) -> Answer<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    let front = descent.bounds.best;
    let back = descent.evaluate(-front.c, &mut |_| {});
    ring.start(front, back);
    while (descent.bounds.evaluations as usize) < CAPACITY {
        let Some(worst) = ring.worst() else { break };
        let at = worst.at;
        descent.bounds.upper = descent.bounds.upper.min(worst.upper);
        let best = descent.bounds.best;
        if descent.bounds.detected() {
            return descent.bounds.separated();
        }
        if descent.bounds.closed() {
            return solved(&descent, ring.witness_at(best.c).unwrap_or(best.points()));
        }
        let sample = descent.evaluate(at, &mut |_| {});
        if !ring.insert(sample) && !descent.bounds.closed() {
            break;
        }
    }
    let best = contact(&descent, descent.bounds.best.points());
    descent.bounds.answer(Verdict::Unresolved { best, doubt: Doubt::BoundsApart })
}

fn contact<A, B>(descent: &Descent<'_, '_, Plane, A, B>, witness: PointPair) -> Contact<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    flat::contact(descent.pair, &descent.pair.jet(descent.bounds.best.c), witness)
}

fn solved<A, B>(descent: &Descent<'_, '_, Plane, A, B>, witness: PointPair) -> Answer<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    descent.bounds.answer(Verdict::Solved(contact(descent, witness)))
}

impl Reduce<Plane> for Simplex {
    /// Shrinks to the edge or corner that carries the point nearest to the origin, and returns that point; `None` when
    /// the simplex holds the origin.
    fn reduce(&mut self) -> Option<PointPair> {
        let p = self.points;
        let edges: &[[usize; 2]] = match self.count {
            1 => &[[0, 0]],
            2 => &[[0, 1]],
            _ if self.holds_origin() => return None,
            _ => &[[0, 1], [1, 2], [2, 0]],
        };
        let distance = |&[i, j]: &[usize; 2]| nearest(&p[i], &p[j]).difference().length();
        let [i, j] = *edges.iter().min_by(|x, y| distance(x).total_cmp(&distance(y)))?;
        let witness = nearest(&p[i], &p[j]);
        let ends = [&p[i], &p[j]].map(|end| end.points() == witness);
        self.points = [p[if ends[1] { j } else { i }], p[j], p[j]];
        self.count = if ends[0] || ends[1] { 1 } else { 2 };
        Some(witness)
    }
}

impl Simplex {
    /// Whether the origin lies in the triangle: on the same side of all three edges.
    fn holds_origin(&self) -> bool {
        let side = |i: usize, j: usize| {
            let coord = |v: DVec2| Coord { x: v.x, y: v.y };
            orient2d(coord(self.points[i].d), coord(self.points[j].d), coord(DVec2::ZERO))
        };
        let sides = [side(0, 1), side(1, 2), side(2, 0)];
        sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
    }
}
