//! How contacts were solved: many at a time, or one by one, and then why.

use serde::{Deserialize, Serialize};

use super::BodyPair;
use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// Contacts that were solved, summed over steps. Those of two processes count in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solves {
    /// In lanes.
    pub in_lanes: u64,
    /// One by one: lanes take such pairs, but could not certify the contact.
    pub uncertified: u64,
    /// One by one: others of which at least one body is round.
    pub round: u64,
    /// One by one: those of two bodies with flat faces alone.
    pub faceted: u64,
}

impl Solves {
    pub(crate) fn add(&mut self, other: &Self) {
        self.in_lanes += other.in_lanes;
        self.uncertified += other.uncertified;
        self.round += other.round;
        self.faceted += other.faceted;
    }

    /// Counts a contact that is solved by itself; `taken`: whether lanes take such pairs.
    pub(crate) fn count<D: Dimension>(&mut self, bodies: &Bodies<D>, pair: BodyPair, taken: bool) {
        let faceted = bodies.is_faceted(pair.a) && bodies.is_faceted(pair.b);
        let counted = match (taken, faceted) {
            (true, _) => &mut self.uncertified,
            (false, true) => &mut self.faceted,
            (false, false) => &mut self.round,
        };
        *counted += 1;
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.in_lanes + self.uncertified + self.round + self.faceted
    }

    /// The share that was solved one by one; zero where there was no contact.
    pub fn outside_lanes(&self) -> f64 {
        share(self.uncertified + self.round + self.faceted, self.total())
    }

    /// The same of those contacts of which at least one body is round.
    pub fn round_outside_lanes(&self) -> f64 {
        share(self.uncertified + self.round, self.total() - self.faceted)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_was_solved() {
        assert_eq!(Solves::default().outside_lanes(), 0.0);
        let solves = Solves { in_lanes: 6, uncertified: 1, round: 1, faceted: 2 };
        assert_eq!((solves.outside_lanes(), solves.round_outside_lanes()), (0.4, 0.25));
    }
}
