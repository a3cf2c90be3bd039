//! What a class of pairs comes to.

use gritstone_contact::{Answer, Verdict};
use gritstone_study::generate::Case;

use crate::family::World;
use crate::{ASYMMETRIC, WRONG};

/// What a method made of one pair.
pub(crate) struct Outcome<D: World> {
    pub(crate) index: u64,
    pub(crate) case: Case<D>,
    pub(crate) answer: Answer<D>,
    /// How far the signed distance is off, relative to the smaller grain's size.
    pub(crate) error: f64,
    pub(crate) seconds: f64,
    /// Largest difference of the signed distances of the same pair exchanged, moved or scaled, relative to the smaller
    /// grain's size.
    pub(crate) asymmetry: f64,
}

impl<D: World> Outcome<D> {
    fn resolved(&self) -> bool {
        !matches!(self.answer.verdict, Verdict::Unresolved { .. })
    }

    fn wrong(&self) -> bool {
        self.resolved() && (self.error > WRONG || self.error.is_nan())
    }

    /// Whether the method was wrong, gave no answer, or gave another one for the same pair seen from elsewhere.
    pub(crate) fn failed(&self) -> bool {
        !self.resolved() || self.wrong() || self.asymmetry > ASYMMETRIC
    }
}

/// Counts over a class.
#[derive(Default)]
pub(crate) struct Counts {
    certified: u64,
    unresolved: u64,
    wrong: u64,
    /// Wrong although certified: there must be none.
    pub(crate) wrong_certified: u64,
    largest_error: f64,
    largest_asymmetry: f64,
    seconds: f64,
    evaluations: Vec<u32>,
}

impl Counts {
    pub(crate) fn count<D: World>(&mut self, outcome: &Outcome<D>) {
        let certified = outcome.answer.certified();
        self.certified += u64::from(certified);
        self.unresolved += u64::from(!outcome.resolved());
        self.wrong += u64::from(outcome.wrong());
        self.wrong_certified += u64::from(outcome.wrong() && certified);
        if outcome.resolved() {
            self.largest_error = self.largest_error.max(outcome.error);
        }
        self.largest_asymmetry = self.largest_asymmetry.max(outcome.asymmetry);
        self.seconds += outcome.seconds;
        self.evaluations.push(outcome.answer.evaluations);
    }

    pub(crate) fn header() -> String {
        format!(
            "{:<16} {:>9} {:>10} {:>11} {:>7} {:>15} {:>12} {:>12} {:>8} {:>6} {:>6} {:>8}",
            "class",
            "pairs",
            "certified",
            "unresolved",
            "wrong",
            "wrong certified",
            "max error",
            "asymmetry",
            "eval",
            "p99",
            "max",
            "ns/pair"
        )
    }

    pub(crate) fn row(mut self, name: &str) -> String {
        self.evaluations.sort_unstable();
        let pairs = self.evaluations.len();
        let mean = |sum: f64| sum / pairs.max(1) as f64;
        let evaluations = mean(self.evaluations.iter().map(|&n| f64::from(n)).sum());
        let p99 = self.evaluations.get(pairs * 99 / 100).copied().unwrap_or(0);
        format!(
            "{name:<16} {pairs:>9} {:>10} {:>11} {:>7} {:>15} {:>12.1e} {:>12.1e} {evaluations:>8.1} {p99:>6} {:>6} {:>8.0}",
            self.certified,
            self.unresolved,
            self.wrong,
            self.wrong_certified,
            self.largest_error,
            self.largest_asymmetry,
            self.evaluations.last().unwrap_or(&0),
            1e9 * mean(self.seconds),
        )
    }
}
