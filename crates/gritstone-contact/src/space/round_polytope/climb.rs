//! The ascent of g from one direction, and the bounds that all ascents have found.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;

use super::evaluation::{Evaluation, RoundAndPolytope};
use super::facets::Facets;
use super::walk::{Feature, Landing};
use crate::{Answer, Goal, Query, Verdict};

/// Steps of one ascent.
const STEPS: u32 = 24;
/// What a last step may still gain, relative to the smaller body's size: taken to second order it is then right to rounding.
const SETTLED: f64 = 1e-11;
/// Times the rounding of an evaluation below which nothing is gained.
const NOISE: f64 = 16.0;
/// Growth of the damping where a step leads downwards.
const DAMPING: f64 = 8.0;

/// Part of what a step promised from which on it needs no damping.
const WELL: f64 = 0.7;

/// Width between the bounds to aim for where the round body is flat, as a fraction of the one allowed.
const AIM: f64 = 0.01;

/// Ascents and what they prove.
pub(super) struct Climb<'c, 'p, 's, A, B, F> {
    bodies: &'c RoundAndPolytope<'p, 's, A, B, F>,
    query: Query<Space>,
    lower: f64,
    upper: f64,
    evaluations: u32,
}

/// Where an ascent ended.
pub(super) enum End {
    /// At a separating plane, which was all that was wanted.
    Separated(Evaluation),
    /// Where no more is to be gained.
    Settled(Evaluation, Landing),
}

impl<'c, 'p, 's, A, B, F> Climb<'c, 'p, 's, A, B, F>
where
    A: Support<Space>,
    B: Support<Space>,
    F: Facets,
{
    pub(super) fn new(bodies: &'c RoundAndPolytope<'p, 's, A, B, F>, query: Query<Space>) -> Self {
        Self { bodies, query, lower: f64::NEG_INFINITY, upper: f64::INFINITY, evaluations: 0 }
    }

    /// Climbs from the unit direction `n`, given in the axes of a, and a feature to look at first; `None` where that leads
    /// nowhere.
    pub(super) fn run(&mut self, n: DVec3, feature: Option<Feature>) -> Option<End> {
        let noise = NOISE * self.bodies.pair.rounding();
        let mut here = self.evaluate(n);
        let mut from = feature.unwrap_or(Feature::Vertex(here.lowest));
        let (mut damping, mut on_surface) = (0.0, true);
        for _ in 0..STEPS {
            if self.query.goal == Goal::Detect && here.g > 0.0 {
                return Some(End::Separated(here));
            }
            let paraboloid = self.bodies.paraboloid(&here, damping);
            let facets = self.bodies.facets;
            let landing = paraboloid
                .meet(facets, from)
                .or_else(|| paraboloid.meet(facets, Feature::Vertex(here.lowest)))?;
            from = landing.feature;
            let gain = landing.along + 0.5 * landing.across.dot(landing.turn) - here.g;
            if gain <= SETTLED * self.bodies.pair.size && (damping == 0.0 || gain <= noise) {
                self.upper = self.upper.min(self.bodies.upper(&here, &landing));
                if self.closed_well(&here) || gain <= noise {
                    return Some(End::Settled(here, landing));
                }
            }
            let surface = if on_surface { self.bodies.next_on_surface(&here, &landing) } else { None };
            let trial = self.evaluate(surface.unwrap_or_else(|| self.bodies.next(&here, &landing)));
            if trial.g > here.g {
                let ratio = (trial.g - here.g) / gain;
                damping = if ratio > WELL || surface.is_some() { 0.0 } else { damping };
                (here, on_surface) = (trial, true);
            } else if surface.is_some() {
                on_surface = false;
            } else if gain <= SETTLED * self.bodies.pair.size {
                // Rounding is all that is left.
                self.upper = self.upper.min(self.bodies.upper(&here, &landing));
                return Some(End::Settled(here, landing));
            } else {
                damping = DAMPING * f64::max(damping, 0.1 * paraboloid.model.element_sum());
            }
        }
        None
    }

    fn evaluate(&mut self, n: DVec3) -> Evaluation {
        let here = self.bodies.evaluate(n);
        self.evaluations += 1;
        self.lower = self.lower.max(here.g);
        here
    }

    /// Width allowed between the bounds.
    fn width(&self) -> f64 {
        self.query.width(self.bodies.pair.tolerance(), self.lower)
    }

    /// Whether the bounds agree.
    pub(super) fn closed(&self) -> bool {
        self.upper - self.lower <= self.width()
    }

    /// Whether the bounds agree as well as the gap is to be known: where a is flat that is only as good as they are.
    fn closed_well(&self, here: &Evaluation) -> bool {
        let aim = if self.bodies.is_flat(here) { AIM } else { 1.0 };
        self.upper - self.lower <= aim * self.width()
    }

    /// The bounds with what was made of them.
    pub(super) fn answer(&self, verdict: Verdict<Space>) -> Answer<Space> {
        let Self { lower, upper, evaluations, .. } = *self;
        Answer::new(verdict, [lower, upper], self.width(), [evaluations; 2])
    }
}
