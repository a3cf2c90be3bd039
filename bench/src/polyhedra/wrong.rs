//! How many distances are wrong.

use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Method, Scratch};
use gritstone_study::truth;

use super::Group;
use super::peer::distance;
use crate::workload::placed;

/// A distance is wrong if it is off by more than this fraction of it, or of `FLOOR` where that is more.
const ALLOWED: f64 = 1e-9;
const FLOOR: f64 = 1e-3;

/// How many distances were wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Pairs in all.
    pub pairs: usize,
    /// Wrong ones of ours.
    pub ours: usize,
    /// Those of them that were certified.
    pub certified: usize,
    /// Ours that were not certified, right or wrong.
    pub doubtful: usize,
    /// Wrong ones of the peer.
    pub peer: usize,
}

/// Compares all distances with brackets that owe nothing to either library.
pub fn wrong_distances(groups: &[Group]) -> Tally {
    let (mut tally, mut scratch) = (Tally::default(), Scratch::default());
    for couple in groups.iter().flat_map(|group| &group.pairs) {
        let [a, b] = placed(&couple.bodies);
        let truth = truth::bracket(a.shape, &a.pose, b.shape, &b.pose, truth::TOLERANCE);
        let wrong = |distance: f64| {
            let allowed = ALLOWED * truth.lower.abs().max(FLOOR);
            !(distance >= truth.lower - allowed && distance <= truth.upper + allowed)
        };
        let answer = Auto.solve(a, b, Query::default(), &mut scratch).expect("polyhedra are taken");
        let ours = wrong(answer.distance());
        tally.pairs += 1;
        tally.ours += usize::from(ours);
        tally.certified += usize::from(ours && answer.certified());
        tally.doubtful += usize::from(!answer.certified());
        tally.peer += usize::from(wrong(distance(&couple.peer.cold([a.pose, b.pose]))));
    }
    tally
}
