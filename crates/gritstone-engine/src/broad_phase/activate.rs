//! Sleeping pairs that may touch by now are looked at again.

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

/// Pairs that one task looks at.
const CHUNK: usize = 64;

/// What came of a look at a pair.
#[derive(Clone, Copy, Debug)]
enum Proximity<D: Dimension> {
    /// It sleeps while this gap lasts.
    Apart(f64, D::Vec),
    /// It touches.
    ContactState(D::Vec),
    /// It touches, but that is another's affair: it is asked again in the next step.
    Refused(D::Vec),
    /// Nothing can be said.
    Nothing,
}

/// Workspace for what is seen, one place for each pair.
#[derive(Clone, Debug)]
pub(crate) struct Activator<D: Dimension> {
    seen: Vec<Proximity<D>>,
}

impl<D: Dimension> Default for Activator<D> {
    fn default() -> Self {
        Self { seen: Vec::new() }
    }
}

impl<D: Dimension> Activator<D> {
    /// Looks at the pairs that have used up their gaps; those that touch become contacts, in the order of the lists.
    pub(crate) fn activate(
        &mut self,
        bodies: &Bodies<D>,
        lists: [&mut NeighbourList<D>; 2],
        contacts: &mut ContactTable<D>,
        workspaces: &Workspaces<D>,
    ) {
        for list in lists {
            let awake = list.awaken();
            self.seen.clear();
            self.seen.resize(awake, Proximity::Nothing);
            let (known, which) = (&*list, list.awake());
            let table = &*contacts;
            self.seen.par_chunks_mut(CHUNK).zip(which.par_chunks(CHUNK)).for_each(|(seen, which)| {
                workspaces.with(|workspace| {
                    look_at(bodies, known, which, table, &mut workspace.scratch, seen);
                });
            });
            for (k, seen) in self.seen.drain(..).enumerate() {
                let i = list.awake()[k] as usize;
                let Candidate { a, b, .. } = list.pairs[i];
                let gone = list.travelled(&list.pairs[i]);
                let (wake, direction) = match seen {
                    Proximity::Nothing => continue,
                    Proximity::Apart(gap, direction) => (gone + gap, direction),
                    Proximity::Refused(direction) => (gone, direction),
                    Proximity::ContactState(direction) => {
                        contacts.insert(bodies, BodyPair { a, b }, direction, History::default());
                        (f64::INFINITY, list.directions[i])
                    }
                };
                (list.pairs[i].wake, list.directions[i]) = (wake, direction);
            }
            list.share();
        }
    }
}

/// Looks at pairs: at many at a time, and closely at those of which that says nothing.
fn look_at<D: Dimension>(
    bodies: &Bodies<D>,
    list: &NeighbourList<D>,
    which: &[u32],
    contacts: &ContactTable<D>,
    scratch: &mut D::Scratch,
    seen: &mut [Proximity<D>],
) {
    let mut candidates =
        [InactivePair { pair: BodyPair { a: 0, b: 0 }, direction: D::Vec::default() }; CHUNK];
    for (candidate, &i) in candidates.iter_mut().zip(which) {
        let Candidate { a, b, .. } = list.pairs[i as usize];
        *candidate = InactivePair { pair: BodyPair { a, b }, direction: list.directions[i as usize] };
    }
    let candidates = &candidates[..which.len()];
    let mut glances = [None; CHUNK];
    contacts.batches.look(bodies, candidates, &mut glances);
    for ((seen, candidate), glance) in seen.iter_mut().zip(candidates).zip(glances) {
        *seen = match glance {
            Some(GapBound { gap, direction }) if gap >= 0.0 => Proximity::Apart(gap, direction),
            // Whether a feature of a surface owns the contact is not known yet.
            Some(GapBound { direction, .. }) if bodies.features.get(candidate.pair.b).is_none() => {
                Proximity::ContactState(direction)
            }
            _ => look(bodies, candidate, contacts, scratch),
        };
    }
}

/// Looks at one pair.
fn look<D: Dimension>(
    bodies: &Bodies<D>,
    candidate: &InactivePair<D>,
    contacts: &ContactTable<D>,
    scratch: &mut D::Scratch,
) -> Proximity<D> {
    let InactivePair { pair, direction } = *candidate;
    let BodyPair { a, b } = pair;
    if let Some(clear) = bodies.clearance(pair, contacts).filter(|clear| clear.budget > 0.0) {
        return Proximity::Apart(clear.budget, clear.direction);
    }
    let start = (direction.dot(direction) > 0.0).then_some(direction);
    let query = Query { goal: Goal::Detect, start, ..Query::default() };
    let mut memory = D::Memory::default();
    match D::solve(bodies.placed(a), bodies.placed(b), query, &mut memory, scratch)
        .map(|answer| answer.verdict)
    {
        Err(_) => Proximity::Nothing,
        Ok(Verdict::Apart { at_least, along }) => Proximity::Apart(at_least, along),
        Ok(Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. }) => {
            if bodies.features.get(b).is_none() {
                return Proximity::ContactState(contact.normal);
            }
            let approach = approach(bodies, contacts, pair, contact.normal);
            let owned = bodies.admits(pair, &contact, &approach, scratch) != Ownership::No;
            // What is not certain is decided, and counted, where contacts are solved.
            if owned && !is_held_from_behind(bodies, contacts, pair, contact.normal, contact.point_b) {
                Proximity::ContactState(contact.normal)
            } else {
                Proximity::Refused(contact.normal)
            }
        }
    }
}
