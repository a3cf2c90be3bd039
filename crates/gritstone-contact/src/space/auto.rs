//! `auto`: the certified default.
//!
//! **Idea.** Newton's method finds a direction; its g is a lower bound of the signed distance. Points of the Minkowski
//! difference give the upper bound: one point when apart, a small closed surface about the optimum when overlapping
//! ([`tower`](super::tower)), and where these do not close (flat faces, corners, several optima) the convex hull of all
//! points seen, grown towards its worst face ([`hull`](super::hull)); a face that beats the best direction starts
//! Newton's method again from there. The answer is certified when the bounds agree.
//!
//! **Source.** Gritstone.
//!
//! **Fails when** a continuum of directions is optimal (concentric equal bodies), where the surface would have to be
//! fine everywhere: `unresolved`, with bounds.

use glam::DVec3;
use gritstone_core::{Contact, Space};
use gritstone_shape::{Implicit, Support};

use super::ascent::{Limits, climb};
use super::hull::{CAPACITY, Hull, Witness};
use super::method::{Method, Placed, Scratch};
use super::middle;
use super::pair::{Pair, PairJet, Sample};
use super::tower;
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict, tolerance};

/// Steps of one ascent.
const ASCENT: Limits = Limits { iterations: 40, detect: false };
/// Pairs of support points that one query may evaluate.
const EVALUATIONS: u32 = CAPACITY as u32 - 60;
/// While apart, every so many evaluations Newton's method is tried from the nearest point.
const RETRY: u32 = 4;

/// The certified method for each pair.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

impl Method for Auto {
    fn card(&self) -> Card {
        Card {
            name: "auto",
            source: "Gritstone",
            shapes: "all",
            guarantee: "signed distance between proven bounds, or unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        let pair = Pair::new(a.shape, &a.pose, b.shape, &b.pose);
        Ok(Search::new(&pair, &mut scratch.hull).run(query))
    }
}

/// One query under way.
struct Search<'p, 's, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'s, A, B>,
    /// Every evaluation, and the hull of them where it is needed.
    hull: &'p mut Hull,
    /// The best direction so far.
    best: Option<PairJet>,
    converged: bool,
    lower: f64,
    upper: f64,
    iterations: u32,
    evaluations: u32,
}

impl<'p, 's, A, B> Search<'p, 's, A, B>
where
    A: Support<Space> + Implicit<Space> + ?Sized,
    B: Support<Space> + Implicit<Space> + ?Sized,
{
    fn new(pair: &'p Pair<'s, A, B>, hull: &'p mut Hull) -> Self {
        hull.clear();
        Self {
            pair,
            hull,
            best: None,
            converged: false,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            iterations: 0,
            evaluations: 0,
        }
    }

    fn run(mut self, query: Query<Space>) -> Answer<Space> {
        let start = query.start.unwrap_or_else(|| self.pair.centre_line());
        let detect = query.goal == Goal::Detect;
        let jet = self.ascend(start, detect);
        if detect && self.lower > 0.0 {
            let verdict = Verdict::Apart { at_least: jet.sample.g, along: jet.sample.c };
            return self.answer(verdict);
        }
        if self.closed() {
            return self.solved(&jet, None);
        }
        let towered = self.converged && jet.sample.g < 0.0;
        if towered {
            let upper = tower::certify(self.pair, &jet, self.pair.tolerance(), |s| {
                note(self.hull, &mut self.evaluations, s)
            });
            self.upper = self.upper.min(upper);
            if self.closed() {
                return self.solved(&jet, None);
            }
        }
        self.search(detect, towered)
    }

    /// Newton's method from `start`; keeps all that it evaluates.
    fn ascend(&mut self, start: DVec3, detect: bool) -> PairJet {
        let (hull, evaluations, upper) = (&mut *self.hull, &mut self.evaluations, &mut self.upper);
        let limits = Limits { detect, ..ASCENT };
        let ascent = climb(self.pair, start, limits, |sample| {
            note(hull, evaluations, sample);
            *upper = upper.min(sample.d.length());
        });
        self.iterations += ascent.iterations;
        if ascent.jet.sample.g > self.lower {
            self.lower = ascent.jet.sample.g;
            self.converged = ascent.converged;
            self.best = Some(ascent.jet);
        }
        ascent.jet
    }

    fn closed(&self) -> bool {
        self.upper - self.lower <= self.pair.tolerance()
    }

    /// Grows the hull of all points seen until the bounds meet.
    fn search(mut self, detect: bool, towered: bool) -> Answer<Space> {
        let Some(mut jet) = self.best else { return self.unresolved() };
        if !towered {
            self.remember(-jet.sample.c);
            self.remember_ring(&jet);
        }
        if !self.hull.build() {
            let (u, v) = (jet.tangent.u, jet.tangent.v);
            [u, v, -u, -v].into_iter().for_each(|direction| self.remember(direction));
            if !self.hull.build() {
                return self.unresolved();
            }
        }
        let mut last_try = self.evaluations;
        while self.evaluations < EVALUATIONS {
            let Some(worst) = self.hull.worst() else { break };
            let direction = if worst.bound > 0.0 {
                // The origin is outside: the nearest point bounds the distance and points where to look next.
                let Some(witness) = self.hull.nearest(0.0) else { break };
                let d = witness.x_b - witness.x_a;
                self.upper = self.upper.min(d.length());
                if self.closed() {
                    return self.solved(&jet, Some(witness));
                }
                d.try_normalize().unwrap_or(worst.normal)
            } else {
                self.upper = self.upper.min(worst.bound);
                if self.closed() {
                    let witness = self.hull.nearest(self.lower - self.pair.tolerance());
                    return self.solved(&jet, witness);
                }
                worst.normal
            };
            let retry = worst.bound > 0.0 && self.evaluations >= last_try + RETRY;
            let sample = self.pair.sample(direction);
            self.evaluations += 1;
            if detect && sample.g > 0.0 {
                self.lower = sample.g;
                return self.answer(Verdict::Apart { at_least: sample.g, along: sample.c });
            }
            let grown = self.hull.add(&sample);
            if sample.g > self.lower || retry {
                let before = self.hull.points().len();
                self.ascend(sample.c, detect);
                if let Some(best) = self.best {
                    jet = best;
                }
                self.remember_ring(&jet);
                self.hull.grow_from(before);
                last_try = self.evaluations;
            } else if !grown {
                break;
            }
        }
        self.unresolved()
    }

    /// Evaluates a direction that need not have unit length, and keeps the point.
    fn remember(&mut self, direction: DVec3) {
        let sample = self.pair.sample(direction.normalize());
        note(self.hull, &mut self.evaluations, &sample);
    }

    /// Evaluates a ring about the best direction, narrow enough to lie within tolerance of its plane.
    fn remember_ring(&mut self, jet: &PairJet) {
        let residual = jet.d_t.length().max(tolerance::CONVERGENCE * self.pair.size);
        let tilt = (0.3 * self.pair.tolerance() / residual).min(0.3);
        let (c, u, v) = (jet.sample.c, jet.tangent.u * tilt, jet.tangent.v * tilt);
        for direction in [c + u, c + v, c - u, c - v] {
            self.remember(direction);
        }
    }

    /// The contact at the best direction. Where the direction does not determine the points, the middle of the contact
    /// region is taken, or else the given witness.
    fn contact(&self, jet: &PairJet, witness: Option<Witness>) -> Contact<Space> {
        let (pair, sample) = (self.pair, &jet.sample);
        if jet.d_t.length() <= tolerance::CONVERGENCE * pair.size {
            return jet.contact(pair);
        }
        let lateral = |x: DVec3| jet.tangent.project(x - sample.x_a);
        let middle = if jet.d_t.length() <= tolerance::WITNESS * pair.size {
            None
        } else {
            let tilt = 0.5 * tolerance::CERTIFICATE;
            middle::middle(pair, sample.c, &jet.tangent, sample.x_a, tilt)
                .or_else(|| witness.map(|w| 0.5 * (lateral(w.x_a) + lateral(w.x_b))))
        };
        // On the support planes, so that the points lie apart along the normal by the gap exactly.
        let across = jet.tangent.lift(middle.unwrap_or(0.5 * jet.d_t));
        let x_a = sample.x_a + across;
        pair.contact(sample.c, sample.g, x_a, x_a + sample.c * sample.g, jet.curvature())
    }

    fn solved(&self, jet: &PairJet, witness: Option<Witness>) -> Answer<Space> {
        self.answer(Verdict::Solved(self.contact(jet, witness)))
    }

    fn unresolved(&self) -> Answer<Space> {
        let best = self.best.map(|jet| self.contact(&jet, None)).unwrap_or_default();
        self.answer(Verdict::Unresolved { best, doubt: Doubt::BoundsApart })
    }

    fn answer(&self, verdict: Verdict<Space>) -> Answer<Space> {
        Answer {
            verdict,
            lower: self.lower,
            upper: self.upper,
            tolerance: self.pair.tolerance(),
            iterations: self.iterations,
            evaluations: self.evaluations,
        }
    }
}

/// Keeps an evaluation.
fn note(hull: &mut Hull, evaluations: &mut u32, sample: &Sample) {
    *evaluations += 1;
    hull.remember(sample);
}
