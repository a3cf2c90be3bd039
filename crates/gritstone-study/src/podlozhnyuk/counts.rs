//! Counts and errors over all pairs of one class.

use gritstone_contact::space::interior_point::Ending;

use super::measure::{Measured, Shrunk};
use crate::statistics::{Histogram, Sample};

/// Shares of a sample whose largest value is kept.
pub const QUANTILES: [f64; 11] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0];
const MEDIAN: usize = 4;
const P99: usize = 8;

/// Order statistics of a sample at [`QUANTILES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantiles(pub [f64; QUANTILES.len()]);

impl Quantiles {
    fn of(sample: &Sample) -> Option<Self> {
        let mut values = [0.0; QUANTILES.len()];
        for (value, share) in values.iter_mut().zip(QUANTILES) {
            *value = sample.quantile(share)?;
        }
        Some(Self(values))
    }

    /// Half of the sample lies below.
    pub fn median(&self) -> f64 {
        self.0[MEDIAN]
    }

    /// 99 % of the sample lie below.
    pub fn p99(&self) -> f64 {
        self.0[P99]
    }
}

/// How shrinking went on one class of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shrinkings {
    /// Pairs.
    pub pairs: u64,
    /// Pairs that were left out: built to overlap, but apart.
    pub left_out: u64,
    /// Pairs whose last problem converged.
    pub converged: u64,
    /// Pairs whose last problem ended with coincident points.
    pub collapsed: u64,
    /// Pairs whose last problem stalled.
    pub stalled: u64,
    /// Pairs whose last problem ran out of Newton steps.
    pub limited: u64,
    /// Pairs whose last problem converged with a negative multiplier.
    pub wrong_side: u64,
    /// Pairs that were shrunk more than once.
    pub repeated: u64,
    /// Newton steps.
    pub steps: Histogram,
    /// Evaluations of the residual.
    pub residuals: Histogram,
    /// Errors of the distance by plain inverse homothety, as a share of it.
    pub homothety: Option<Quantiles>,
    /// Errors of the distance along the normal of the shrunk problem, as a share of it.
    pub full_depth: Option<Quantiles>,
}

impl Shrinkings {
    /// A count as a share of all pairs.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.pairs.max(1) as f64
    }

    /// Share of pairs without an answer.
    pub fn failed(&self) -> f64 {
        self.share(self.pairs - self.converged)
    }
}

/// The polish on one class of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rebuilds {
    /// Errors of the distance, as a share of it.
    pub errors: Option<Quantiles>,
    /// Pairs of support points that were evaluated.
    pub evaluations: Histogram,
    /// Pairs whose polish did not converge.
    pub not_converged: u64,
    /// Pairs whose polish converged to something else than the signed distance.
    pub wrong: u64,
}

/// The problem without shrinking, on one class of pairs that are apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApartSummary {
    /// Pairs that the direction of the shrunk bodies separates.
    pub separated: u64,
    /// Pairs whose distance was found.
    pub converged: u64,
    /// Evaluations of the residual.
    pub residuals: Histogram,
    /// Errors of the distance, as a share of the smaller grain's size.
    pub errors: Option<Quantiles>,
}

/// Pairs whose largest exponent lies in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharpness {
    /// Pairs.
    pub pairs: u64,
    /// Pairs whose shrunk problem did not converge.
    pub failed: u64,
}

/// Intervals of the largest exponent, all of one width, from 0 to 2.
pub const SHARPNESS_BINS: usize = 20;

/// All that is measured of one class of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Shrinking.
    pub shrinkings: Shrinkings,
    /// The polish.
    pub polish: Rebuilds,
    /// The problem without shrinking.
    pub apart: ApartSummary,
    /// Evaluations of `support-newton`.
    pub newton: Histogram,
    /// Pairs that `support-newton` left open.
    pub newton_unresolved: u64,
    /// Pairs that `support-newton` got wrong.
    pub newton_wrong: u64,
    /// Failures by the largest of the four exponents.
    pub sharpness: [Sharpness; SHARPNESS_BINS],
}

/// Shrinking, as it is counted.
#[derive(Default)]
pub(super) struct ShrinkCell {
    counts: Shrinkings,
    errors: [Sample; 2],
}

impl ShrinkCell {
    pub(super) fn take(&mut self, shrunk: Option<&Shrunk>) {
        let counts = &mut self.counts;
        let Some(shrunk) = shrunk else {
            counts.left_out += 1;
            return;
        };
        counts.pairs += 1;
        match shrunk.ending {
            Ending::Converged => counts.converged += 1,
            Ending::Collapsed | Ending::CentresCoincide => counts.collapsed += 1,
            Ending::Stalled => counts.stalled += 1,
            Ending::LimitReached => counts.limited += 1,
            Ending::WrongSide => counts.wrong_side += 1,
        }
        counts.repeated += u64::from(shrunk.homotheties > 1);
        counts.steps.push(shrunk.steps);
        counts.residuals.push(shrunk.residuals);
        for (sample, error) in self.errors.iter_mut().zip(shrunk.errors.into_iter().flatten()) {
            sample.push(error);
        }
    }

    pub(super) fn summary(self) -> Shrinkings {
        let [homothety, full_depth] = self.errors.each_ref().map(Quantiles::of);
        Shrinkings { homothety, full_depth, ..self.counts }
    }
}

/// All that is measured of one class of pairs, as it is counted.
#[derive(Default)]
pub(super) struct Cell {
    shrinking: ShrinkCell,
    polished: Sample,
    apart: Sample,
    /// What needs no samples.
    counts: Summary,
}

impl Cell {
    pub(super) fn take(&mut self, measured: Option<&Measured>) {
        self.shrinking.take(measured.map(|measured| &measured.shrunk));
        let Some(measured) = measured else { return };
        let counts = &mut self.counts;
        if let Some(polish) = &measured.polish {
            self.polished.push(polish.error);
            counts.polish.evaluations.push(polish.evaluations);
            counts.polish.not_converged += u64::from(!polish.converged);
            counts.polish.wrong += u64::from(polish.wrong);
        }
        if let Some(apart) = &measured.apart {
            counts.apart.separated += u64::from(apart.separated);
            counts.apart.residuals.push(apart.residuals);
            counts.apart.converged += u64::from(apart.error.is_some());
            apart.error.into_iter().for_each(|error| self.apart.push(error));
        }
        let bin = (0.5 * measured.sharpest * SHARPNESS_BINS as f64) as usize;
        let bin = &mut counts.sharpness[bin.min(SHARPNESS_BINS - 1)];
        bin.pairs += 1;
        bin.failed += u64::from(measured.shrunk.ending != Ending::Converged);
        counts.newton.push(measured.newton.evaluations);
        counts.newton_unresolved += u64::from(!measured.newton.resolved);
        counts.newton_wrong += u64::from(measured.newton.wrong);
    }

    /// Samples become order statistics, so that a class of a million pairs keeps no more than that.
    pub(super) fn summary(self) -> Summary {
        let mut summary = self.counts;
        summary.shrinkings = self.shrinking.summary();
        summary.polish.errors = Quantiles::of(&self.polished);
        summary.apart.errors = Quantiles::of(&self.apart);
        summary
    }
}
