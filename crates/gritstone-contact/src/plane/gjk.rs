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
//! holds the origin is decided exactly. The polygon is a [`ring`](super::ring), which also goes on where the descent
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
use super::pair::{Pair, PointPair, Sample};
use super::ring::{CAPACITY, Ring, nearest};
use super::{flat, half_plane};
use crate::{Answer, Card, Doubt, Goal, Method, Query, Refusal, Verdict};

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
            Ok(Descent::new(&pair, &mut scratch.ring, query).run())
        })
    }
}

/// One query under way.
struct Descent<'p, 's, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'s, A, B>,
    /// The polygon.
    ring: &'p mut Ring,
    query: Query<Plane>,
    /// The best lower bound so far.
    best: Sample,
    upper: f64,
    evaluations: u32,
}

impl<'p, 's, A, B> Descent<'p, 's, A, B>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    fn new(pair: &'p Pair<'s, A, B>, ring: &'p mut Ring, query: Query<Plane>) -> Self {
        let best = Sample { g: f64::NEG_INFINITY, ..Sample::default() };
        Self { pair, ring, query, best, upper: f64::INFINITY, evaluations: 0 }
    }

    fn run(mut self) -> Answer<Plane> {
        let start = self.query.start.unwrap_or_else(|| self.pair.centre_line());
        let mut simplex = Simplex::new(self.evaluate(start));
        for _ in 0..MAX_STEPS {
            let Some(witness) = simplex.reduce() else { break };
            let v = witness.difference();
            self.upper = self.upper.min(v.length());
            if self.detected() || self.closed() {
                return self.solved(witness);
            }
            let Some(c) = v.try_normalize() else { break };
            let sample = self.evaluate(c);
            if self.detected() || self.closed() {
                return self.solved(witness);
            }
            if !simplex.add(sample) {
                break;
            }
        }
        self.expand()
    }

    /// Grows a polygon at its worst edge until the bounds meet.
    fn expand(mut self) -> Answer<Plane> {
        let front = self.best;
        let back = self.evaluate(-front.c);
        self.ring.start(front, back);
        while (self.evaluations as usize) < CAPACITY {
            let Some(worst) = self.ring.worst() else { break };
            let at = worst.at;
            self.upper = self.upper.min(worst.upper);
            if self.detected() || self.closed() {
                return self.solved(self.ring.witness_at(self.best.c).unwrap_or(self.best.points()));
            }
            let sample = self.evaluate(at);
            if !self.ring.insert(sample) && !self.closed() {
                break;
            }
        }
        self.answer(Verdict::Unresolved { best: self.contact(self.best.points()), doubt: Doubt::BoundsApart })
    }

    fn evaluate(&mut self, c: DVec2) -> Sample {
        let sample = self.pair.sample(c);
        self.evaluations += 1;
        self.upper = self.upper.min(sample.d.length());
        if sample.g > self.best.g {
            self.best = sample;
        }
        sample
    }

    fn detected(&self) -> bool {
        self.query.goal == Goal::Detect && self.best.g > 0.0
    }

    fn closed(&self) -> bool {
        self.upper - self.best.g <= self.pair.tolerance()
    }

    fn contact(&self, witness: PointPair) -> Contact<Plane> {
        flat::contact(self.pair, &self.pair.jet(self.best.c), witness)
    }

    fn solved(&self, witness: PointPair) -> Answer<Plane> {
        let Sample { c, g, .. } = self.best;
        self.answer(if self.detected() {
            Verdict::Apart { at_least: g, along: c }
        } else {
            Verdict::Solved(self.contact(witness))
        })
    }

    fn answer(&self, verdict: Verdict<Plane>) -> Answer<Plane> {
        Answer::new(verdict, [self.best.g, self.upper], self.pair.tolerance(), [self.evaluations; 2])
    }
}

/// Up to three points of the Minkowski difference.
#[derive(Clone, Copy)]
struct Simplex {
    points: [Sample; 3],
    count: usize,
}

impl Simplex {
    fn new(first: Sample) -> Self {
        Self { points: [first; 3], count: 1 }
    }

    /// Adds a point; false when it is there already.
    fn add(&mut self, sample: Sample) -> bool {
        if self.count == 3 || self.points[..self.count].iter().any(|p| p.d == sample.d) {
            return false;
        }
        self.points[self.count] = sample;
        self.count += 1;
        true
    }

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
