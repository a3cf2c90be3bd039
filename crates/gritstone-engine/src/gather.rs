//! Forces of contacts added up for each body, always in the same order.
//!
//! Every contact writes its force to a row of its own. Which rows belong to a body is sorted out once whenever contacts
//! come or go; the sum is then taken by body, in the order of the contacts, whatever thread does it.

use rayon::prelude::*;

use crate::bodies::{Bodies, CHUNK};
use crate::contacts::{Ends, Row};
use crate::realm::Realm;

/// The contacts of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Where each body's entries start, by slot.
    starts: Vec<u32>,
    /// Number of a contact times two, plus one where the body is b.
    entries: Vec<u32>,
}

impl Incidence {
    /// Sorts the contacts by body.
    pub(crate) fn fill(&mut self, bodies: usize, ends: &[Ends]) {
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for pair in ends {
            self.starts[pair.a as usize + 1] += 1;
            self.starts[pair.b as usize + 1] += 1;
        }
        for slot in 0..bodies {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.entries.resize(2 * ends.len(), 0);
        // From the back, so that each body's entries stay in the order of the contacts (as cells do in the grid).
        for (contact, pair) in ends.iter().enumerate().rev() {
            for (side, slot) in [(1, pair.b), (0, pair.a)] {
                let end = &mut self.starts[slot as usize + 1];
                *end -= 1;
                self.entries[*end as usize] = 2 * contact as u32 + side;
            }
        }
        self.starts.rotate_left(1);
        self.starts[bodies] = self.entries.len() as u32;
    }

    /// Whether it was filled for so many bodies and contacts.
    pub(crate) fn covers(&self, bodies: usize, contacts: usize) -> bool {
        self.starts.len() == bodies + 1 && self.entries.len() == 2 * contacts
    }

    /// The contacts of a body, and whether it is b in them.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = (usize, bool)> {
        let range = self.starts[slot] as usize..self.starts[slot + 1] as usize;
        self.entries[range].iter().map(|&entry| (entry as usize / 2, entry % 2 == 1))
    }

    /// Adds up the rows for every body.
    pub(crate) fn gather<D: Realm>(&self, rows: &[Row<D>], bodies: &mut Bodies<D>) {
        bodies.states.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, states)| {
            for (i, state) in states.iter_mut().enumerate() {
                let (mut force, mut torque) = (D::Vec::default(), D::Spin::default());
                for (contact, is_b) in self.of(chunk * CHUNK + i) {
                    let row = &rows[contact];
                    if is_b {
                        force += row.force;
                        torque += row.torque_b;
                    } else {
                        force -= row.force;
                        torque += row.torque_a;
                    }
                }
                (state.force, state.torque) = (force, torque);
            }
        });
    }
}
