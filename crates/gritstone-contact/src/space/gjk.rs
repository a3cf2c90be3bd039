//! `gjk`: distance by Gilbert, Johnson and Keerthi's descent, depth by an expanding polytope, for anything that has a
//! support function.
//!
//! **Idea.** The distance of the bodies is that of the origin from the Minkowski difference D. GJK keeps a simplex of
//! points of D, finds its point v nearest to the origin, and looks for a new point in the direction of −v. If the
//! simplex swallows the origin the bodies overlap, and the expanding polytope (van den Bergen's EPA) grows the convex
//! hull of all points seen, always at the face nearest to the origin, until that face lies on the surface of D.
//!
//! **Source.** [gilbert1988], [vandenbergen2001].
//!
//! **Notation.** As in [`pair`](super::pair); v: the simplex' nearest point, an upper bound |v| of the distance.
//!
//! **Deviations.** Both stop on proven bounds relative to the smaller grain's size, not on progress; the hull decides
//! visibility exactly.
//!
//! **Fails when** a continuum of directions is optimal; smooth bodies cost many evaluations, since each refines the
//! answer by a constant factor only.
//!
//! **Cost.** 10 to 40 evaluations when apart, 60 to 150 when overlapping.

use glam::DVec3;
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;

use super::hull::{CAPACITY, Hull};
use super::method::{Method, Placed, Scratch};
use super::pair::PointPair;
use super::surface::{closest_on_triangle, side};
use crate::gjk::{Descent, End, Reduce};
use crate::{Answer, Card, Doubt, Query, Refusal, Verdict};

/// Points of the Minkowski difference in space.
type Simplex = crate::gjk::Simplex<Space, 4>;

/// Steps of the descent; beyond it the hull takes over.
const MAX_STEPS: u32 = 200;

/// Gilbert, Johnson and Keerthi's method with an expanding polytope.
#[derive(Clone, Copy, Debug)]
pub struct Gjk;

impl Method for Gjk {
    fn card(&self) -> Card {
        Card {
            name: "gjk",
            source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001",
            shapes: "all bounded shapes",
            guarantee: "signed distance between proven bounds, or unresolved; slow on smooth shapes",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        let pair = a.pair_with(b).ok_or_else(|| a.refused(b, self.card()))?;
        let hull = &mut scratch.hull;
        hull.clear();
        let mut descent = Descent::new(&pair, query);
        Ok(match descent.descend::<4>(MAX_STEPS, |sample| hull.remember(sample)) {
            End::Closed(witness) => solved(&descent, witness),
            End::Separated => descent.bounds.separated(),
            End::Open => expand(descent, hull),
        })
    }
}

/// Grows the hull of all points seen at its worst face until the bounds meet.
fn expand<A, B>(mut descent: Descent<'_, '_, Space, A, B>, hull: &mut Hull) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let c = descent.bounds.best.c;
    let axis = c.any_orthonormal_vector();
    for direction in [-c, axis, -axis, c.cross(axis), -c.cross(axis)] {
        descent.evaluate(direction, &mut |sample| hull.remember(sample));
    }
    if !hull.build() {
        return unresolved(&descent);
    }
    while (descent.bounds.evaluations as usize) < CAPACITY {
        let Some(worst) = hull.worst() else { break };
        let Some(witness) = hull.nearest(worst.bound.min(0.0)) else { break };
        let v = witness.difference();
        let bound = if worst.bound > 0.0 { v.length() } else { worst.bound };
        descent.bounds.upper = descent.bounds.upper.min(bound);
        if descent.bounds.closed() {
            return solved(&descent, witness);
        }
        let outside = if worst.bound > 0.0 { v.try_normalize() } else { None };
        let before = hull.points().len();
        descent.evaluate(outside.unwrap_or(worst.normal), &mut |sample| hull.remember(sample));
        if descent.bounds.detected() {
            return descent.bounds.separated();
        }
        if !hull.grow_from(before) && !descent.bounds.closed() {
            break;
        }
    }
    unresolved(&descent)
}

fn contact<A, B>(descent: &Descent<'_, '_, Space, A, B>, witness: PointPair) -> Contact<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let (pair, best) = (descent.pair, &descent.bounds.best);
    pair.contact_at(best, witness, pair.jet(best.c).curvature())
}

fn solved<A, B>(descent: &Descent<'_, '_, Space, A, B>, witness: PointPair) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    descent.bounds.answer(Verdict::Solved(contact(descent, witness)))
}

fn unresolved<A, B>(descent: &Descent<'_, '_, Space, A, B>) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let best = contact(descent, descent.bounds.best.points());
    descent.bounds.answer(Verdict::Unresolved { best, doubt: Doubt::BoundsApart })
}

impl Reduce<Space> for Simplex {
    /// Shrinks to the face that carries the point nearest to the origin, and returns that point; `None` when the simplex
    /// holds the origin.
    fn reduce(&mut self) -> Option<PointPair> {
        let p = self.points;
        let faces: &[[usize; 3]] = match self.count {
            1 => &[[0, 0, 0]],
            2 => &[[0, 1, 1]],
            3 => &[[0, 1, 2]],
            _ => {
                if self.holds_origin() {
                    return None;
                }
                &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
            }
        };
        let mut best = (f64::INFINITY, [0; 3], [1.0, 0.0, 0.0]);
        for &face in faces {
            let [x, y, z] = face.map(|i| p[i].d);
            let w = closest_on_triangle(x, y, z);
            let distance = (x * w[0] + y * w[1] + z * w[2]).length();
            if distance < best.0 {
                best = (distance, face, w);
            }
        }
        let (_, face, weights) = best;
        self.count = 0;
        let mut witness = PointPair::default();
        for (i, w) in face.into_iter().zip(weights).filter(|(_, w)| *w > 0.0) {
            witness.x_a += p[i].x_a * w;
            witness.x_b += p[i].x_b * w;
            self.points[self.count] = p[i];
            self.count += 1;
        }
        Some(witness)
    }
}

impl Simplex {
    /// Whether the origin lies in the tetrahedron: on the same side of each face as the fourth corner.
    fn holds_origin(&self) -> bool {
        let d = self.points.map(|s| s.d);
        [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]]
            .iter()
            .all(|&[i, j, k, l]| side(d[i], d[j], d[k], d[l]) * side(d[i], d[j], d[k], DVec3::ZERO) > 0.0)
    }
}
