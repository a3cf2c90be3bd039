//! Proximity tests of candidate pairs that are due.

use gritstone_contact::{Goal, Query, Verdict};
use gritstone_core::Linear as _;
use gritstone_force::History;
use rayon::prelude::*;

use crate::bodies::Bodies;
use crate::boundary::surface::{Ownership, approach, is_held_from_behind};
use crate::broad_phase::{Candidate, NeighbourList};
use crate::contacts::batch::{ContactBatch, GapBound, InactivePair};
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;
use crate::workspace::Workspaces;

/// Pairs that one task tests.
const CHUNK: usize = 64;

/// Result of a proximity test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Proximity<D: Dimension> {
    /// Inactive until its bodies have moved through this gap.
    Apart(f64, D::Vec),
    /// It touches.
    Touching(D::Vec),
    /// It touches, but a neighbouring feature owns the contact; tested again next step.
    Refused(D::Vec),
    /// The pair cannot be tested.
    Unknown,
}

/// Workspace for the results, one for each pair.
#[derive(Clone, Debug)]
pub(crate) struct Activator<D: Dimension> {
    results: Vec<Proximity<D>>,
}

impl<D: Dimension> Default for Activator<D> {
    fn default() -> Self {
        Self { results: Vec::new() }
    }
}

impl<D: Dimension> Activator<D> {
    /// Tests the pairs that have used up their gaps; those that touch become contacts, in the order of the lists.
    pub(crate) fn activate(
        &mut self,
        bodies: &Bodies<D>,
        lists: [&mut NeighbourList<D>; 2],
        contacts: &mut ContactTable<D>,
        workspaces: &Workspaces<D>,
    ) {
        for list in lists {
            list.find_due();
            let found = self.test(bodies, list, list.due(), contacts, workspaces);
            for (k, proximity) in found.enumerate() {
                let i = list.due()[k] as usize;
                let Candidate { a, b, .. } = list.pairs[i];
                let gone = list.travelled(&list.pairs[i]);
                let (due_at, direction) = match proximity {
                    Proximity::Unknown => continue,
                    Proximity::Apart(gap, direction) => (gone + gap, direction),
                    Proximity::Refused(direction) => (gone, direction),
                    Proximity::Touching(direction) => {
                        contacts.insert(bodies, BodyPair { a, b }, direction, History::default());
                        (f64::INFINITY, list.directions[i])
                    }
                };
                (list.pairs[i].due_at, list.directions[i]) = (due_at, direction);
            }
            list.distribute();
        }
    }
}

impl<D: Dimension> Activator<D> {
    /// Tests these pairs of a list.
    pub(crate) fn test(
        &mut self,
        bodies: &Bodies<D>,
        list: &NeighbourList<D>,
        which: &[u32],
        contacts: &ContactTable<D>,
        workspaces: &Workspaces<D>,
    ) -> impl Iterator<Item = Proximity<D>> + use<'_, D> {
        self.results.clear();
        self.results.resize(which.len(), Proximity::Unknown);
        self.results.par_chunks_mut(CHUNK).zip(which.par_chunks(CHUNK)).for_each(|(proximity, which)| {
            workspaces.with(|workspace| {
                test_pairs(bodies, list, which, contacts, &mut workspace.scratch, proximity);
            });
        });
        self.results.drain(..)
    }
}

/// Tests pairs: many at a time in lanes, and those that lanes cannot decide one by one.
fn test_pairs<D: Dimension>(
    bodies: &Bodies<D>,
    list: &NeighbourList<D>,
    which: &[u32],
    contacts: &ContactTable<D>,
    scratch: &mut D::Scratch,
    proximity: &mut [Proximity<D>],
) {
    let mut candidates =
        [InactivePair { pair: BodyPair { a: 0, b: 0 }, direction: D::Vec::default() }; CHUNK];
    for (candidate, &i) in candidates.iter_mut().zip(which) {
        let Candidate { a, b, .. } = list.pairs[i as usize];
        *candidate = InactivePair { pair: BodyPair { a, b }, direction: list.directions[i as usize] };
    }
    let candidates = &candidates[..which.len()];
    let mut bounds = [None; CHUNK];
    contacts.batches.test_candidates(bodies, candidates, &mut bounds);
    for ((proximity, candidate), bound) in proximity.iter_mut().zip(candidates).zip(bounds) {
        *proximity = match bound {
            Some(GapBound { gap, direction }) if gap >= 0.0 => Proximity::Apart(gap, direction),
            // Whether a feature of a surface owns the contact is decided below.
            Some(GapBound { direction, .. }) if bodies.features.get(candidate.pair.b).is_none() => {
                Proximity::Touching(direction)
            }
            _ => test_pair(bodies, candidate, contacts, scratch),
        };
    }
}

/// Tests one pair.
fn test_pair<D: Dimension>(
    bodies: &Bodies<D>,
    candidate: &InactivePair<D>,
    contacts: &ContactTable<D>,
    scratch: &mut D::Scratch,
) -> Proximity<D> {
    let InactivePair { pair, direction } = *candidate;
    let BodyPair { a, b } = pair;
    if let Some(clear) = bodies.clearance(pair, contacts).filter(|clear| clear.budget > 0.0)
        && !bodies.has_facets_inside(pair)
    {
        return Proximity::Apart(clear.budget, clear.direction);
    }
    let start = (direction.dot(direction) > 0.0).then_some(direction);
    let query = Query { goal: Goal::Detect, start, ..Query::default() };
    let mut memory = D::Memory::default();
    match D::solve_warm(bodies.placed(a), bodies.placed(b), query, &mut memory, scratch)
        .map(|answer| answer.verdict)
    {
        Err(_) => Proximity::Unknown,
        Ok(Verdict::Apart { at_least, along }) => Proximity::Apart(at_least, along),
        Ok(Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. }) => {
            if bodies.features.get(b).is_none() {
                return Proximity::Touching(contact.normal);
            }
            let approach = approach(bodies, contacts, pair, contact.normal);
            let owned = bodies.admits(pair, &contact, &approach, scratch) != Ownership::No;
            // Uncertain ownership is decided, and counted, where contacts are solved.
            if owned && !is_held_from_behind(bodies, contacts, pair, contact.normal, contact.point_b) {
                Proximity::Touching(contact.normal)
            } else {
                Proximity::Refused(contact.normal)
            }
        }
    }
}
