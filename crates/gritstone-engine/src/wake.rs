//! Sleeping pairs that may touch by now are looked at again.

use gritstone_contact::{Goal, Query, Verdict};
use gritstone_core::Linear as _;
use gritstone_force::History;
use rayon::prelude::*;

use crate::bodies::Bodies;
use crate::contacts::{Contacts, Ends};
use crate::near::{NearList, NearPair, Travel};
use crate::realm::Realm;
use crate::realm::swift::Swift;
use crate::rooms::Rooms;

/// Pairs that one task looks through.
const CHUNK: usize = 1024;

/// A pair that turned out to touch.
#[derive(Clone, Debug)]
struct Touching<D: Realm> {
    ends: Ends,
    direction: D::Vec,
    memory: D::Memory,
}

/// Room for pairs that turn out to touch, one list for each task.
#[derive(Clone, Debug)]
pub(crate) struct Waker<D: Realm> {
    touching: Vec<Vec<Touching<D>>>,
}

impl<D: Realm> Default for Waker<D> {
    fn default() -> Self {
        Self { touching: Vec::new() }
    }
}

impl<D: Realm> Waker<D> {
    /// Looks at the pairs that have used up their gaps; those that touch become contacts, in the order of the lists.
    pub(crate) fn wake(
        &mut self,
        bodies: &Bodies<D>,
        lists: [&mut NearList<D>; 2],
        swift: &mut D::Swift,
        contacts: &mut Contacts<D>,
        rooms: &Rooms<D>,
    ) {
        for list in lists {
            let NearList { travel, pairs, directions, .. } = list;
            let tasks = pairs.len().div_ceil(CHUNK);
            if self.touching.len() < tasks {
                self.touching.resize_with(tasks, Vec::new);
            }
            pairs
                .par_chunks_mut(CHUNK)
                .zip(directions.par_chunks_mut(CHUNK))
                .zip(&mut self.touching[..tasks])
                .for_each(|((pairs, directions), touching)| {
                    rooms.with(|room| {
                        for (pair, direction) in pairs.iter_mut().zip(directions) {
                            if travel.of[pair.a as usize] + travel.of[pair.b as usize] >= pair.wake {
                                touching.extend(look(bodies, travel, pair, direction, &mut room.scratch));
                            }
                        }
                    });
                });
            for pair in self.touching[..tasks].iter_mut().flat_map(|part| part.drain(..)) {
                let Touching { ends, direction, memory } = pair;
                if bodies.pieces.get(ends.b).is_none() && swift.takes(bodies, ends) {
                    swift.push(bodies, ends, direction, &History::default());
                } else {
                    contacts.push(ends, memory, History::default());
                }
            }
        }
    }
}

/// Looks at one pair: it sleeps again, or it touches.
fn look<D: Realm>(
    bodies: &Bodies<D>,
    travel: &Travel<D>,
    pair: &mut NearPair,
    direction: &mut D::Vec,
    scratch: &mut D::Scratch,
) -> Option<Touching<D>> {
    let start = (direction.dot(*direction) > 0.0).then_some(*direction);
    let query = Query { goal: Goal::Detect, start, ..Query::default() };
    let mut memory = D::Memory::default();
    let answer = D::solve(bodies.placed(pair.a), bodies.placed(pair.b), query, &mut memory, scratch).ok()?;
    match answer.verdict {
        Verdict::Apart { at_least, along } => {
            pair.wake = travel.of[pair.a as usize] + travel.of[pair.b as usize] + at_least;
            *direction = along;
            None
        }
        Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => {
            if !bodies.admits(pair.a, pair.b, &contact) {
                // Another piece may have it; this one is asked again in the next step.
                pair.wake = travel.of[pair.a as usize] + travel.of[pair.b as usize];
                *direction = contact.normal;
                return None;
            }
            pair.wake = f64::INFINITY;
            Some(Touching { ends: Ends { a: pair.a, b: pair.b }, direction: contact.normal, memory })
        }
    }
}
