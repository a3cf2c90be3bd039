//! Counts and errors over all pairs of one series and interval.

use gritstone_contact::space::common_normal::{End, Outcome};

use super::measure::{Errors, Measured, PeerCount, Solved};
use crate::statistics::{Histogram, Sample};

/// All that is measured of one series and interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The paper's method with shift A and with shift B.
    pub paper: [PaperTally; 2],
    /// `support-newton` and `auto` on the same pairs.
    pub peers: [PeerTally; 2],
    /// Pairs whose signed distance is another one than that of the contact they were built around.
    pub not_as_built: u64,
}

/// What the paper's method did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaperTally {
    /// Pairs.
    pub pairs: u64,
    /// Iterations from the initial guess, of the pairs that were excluded or accepted from there.
    pub iterations: Histogram,
    /// Pairs where the first search converged to a point that was not accepted.
    pub local_minimum: u64,
    /// Pairs where the first search reached the iteration limit, or could not make f fall.
    pub not_converged: u64,
    /// The largest number of new start points.
    pub most_new_starts: u32,
    /// Pairs that were neither excluded nor accepted from any start point.
    pub unresolved: u64,
    /// Pairs where a contact was accepted whose gap is not the signed distance.
    pub wrong: u64,
    /// Errors of the accepted contacts.
    pub errors: ErrorTally,
    /// Point errors alone, of the pairs whose signed distance is the one they were built with.
    pub point_as_built: Sample,
}

/// What another method did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeerTally {
    /// Pairs.
    pub pairs: u64,
    /// Iterations, in the method's own counting.
    pub iterations: Histogram,
    /// Pairs of support points that were evaluated.
    pub evaluations: Histogram,
    /// Pairs that it left open.
    pub unresolved: u64,
    /// Pairs where the contact's gap is not the signed distance.
    pub wrong: u64,
    /// Errors of the contacts.
    pub errors: ErrorTally,
}

/// Errors of contacts against those that the pairs were built around.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorTally {
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
    pub(super) fn take(&mut self, measured: &Measured) {
        for (tally, solved) in self.paper.iter_mut().zip(&measured.paper) {
            tally.take(solved, measured.built_is_true);
        }
        for (tally, solved) in self.peers.iter_mut().zip(&measured.peers) {
            tally.take(solved);
        }
        self.not_as_built += u64::from(!measured.built_is_true);
    }
}

impl PaperTally {
    fn take(&mut self, solved: &Solved<Outcome>, built_is_true: bool) {
        let outcome = &solved.count;
        self.pairs += 1;
        match outcome.first.end {
            End::Excluded | End::Accepted => self.iterations.push(outcome.first.iterations),
            End::LocalMinimum => self.local_minimum += 1,
            End::Limit | End::Stalled => self.not_converged += 1,
        }
        self.most_new_starts = self.most_new_starts.max(outcome.new_starts);
        self.unresolved += u64::from(!outcome.succeeded());
        self.wrong += u64::from(solved.wrong);
        if let Some(errors) = &solved.errors {
            self.errors.take(errors);
            if built_is_true {
                self.point_as_built.push(errors.point);
            }
        }
    }

    /// Share of pairs that were done after exactly `iterations` from the initial guess.
    pub fn share(&self, iterations: u32) -> f64 {
        self.iterations.of(iterations) as f64 / self.pairs as f64
    }

    /// Share of pairs that were done within `iterations` from the initial guess.
    pub fn within(&self, iterations: u32) -> f64 {
        self.iterations.below(iterations + 1) as f64 / self.pairs as f64
    }

    /// Share of pairs that needed `iterations` or more, or were never done from the initial guess.
    pub fn at_least(&self, iterations: u32) -> f64 {
        (self.pairs - self.iterations.below(iterations)) as f64 / self.pairs as f64
    }

    /// Pairs where the first search failed, of a million.
    pub fn failed(&self) -> f64 {
        self.per_million(self.local_minimum + self.not_converged)
    }

    /// A count as one of a million pairs.
    pub fn per_million(&self, count: u64) -> f64 {
        1e6 * count as f64 / self.pairs as f64
    }
}

impl PeerTally {
    fn take(&mut self, solved: &Solved<PeerCount>) {
        self.pairs += 1;
        self.iterations.push(solved.count.iterations);
        self.evaluations.push(solved.count.evaluations);
        self.unresolved += u64::from(!solved.count.resolved);
        self.wrong += u64::from(solved.wrong);
        if let Some(errors) = &solved.errors {
            self.errors.take(errors);
        }
    }
}

impl ErrorTally {
    fn take(&mut self, errors: &Errors) {
        self.length.push(errors.length);
        self.projection.push(errors.projection);
        self.point.push(errors.point);
        self.angle.push(errors.angle);
    }
}
