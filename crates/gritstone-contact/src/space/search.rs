//! The search for bounds that meet, behind [`auto`](super::auto).

use glam::DVec3;
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;

use super::Memory;
use super::ascent::{self, Limits};
use super::crease;
use super::flat;
use super::hull::{CAPACITY, Hull};
use super::pair::{LARGEST_TURN, Pair, PairJet, PointPair, Sample, relative_curvature};
use super::ring_certificate::RingCertificate;
use crate::pair::Bounds;
use crate::{Answer, Doubt, Goal, Query, Verdict, tolerance};

/// Steps of one ascent.
const ASCENT: u32 = 40;
/// Pairs of support points that one query may evaluate, less those of a last ascent.
const EVALUATIONS: u32 = CAPACITY as u32 - ASCENT - 20;
/// While the origin is outside the hull, every so many evaluations Newton's method is tried from the nearest point.
const RETRY: u32 = 4;
/// Width between the bounds to aim for where g has creases or Newton's method did not converge, as a fraction of the one
/// allowed: the gap is only as good as the bounds there.
const AIM: f64 = 0.01;

/// Error of an extrapolated gap that is allowed, as a fraction of it.
const ERROR: f64 = 1e-5;
/// Part of the second-order term that the third derivative is at most, for a relative change of one.
const SHORT: f64 = 4.0;

/// One query under way.
pub(crate) struct Search<'p, 's, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'s, A, B>,
    bounds: Bounds<Space>,
    /// Every evaluation, and the hull of them where it is needed.
    hull: &'p mut Hull,
    /// The best direction so far: the lower bound.
    best: PairJet,
    /// Whether d_t vanished there, and g has a summit.
    converged: bool,
    /// Whether g has a crease there, and the points are weighted means of support points.
    creased: bool,
}

/// What growing the hull by one point led to.
enum Step {
    Closed,
    Separated(Sample),
    Grown,
    Stuck,
}

impl<'p, 's, A, B> Search<'p, 's, A, B>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    pub(crate) fn new(pair: &'p Pair<'s, A, B>, query: Query<Space>, hull: &'p mut Hull) -> Self {
        hull.clear();
        let bounds = Bounds::new(query, pair.tolerance());
        Self { pair, bounds, hull, best: PairJet::nowhere(), converged: false, creased: false }
    }

    /// Newton's method, then whatever it takes to close the bounds.
    pub(crate) fn run(mut self, memory: &mut Memory) -> Answer<Space> {
        let start = self.bounds.query.start.or_else(|| memory.next_direction());
        if let Some(start) = start
            && let Some(contact) = self.extrapolated(start)
        {
            memory.keep_direction(contact.normal);
            return self.bounds.answer(Verdict::Solved(contact));
        }
        self.ascend(start.unwrap_or_else(|| self.pair.centre_line()));
        let answer = self.close(memory);
        memory.keep_direction(self.best.sample.c);
        answer
    }

    /// The contact of an overlap by one evaluation, taken to second order, where the query allows some slack and the direction is so
    /// near the optimum that the third derivatives do not count.
    fn extrapolated(&mut self, start: DVec3) -> Option<Contact<Space>> {
        let pair = self.pair;
        if self.bounds.query.slack <= 0.0 || pair.a.creased() || pair.b.creased() {
            return None;
        }
        let jet = pair.jet(start);
        let (sample, model) = (&jet.sample, jet.model());
        self.bounds.visit(sample);
        if sample.g >= 0.0 || model.determinant() <= 0.0 || model.trace() <= 0.0 {
            return None;
        }
        let step = model.solve(jet.d_t);
        let turn = step.length();
        let change = pair.change(sample.c, jet.tangent.lift(step))?.max(turn);
        let error = SHORT * jet.d_t.dot(step).abs() * change;
        if turn >= LARGEST_TURN || error > ERROR * -sample.g {
            return None;
        }
        let balls = pair.nested_balls(sample);
        let upper = (sample.d + sample.c * balls).length() - balls;
        if upper - sample.g > self.bounds.query.width(pair.tolerance(), sample.g) {
            return None;
        }
        (self.best, self.bounds.best, self.bounds.upper) = (jet, *sample, upper);
        Some(jet.contact(pair))
    }

    fn close(&mut self, memory: &mut Memory) -> Answer<Space> {
        if self.bounds.detected() {
            return self.bounds.separated();
        }
        if self.closed_well() {
            return self.solved(None);
        }
        let overlapping = self.converged && self.best.sample.g < 0.0;
        if overlapping {
            self.bounds.upper = self.bounds.upper.min(self.upper_by_balls());
            if self.closed_well() {
                return self.solved(None);
            }
            self.bounds.upper = self.bounds.upper.min(memory.upper(self.pair, self.best.sample.d));
            if self.closed_well() {
                return self.solved(None);
            }
            let rings = self.build_rings();
            memory.keep(self.pair, self.bounds.closed().then_some(&rings));
            if self.closed_well() {
                return self.solved(None);
            }
        }
        self.grow_hull(overlapping)
    }

    /// Newton's method from `start`; keeps all that it evaluates.
    fn ascend(&mut self, start: DVec3) {
        let Self { pair, hull, bounds, .. } = self;
        let limits = Limits { iterations: ASCENT, detect: bounds.query.goal == Goal::Detect };
        let visit = |sample: &Sample| {
            bounds.visit(sample);
            hull.remember(sample);
        };
        let creased = pair.a.creased() || pair.b.creased();
        let ascent = if creased {
            crease::climb(pair, start, limits, visit)
        } else {
            ascent::climb(pair, start, limits, visit)
        };
        self.bounds.iterations += ascent.iterations;
        self.bounds.upper = self.bounds.upper.min(ascent.jet.sample.d.length());
        if ascent.jet.sample.g > self.best.sample.g {
            (self.best, self.bounds.best) = (ascent.jet, ascent.jet.sample);
            // d_t vanishes on saddles, too.
            let model = ascent.jet.model();
            let summit = ascent.creased || (model.determinant() > 0.0 && model.trace() > 0.0);
            self.converged = ascent.converged && summit;
            self.creased = ascent.creased;
        }
    }

    /// Upper bound of the signed distance from two balls inside the bodies that touch their support points.
    fn upper_by_balls(&self) -> f64 {
        let (pair, sample) = (self.pair, &self.best.sample);
        // The points of a crease are means of support points: there only balls that fit everywhere count.
        let balls = if self.creased {
            pair.a.rolling_ball() + pair.b.rolling_ball()
        } else {
            pair.nested_balls(sample)
        };
        if balls > 0.0 { (sample.d + sample.c * balls).length() - balls } else { f64::INFINITY }
    }

    fn build_rings(&mut self) -> RingCertificate {
        let aim = self.aim();
        let Self { pair, hull, bounds, best, .. } = self;
        let (rings, upper) = RingCertificate::build(pair, best, aim, |sample| {
            bounds.evaluations += 1;
            hull.remember(sample);
        });
        self.bounds.upper = self.bounds.upper.min(upper);
        rings
    }

    /// Grows the hull of all points seen until the bounds meet.
    fn grow_hull(&mut self, ringed: bool) -> Answer<Space> {
        if !ringed {
            self.evaluate(-self.best.sample.c);
            self.evaluate_ring();
        }
        let mut widened = false;
        if !self.hull.build() {
            widened = true;
            self.widen();
        }
        let mut last_ascent = self.bounds.evaluations;
        let mut witness = None;
        while self.bounds.evaluations < EVALUATIONS {
            match self.grow_by_one(&mut last_ascent, &mut witness) {
                Step::Closed => break,
                Step::Separated(sample) => {
                    self.bounds.best = sample;
                    return self.bounds.separated();
                }
                Step::Grown => {}
                Step::Stuck if widened => break,
                Step::Stuck => {
                    widened = true;
                    self.widen();
                }
            }
        }
        if self.bounds.closed() { self.solved(witness) } else { self.unresolved() }
    }

    /// Looks all around, where the points seen so far lie in a line or a plane.
    fn widen(&mut self) {
        let c = self.best.sample.c;
        let (u, v) = (self.best.tangent.u, self.best.tangent.v);
        for direction in [-c, u, v, -u, -v] {
            self.evaluate(direction);
        }
        self.hull.build();
    }

    /// Evaluates the direction of the face that bounds the signed distance least, and Newton's method from there where
    /// that promises more.
    fn grow_by_one(&mut self, last_ascent: &mut u32, witness: &mut Option<PointPair>) -> Step {
        let Some(worst) = self.hull.worst() else { return self.stay_in_plane(witness) };
        let outside = worst.bound > 0.0;
        // Outside the hull, its nearest point bounds the distance and says where to look next. It may lie on a face that
        // only rounding turns away from the origin.
        let nearest_from = if outside { -AIM * self.pair.tolerance() } else { worst.bound };
        *witness = self.hull.nearest(nearest_from);
        let Some(nearest) = witness.map(|points| points.difference()) else { return Step::Stuck };
        self.bounds.upper = self.bounds.upper.min(if outside { nearest.length() } else { worst.bound });
        if self.closed_well() {
            return Step::Closed;
        }
        // A face's own normal is the better direction when the nearest point lies on it, and the only one when that point is
        // too near to the origin to have a direction. Beside a face that is almost level the other one may be needed.
        let on_face = nearest.length() <= worst.bound * (1.0 + 1e-6);
        let towards_nearest = if outside { nearest.try_normalize() } else { None };
        let [first, second] = [towards_nearest, Some(worst.normal)];
        let directions = if on_face { [second, first] } else { [first, second] };
        for direction in directions.into_iter().flatten() {
            let known = self.hull.points().len();
            let sample = self.evaluate(direction);
            if self.bounds.query.goal == Goal::Detect && sample.g > 0.0 {
                return Step::Separated(sample);
            }
            let retry = outside && self.bounds.evaluations > *last_ascent + RETRY;
            let promising = sample.g > self.best.sample.g || retry;
            if promising {
                self.ascend(sample.c);
                self.evaluate_ring();
                *last_ascent = self.bounds.evaluations;
            }
            if self.hull.grow_from(known) || promising {
                return Step::Grown;
            }
        }
        Step::Stuck
    }

    /// Bounds the distance where all points seen lie in a plane: flat bodies in parallel planes.
    fn stay_in_plane(&mut self, witness: &mut Option<PointPair>) -> Step {
        *witness = self.hull.nearest_in_plane();
        self.bounds.upper =
            witness.map_or(self.bounds.upper, |points| self.bounds.upper.min(points.difference().length()));
        if self.closed_well() { Step::Closed } else { Step::Stuck }
    }

    /// Evaluates a direction of any length and keeps the points.
    fn evaluate(&mut self, direction: DVec3) -> Sample {
        let sample = self.pair.sample(direction.normalize());
        self.bounds.evaluations += 1;
        self.hull.remember(&sample);
        sample
    }

    /// Evaluates a ring about the best direction, narrow enough to lie within tolerance of its plane: on flat faces its
    /// points lie all around the contact.
    fn evaluate_ring(&mut self) {
        let PairJet { sample: Sample { c, .. }, tangent, d_t, .. } = self.best;
        let residual = d_t.length().max(tolerance::CONVERGENCE * self.pair.size);
        let tilt = (0.3 * self.pair.tolerance() / residual).min(0.3);
        let (u, v) = (tangent.u * tilt, tangent.v * tilt);
        for direction in [c + u, c + v, c - u, c - v] {
            self.evaluate(direction);
        }
    }

    fn closed_well(&self) -> bool {
        self.bounds.upper - self.best.sample.g <= self.aim()
    }

    /// Width to aim for: where g is smooth and Newton's method has converged the gap is better than its bounds; elsewhere it
    /// is only as good as they are.
    fn aim(&self) -> f64 {
        let fraction = if self.converged && !self.creased { 1.0 } else { AIM };
        self.bounds.width(fraction)
    }

    /// The contact at the best direction. Where the direction does not determine the points, the middle of the contact
    /// region is taken; where no such region is found its own points, if they face each other, or else the given witness.
    fn contact(&self, witness: Option<PointPair>) -> Contact<Space> {
        let (pair, jet) = (self.pair, &self.best);
        let residual = jet.d_t.length();
        if residual <= tolerance::CONVERGENCE * pair.size && !self.creased {
            return jet.contact(pair);
        }
        let own = jet.sample.points();
        if residual <= tolerance::WITNESS * pair.size && !self.creased {
            return pair.contact_at(&jet.sample, own, jet.curvature());
        }
        let flat::Meeting { middle, radii: [h_a, h_b] } = flat::meet(pair, jet);
        let facing = (residual <= tolerance::WITNESS * pair.size).then_some(own);
        let witness = middle.or(facing).or(witness).unwrap_or(own);
        pair.contact_at(&jet.sample, witness, relative_curvature(&h_a, &h_b))
    }

    fn solved(&self, witness: Option<PointPair>) -> Answer<Space> {
        self.bounds.answer(Verdict::Solved(self.contact(witness)))
    }

    fn unresolved(&self) -> Answer<Space> {
        self.bounds.answer(Verdict::Unresolved { best: self.contact(None), doubt: Doubt::BoundsApart })
    }
}
