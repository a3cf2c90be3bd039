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

/// Pairs that one task looks through.
const CHUNK: usize = 1024;

/// Room for pairs that turn out to touch, one list for each task.
#[derive(Clone, Debug)]
pub(crate) struct Waker<D: Realm> {
    touching: Vec<Vec<(Ends, D::Memory)>>,
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
                .for_each_init(D::Scratch::default, |scratch, ((pairs, directions), touching)| {
                    for (pair, direction) in pairs.iter_mut().zip(directions) {
                        if travel.of[pair.a as usize] + travel.of[pair.b as usize] >= pair.wake {
                            touching.extend(look(bodies, travel, pair, direction, scratch));
                        }
                    }
                });
            for (ends, memory) in self.touching[..tasks].iter_mut().flat_map(|part| part.drain(..)) {
                match D::direction(&memory) {
                    Some(direction) if swift.takes(bodies, ends) => {
                        swift.push(bodies, ends, direction, &History::default());
                    }
                    _ => contacts.push(ends, memory, History::default()),
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
) -> Option<(Ends, D::Memory)> {
    let start = (direction.dot(*direction) > 0.0).then_some(*direction);
    let query = Query { goal: Goal::Detect, start, ..Query::default() };
    let mut memory = D::Memory::default();
    let answer = D::solve(bodies.placed(pair.a), bodies.placed(pair.b), query, &mut memory, scratch).ok()?;
    if let Verdict::Apart { at_least, along } = answer.verdict {
        pair.wake = travel.of[pair.a as usize] + travel.of[pair.b as usize] + at_least;
        *direction = along;
        return None;
    }
    pair.wake = f64::INFINITY;
    Some((Ends { a: pair.a, b: pair.b }, memory))
}
