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
use gritstone_core::Space;
use gritstone_shape::Support;

use super::hull::{CAPACITY, Hull};
use super::method::{Method, Placed, Scratch};
use super::pair::{Pair, PointPair, Sample};
use super::surface::{closest_on_triangle, side};
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict};

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
        Ok(Descent::new(&pair, &mut scratch.hull).run(query))
    }
}

/// One query under way.
struct Descent<'p, 's, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'s, A, B>,
    /// Every evaluation, for the polytope.
    hull: &'p mut Hull,
    /// The best lower bound so far.
    best: Sample,
    upper: f64,
    evaluations: u32,
}

impl<'p, 's, A, B> Descent<'p, 's, A, B>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    fn new(pair: &'p Pair<'s, A, B>, hull: &'p mut Hull) -> Self {
        hull.clear();
        let best = Sample { g: f64::NEG_INFINITY, ..Sample::default() };
        Self { pair, hull, best, upper: f64::INFINITY, evaluations: 0 }
    }

    fn run(mut self, query: Query<Space>) -> Answer<Space> {
        let detect = query.goal == Goal::Detect;
        let start = query.start.unwrap_or_else(|| self.pair.centre_line());
        let mut simplex = Simplex::new(self.evaluate(start));
        for _ in 0..MAX_STEPS {
            let Some(witness) = simplex.reduce() else { return self.expand(detect) };
            let v = witness.difference();
            self.upper = self.upper.min(v.length());
            if self.closed() {
                return self.solved(witness);
            }
            let Some(c) = v.try_normalize() else { return self.expand(detect) };
            let sample = self.evaluate(c);
            if detect && sample.g > 0.0 {
                return self.answer(Verdict::Apart { at_least: sample.g, along: c });
            }
            if self.closed() {
                return self.solved(witness);
            }
            if !simplex.add(sample) {
                break;
            }
        }
        self.expand(detect)
    }

    /// Grows the hull of all points seen at its worst face until the bounds meet.
    fn expand(mut self, detect: bool) -> Answer<Space> {
        let c = self.best.c;
        let axis = c.any_orthonormal_vector();
        for direction in [-c, axis, -axis, c.cross(axis), -c.cross(axis)] {
            self.evaluate(direction);
        }
        if !self.hull.build() {
            return self.unresolved();
        }
        while (self.evaluations as usize) < CAPACITY {
            let Some(worst) = self.hull.worst() else { break };
            let Some(witness) = self.hull.nearest(worst.bound.min(0.0)) else { break };
            let v = witness.difference();
            self.upper = self.upper.min(if worst.bound > 0.0 { v.length() } else { worst.bound });
            if self.closed() {
                return self.solved(witness);
            }
            let outside = if worst.bound > 0.0 { v.try_normalize() } else { None };
            let before = self.hull.points().len();
            let sample = self.evaluate(outside.unwrap_or(worst.normal));
            if detect && sample.g > 0.0 {
                return self.answer(Verdict::Apart { at_least: sample.g, along: sample.c });
            }
            if !self.hull.grow_from(before) && !self.closed() {
                break;
            }
        }
        self.unresolved()
    }

    fn evaluate(&mut self, c: DVec3) -> Sample {
        let sample = self.pair.sample(c);
        self.evaluations += 1;
        self.hull.remember(&sample);
        self.upper = self.upper.min(sample.d.length());
        if sample.g > self.best.g {
            self.best = sample;
        }
        sample
    }

    fn closed(&self) -> bool {
        self.upper - self.best.g <= self.pair.tolerance()
    }

    fn solved(&self, witness: PointPair) -> Answer<Space> {
        self.answer(Verdict::Solved(self.pair.contact_at(
            &self.best,
            witness,
            self.pair.jet(self.best.c).curvature(),
        )))
    }

    fn unresolved(&self) -> Answer<Space> {
        let best =
            self.pair.contact_at(&self.best, self.best.points(), self.pair.jet(self.best.c).curvature());
        self.answer(Verdict::Unresolved { best, doubt: Doubt::BoundsApart })
    }

    fn answer(&self, verdict: Verdict<Space>) -> Answer<Space> {
        Answer::new(verdict, [self.best.g, self.upper], self.pair.tolerance(), [self.evaluations; 2])
    }
}

/// Up to four points of the Minkowski difference.
#[derive(Clone, Copy)]
struct Simplex {
    points: [Sample; 4],
    count: usize,
}

impl Simplex {
    fn new(first: Sample) -> Self {
        Self { points: [first; 4], count: 1 }
    }

    /// Adds a point; false when it is there already.
    fn add(&mut self, sample: Sample) -> bool {
        if self.count == 4 || self.points[..self.count].iter().any(|p| p.d == sample.d) {
            return false;
        }
        self.points[self.count] = sample;
        self.count += 1;
        true
    }

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

    /// Whether the origin lies in the tetrahedron: on the same side of each face as the fourth corner.
    fn holds_origin(&self) -> bool {
        let d = self.points.map(|s| s.d);
        [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]]
            .iter()
            .all(|&[i, j, k, l]| side(d[i], d[j], d[k], d[l]) * side(d[i], d[j], d[k], DVec3::ZERO) > 0.0)
    }
}
