//! Trust-region Newton ascent of g in lanes.
//!
//! As the scalar [`ascent`](crate::space::ascent), with these deviations: the direction follows the sphere by a rational
//! map (the angle of a step s is `2 atan(|s|/2)`, which needs no trigonometry and agrees to second order), and there is
//! no step on the surface of flat bodies.

use std::hint::black_box;

use gritstone_core::lanes::{Lanes, MaskBits, Vec3};

use super::kind::{Jets, Kind, Pairs};
use super::rows::{JetRows, PairRows, Rows};
use crate::tolerance;

/// Radius of the first disc.
const FIRST_RADIUS: f64 = 0.5;
/// Radius of the largest disc.
const LARGEST_RADIUS: f64 = 1.5;
/// Steps, rejected ones too, after which a pair leaves the lanes.
const MAX_ITERATIONS: f64 = 30.0;

const CONTROL_ROWS: usize = 9;
/// Rows of [`Control`] that a finished pair takes along.
const UPPER: usize = 7;
const ITERATIONS: usize = 8;

/// Eight ascents under way.
pub(super) struct Climb {
    pub(super) pairs: PairRows,
    /// The best directions so far.
    pub(super) here: JetRows,
    control: Rows<CONTROL_ROWS>,
}

/// What steers an ascent.
struct Control<L> {
    /// The direction to evaluate next.
    trial: Vec3<L>,
    /// Length of the step to it.
    length: L,
    /// Gain that the model predicts of it.
    predicted: L,
    radius: L,
    /// |d_t| of the best direction.
    residual: L,
    /// Smallest |d| of all directions: an upper bound of the signed distance.
    upper: L,
    iterations: L,
}

/// Lanes that are done, one bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Finished {
    pub(super) lanes: u8,
    /// Those that arrived: d_t vanishes, or, in detection, the bodies are apart.
    pub(super) converged: u8,
}

impl Climb {
    pub(super) const EMPTY: Self = Self { pairs: Rows::ZERO, here: Rows::ZERO, control: Rows::ZERO };

    /// Puts a pair into a lane.
    #[inline(always)]
    pub(super) fn begin<K: Kind>(&mut self, lane: usize, block: &PairRows, start: &Rows<3>, column: usize) {
        block.copy_column(K::PAIR_ROWS, column, &mut self.pairs, lane);
        start.copy_column(3, column, &mut self.control, lane);
        // Whatever is evaluated first is better than this, and no step led to it.
        self.here.0[0][lane] = f64::NEG_INFINITY;
        let first = [0.0, 1.0, FIRST_RADIUS, f64::INFINITY, f64::INFINITY, -1.0];
        for (row, value) in self.control.0[3..].iter_mut().zip(first) {
            row[lane] = value;
        }
    }

    /// Smallest |d| of a lane.
    pub(super) fn upper(&self, lane: usize) -> f64 {
        self.control.0[UPPER][lane]
    }

    /// Steps of a lane.
    pub(super) fn iterations(&self, lane: usize) -> u32 {
        self.control.0[ITERATIONS][lane] as u32
    }

    /// Evaluates the next direction of every lane, decides on it and takes the next step.
    #[inline(always)]
    pub(super) fn advance<K: Kind, L: Lanes>(&mut self, active: u8, detect: bool) -> Finished {
        let pairs = K::Pairs::<L>::load(&self.pairs);
        let mut control = Control::<L>::load(&self.control);
        let before = Jets::load(&self.here);
        let trial = pairs.jets(control.trial);
        let (size, noise) = pairs.scale();
        let (here, stalled) = control.decide(noise, &before, &trial);
        // Blended where it stands, this would be written with masked stores, which are slow; so hide where it stands.
        here.store(black_box(&mut self.here));

        let converged = control.residual.le(L::splat(tolerance::CONVERGENCE) * size);
        let apart = L::splat(0.0).lt(here.g()) & L::Mask::from_bits(if detect { !0 } else { 0 });
        let exhausted = L::splat(MAX_ITERATIONS).le(control.iterations);
        let finished = (converged | apart | stalled | exhausted).bits() & active;
        control.step(&here, L::Mask::from_bits(active & !finished));
        control.store(&mut self.control);
        Finished { lanes: finished, converged: (converged | apart).bits() & active }
    }
}

impl<L: Lanes> Control<L> {
    #[inline(always)]
    fn load(rows: &Rows<CONTROL_ROWS>) -> Self {
        let mut from = rows.read();
        let trial = from.vec3();
        let [length, predicted, radius, residual, upper, iterations] = from.reals();
        Self { trial, length, predicted, radius, residual, upper, iterations }
    }

    #[inline(always)]
    fn store(&self, rows: &mut Rows<CONTROL_ROWS>) {
        let mut to = rows.write();
        to.vec3(self.trial);
        to.reals([self.length, self.predicted, self.radius, self.residual, self.upper, self.iterations]);
    }

    /// Takes or rejects an evaluated direction and adapts the disc. Returns the better jet, and where neither model nor
    /// residual lead any further.
    #[inline(always)]
    fn decide<J: Jets<L>>(&mut self, noise: L, before: &J, trial: &J) -> (J, L::Mask) {
        let residual_squared = trial.residual_squared();
        let residual = residual_squared.sqrt();
        let gain = trial.g() - before.g();
        // Where the gain drowns in rounding, the residual tells.
        let noisy = self.predicted.le(L::splat(16.0) * noise);
        let nearer = residual.lt(self.residual) & (-noise).le(gain);
        let better = (noisy & nearer) | (!noisy & L::splat(0.0).lt(gain));
        let poor = !noisy & gain.lt(L::splat(0.25) * self.predicted);
        let good = !noisy
            & (L::splat(0.75) * self.predicted).lt(gain)
            & (L::splat(0.9) * self.radius).lt(self.length);
        let wider = (L::splat(3.0) * self.radius).min(L::splat(LARGEST_RADIUS));
        self.radius = L::select(good, wider, self.radius);
        self.radius = L::select(poor, L::splat(0.25) * self.length, self.radius);
        self.residual = L::select(better, residual, self.residual);
        let distance = trial.g().mul_add(trial.g(), residual_squared).sqrt();
        self.upper = distance.min(self.upper);
        self.iterations = self.iterations + L::splat(1.0);
        (J::select(better, trial, before), noisy & !better)
    }

    /// Takes the next step from `here`.
    #[inline(always)]
    fn step<J: Jets<L>>(&mut self, here: &J, active: L::Mask) {
        let step = here.step(self.radius, active);
        self.length = step.squared.sqrt();
        self.predicted = step.predicted;
        let one = L::splat(1.0);
        let quarter = L::splat(0.25) * step.squared;
        let turned = here.c().mul_add(one - quarter, step.along) * (one / (one + quarter));
        self.trial = turned.renormalized();
    }
}
