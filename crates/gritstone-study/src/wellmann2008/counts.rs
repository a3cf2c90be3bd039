//! Counts and errors over all pairs of one series and interval.

use gritstone_contact::space::common_normal::{End, Outcome};

use super::measure::{Errors, Measured, Solved};
use crate::statistics::{Histogram, Sample};

/// All that is measured of one series and interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The paper's method with shift A and with shift B.
    pub paper: [PaperCounts; 2],
    /// `support-newton` and `auto` on the same pairs.
    pub peers: [Counts; 2],
    /// Pairs whose signed distance is another one than that of the contact they were built around.
    pub not_as_built: u64,
}

/// What is counted of every method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pairs.
    pub pairs: u64,
    /// Iterations, from all start points and in the method's own counting.
    pub iterations: Histogram,
    /// Pairs of surface points that were evaluated.
    pub evaluations: Histogram,
    /// Pairs that were left open.
    pub unresolved: u64,
    /// Pairs where a contact was found whose gap is not the signed distance.
    pub wrong: u64,
    /// Errors of the contacts.
    pub errors: ErrorCounts,
}

/// What is counted of the paper's method beside that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaperCounts {
    /// What is counted of every method.
    pub all: Counts,
    /// Iterations from the initial guess, of the pairs that were excluded or accepted from there.
    pub first: Histogram,
    /// Pairs where the first search converged to a point that was not accepted.
    pub local_minimum: u64,
    /// Pairs where the first search reached the iteration limit, or could not make f fall.
    pub not_converged: u64,
    /// The largest number of new start points.
    pub most_new_starts: u32,
    /// Unresolved pairs where the signed distance was found and not accepted.
    pub rejected_though_right: u64,
    /// Point errors of the pairs whose signed distance is the one they were built with.
    pub point_as_built: Sample,
}

/// Errors of contacts against those that the pairs were built around.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorCounts {
    /// ‖d‖ against the depth, relative.
    pub length: Sample,
    /// −c·d against the depth, relative.
    pub projection: Sample,
    /// Mean distance of the two contact points from where they should be.
    pub point: Sample,
    /// Angle between the directions (rad).
    pub angle: Sample,
}

impl Cell {
    pub(super) fn take(&mut self, pair: &Measured) {
        for (counts, (outcome, solved)) in self.paper.iter_mut().zip(&pair.paper) {
            counts.take(pair, outcome, solved);
        }
        for (counts, solved) in self.peers.iter_mut().zip(&pair.peers) {
            counts.take(pair, solved);
        }
        self.not_as_built += u64::from(!pair.built_is_true());
    }
}

impl Counts {
    fn take(&mut self, pair: &Measured, solved: &Solved) {
        self.pairs += 1;
        self.iterations.push(solved.iterations);
        self.evaluations.push(solved.evaluations);
        self.unresolved += u64::from(!solved.resolved);
        if let Some((gap, errors)) = &solved.contact {
            self.wrong += u64::from(!pair.is_true(*gap));
            self.errors.take(errors);
        }
    }

    /// A count as one of a million pairs.
    pub fn per_million(&self, count: u64) -> f64 {
        1e6 * self.share(count)
    }

    /// A count as a part of all pairs.
    fn share(&self, count: u64) -> f64 {
        count as f64 / self.pairs as f64
    }
}

impl PaperCounts {
    fn take(&mut self, pair: &Measured, outcome: &Outcome, solved: &Solved) {
        self.all.take(pair, solved);
        match outcome.first.end {
            End::Excluded | End::Accepted => self.first.push(outcome.first.iterations),
            End::LocalMinimum => self.local_minimum += 1,
            End::Limit | End::Stalled => self.not_converged += 1,
        }
        self.most_new_starts = self.most_new_starts.max(outcome.new_starts);
        let found = pair.is_true(outcome.record.best.g);
        self.rejected_though_right += u64::from(!outcome.succeeded() && found);
        if let Some((_, errors)) = solved.contact.filter(|_| pair.built_is_true()) {
            self.point_as_built.push(errors.point);
        }
    }

    /// Share of pairs that were done after exactly `iterations` from the initial guess.
    pub fn after(&self, iterations: u32) -> f64 {
        self.all.share(self.first.of(iterations))
    }

    /// Share of pairs that were done within `iterations` from the initial guess.
    pub fn within(&self, iterations: u32) -> f64 {
        self.all.share(self.first.below(iterations + 1))
    }

    /// Share of pairs that needed `iterations` or more, or were never done from the initial guess.
    pub fn at_least(&self, iterations: u32) -> f64 {
        self.all.share(self.all.pairs - self.first.below(iterations))
    }

    /// Pairs where the first search failed, of a million.
    pub fn failed(&self) -> f64 {
        self.all.per_million(self.local_minimum + self.not_converged)
    }
}

impl ErrorCounts {
    fn take(&mut self, errors: &Errors) {
        self.length.push(errors.length);
        self.projection.push(errors.projection);
        self.point.push(errors.point);
        self.angle.push(errors.angle);
    }
}
