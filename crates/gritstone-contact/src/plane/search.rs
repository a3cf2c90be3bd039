//! The search for bounds that meet, behind [`auto`](super::auto).

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::Support;

use super::ascent::{Limits, climb};
use super::flat;
use super::pair::{LARGEST_CORRECTION, Pair, PairJet, PointPair, Sample};
use super::ring::{CAPACITY, Ring, nearest};
use crate::pair::Bounds;
use crate::{Answer, Doubt, Goal, Query, Verdict};

/// Steps of one ascent.
const ASCENT: u32 = 80;
/// Pairs of support points that one query may evaluate.
const EVALUATIONS: u32 = CAPACITY as u32;
/// Width between the bounds that is aimed for away from the optimum, as a fraction of the one allowed, so that no other
/// optimum is mistaken for it.
const FINE: f64 = 1e-3;
/// Width that is aimed for beside the optimum, as a fraction of the depth, where that is less than the one allowed.
const NEAR: f64 = 1e-6;
/// Evaluations that these aims may cost.
const FINE_EVALUATIONS: u32 = 200;
/// Widest tilt of the directions set on both sides of an optimum (rad).
const WIDEST: f64 = 0.9;
/// How many times wider than deep the first of them lie apart at most.
const WIDTH: f64 = 8.0;
/// Most of them on each side.
const STEPS: u32 = 4;

/// Error of an extrapolated gap that is allowed, as a fraction of it.
const ERROR: f64 = 1e-5;
/// Part of the second-order term that the third derivative is at most, for a relative change of one.
const SHORT: f64 = 4.0;

/// One query under way.
pub(crate) struct Search<'p, 's, A: ?Sized, B: ?Sized> {
    pair: &'p Pair<'s, A, B>,
    bounds: Bounds<Plane>,
    /// Directions all around, where they are needed.
    ring: &'p mut Ring,
    /// The best direction so far: the lower bound.
    best: PairJet,
    /// The other side of the kink that g has there.
    across: Option<Sample>,
    /// Whether it is a local maximum.
    converged: bool,
}

impl<'p, 's, A, B> Search<'p, 's, A, B>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    pub(crate) fn new(pair: &'p Pair<'s, A, B>, query: Query<Plane>, ring: &'p mut Ring) -> Self {
        ring.clear();
        let bounds = Bounds::new(query, pair.tolerance());
        Self { pair, bounds, ring, best: PairJet::nowhere(), across: None, converged: false }
    }

    /// Newton's method, then whatever it takes to close the bounds.
    pub(crate) fn run(mut self) -> Answer<Plane> {
        if let Some(contact) = self.extrapolated() {
            return self.bounds.answer(Verdict::Solved(contact));
        }
        self.ascend(self.bounds.query.start.unwrap_or_else(|| self.pair.centre_line()));
        if self.bounds.detected() {
            return self.bounds.separated();
        }
        if let Some(witness) = self.edge_witness()
            && self.best.sample.g > 0.0
        {
            // Apart, any point of the edge bounds the distance.
            self.bounds.upper = self.bounds.upper.min(witness.difference().length());
        }
        if self.best.sample.g < 0.0 && self.across.is_none() {
            self.bounds.upper = self.bounds.upper.min(self.pair.nested_bound(&self.best.sample));
        }
        // Apart there is one maximum; of an overlap there may be others, better by less than the certificate's width.
        let enough = if self.best.sample.g >= 0.0 { self.bounds.width(1.0) } else { self.fine_width() };
        if self.bounds.upper - self.best.sample.g <= enough {
            return self.solved();
        }
        self.surround();
        self.divide()
    }

    /// The contact of an overlap by one evaluation, taken to second order, where the query allows some slack and the start is so near
    /// the optimum that the third derivatives do not count.
    fn extrapolated(&mut self) -> Option<Contact<Plane>> {
        let (pair, query) = (self.pair, self.bounds.query);
        let start = query.start.filter(|_| query.slack > 0.0)?;
        let jet = pair.jet(start);
        let (sample, model) = (&jet.sample, jet.model());
        self.bounds.visit(sample);
        if sample.g >= 0.0 || model <= 0.0 {
            return None;
        }
        let turn = (jet.d_t / model).abs();
        let change = pair.change(sample.c, turn)?.max(turn);
        let error = SHORT * jet.d_t.abs() * turn * change;
        if turn > LARGEST_CORRECTION || error > ERROR * -sample.g {
            return None;
        }
        let upper = pair.nested_bound(sample);
        if upper - sample.g > query.width(pair.tolerance(), sample.g) {
            return None;
        }
        (self.best, self.bounds.best, self.bounds.upper) = (jet, *sample, upper);
        Some(jet.contact(pair))
    }

    /// Newton's method from `start`.
    fn ascend(&mut self, start: DVec2) {
        let Self { pair, bounds, .. } = self;
        let limits = Limits { iterations: ASCENT, detect: bounds.query.goal == Goal::Detect };
        let ascent = climb(pair, start, limits, |sample| bounds.visit(sample));
        self.bounds.iterations += ascent.iterations;
        if ascent.jet.sample.g > self.best.sample.g {
            (self.best, self.bounds.best) = (ascent.jet, ascent.jet.sample);
            self.across = ascent.across;
            self.converged = ascent.converged;
        }
    }

    /// Builds a ring from the optimum, its opposite, and what keeps the arcs beside it within tolerance.
    fn surround(&mut self) {
        let back = self.evaluate(-self.best.sample.c);
        self.ring.start(self.best.sample, back);
        self.enclose_best();
    }

    /// Sets directions on both sides of the optimum: as far from it as leaves the bound between them within tolerance,
    /// then farther and farther, as D curves away.
    ///
    /// For a depth δ and a circle of radius h, the bound between c and one tilted by r exceeds −δ by δr²/8. Between
    /// tilts of r and kr it stays below −δ while `(k − 1)/(k + 1) ≤ √(1 − δ/h)`.
    fn enclose_best(&mut self) {
        let PairJet { sample: Sample { c, g, .. }, h_a, h_b, d_t } = self.best;
        if let Some(across) = self.across {
            self.ring.insert(across);
            return;
        }
        let (depth, h, width) = (-g, h_a + h_b, self.near_width());
        if depth <= 0.0 || depth >= h {
            return;
        }
        let root = (1.0 - depth / h).sqrt();
        let growth = 0.8 * (1.0 + root) / (1.0 - root);
        let flat_enough = (6.0 * width / depth).sqrt().min(0.5 * width / d_t.abs());
        let mut tilt = flat_enough.min(WIDTH * depth / h).min(WIDEST);
        for _ in 0..STEPS {
            for lean in [tilt, -tilt] {
                let sample = self.evaluate((c + c.perp() * lean).normalize());
                self.ring.insert(sample);
            }
            if self.ring.upper() - g <= width || tilt >= WIDEST || growth < 2.0 {
                return;
            }
            tilt = (tilt * growth).min(WIDEST);
        }
    }

    /// Divides the worst arc until the bounds meet: more closely away from the optimum, so that no other is mistaken for
    /// it. A direction found there that beats the best one starts Newton's method again.
    fn divide(&mut self) -> Answer<Plane> {
        let noise = self.pair.rounding();
        while self.bounds.evaluations < EVALUATIONS {
            let Sample { c, g, .. } = self.best.sample;
            let (near, fine) = (self.near_width(), self.fine_width());
            let Some(worst) = self.ring.worst_but_at(c, near - fine) else { break };
            let (excess, at) = (worst.upper - g - if worst.ends_at(c) { near } else { fine }, worst.at);
            self.bounds.upper = self.bounds.upper.min(self.ring.upper());
            let fine_enough = excess <= 0.0 || self.bounds.evaluations >= FINE_EVALUATIONS;
            if fine_enough && self.bounds.closed() {
                return self.solved();
            }
            let sample = self.evaluate(at);
            let grown = self.ring.insert(sample);
            if sample.g > self.best.sample.g + noise {
                self.ascend(sample.c);
                if self.bounds.detected() {
                    return self.bounds.separated();
                }
                let grown = self.ring.insert(self.best.sample);
                if grown {
                    self.enclose_best();
                }
            } else if !grown {
                break;
            }
        }
        if self.bounds.closed() {
            return self.solved();
        }
        self.bounds.answer(Verdict::Unresolved { best: self.contact(), doubt: Doubt::BoundsApart })
    }

    fn evaluate(&mut self, c: DVec2) -> Sample {
        self.bounds.evaluations += 1;
        self.pair.sample(c)
    }

    /// Width allowed away from the optimum.
    fn fine_width(&self) -> f64 {
        (FINE * self.bounds.width(1.0)).max(self.pair.rounding())
    }

    /// Width allowed beside the optimum.
    fn near_width(&self) -> f64 {
        (-NEAR * self.best.sample.g).max(self.fine_width()).min(self.bounds.width(1.0))
    }

    /// The points between the two sides of the kink at which d is nearest to the origin.
    fn edge_witness(&self) -> Option<PointPair> {
        self.across.map(|across| nearest(&self.best.sample, &across))
    }

    /// The contact at the best direction. Where g has a kink, the direction does not determine the points.
    fn contact(&self) -> Contact<Plane> {
        match self.edge_witness() {
            None if self.converged => self.best.contact(self.pair),
            witness => flat::contact(self.pair, &self.best, witness.unwrap_or(self.best.sample.points())),
        }
    }

    fn solved(&self) -> Answer<Plane> {
        self.bounds.answer(Verdict::Solved(self.contact()))
    }
}
