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
    pub(crate) fn fill<'e>(&mut self, bodies: usize, ends: impl Iterator<Item = &'e Ends> + Clone) {
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        let mut count = 0;
        for pair in ends.clone() {
            count += 1;
            self.starts[pair.a as usize + 1] += 1;
            self.starts[pair.b as usize + 1] += 1;
        }
        for slot in 0..bodies {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.entries.resize(2 * count, 0);
        // Each body's start walks up to its end while its entries are filled in, in the order of the contacts.
        for (contact, pair) in ends.enumerate() {
            for (side, slot) in [(0, pair.a), (1, pair.b)] {
                let next = &mut self.starts[slot as usize];
                self.entries[*next as usize] = 2 * contact as u32 + side;
                *next += 1;
            }
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Memory that it holds (bytes).
    pub(crate) fn memory(&self) -> usize {
        size_of::<u32>() * (self.starts.capacity() + self.entries.capacity())
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

    /// Adds up the forces for every body; `row` gives the force of a contact.
    pub(crate) fn gather<D: Realm>(&self, row: impl Fn(usize) -> Row<D> + Sync, bodies: &mut Bodies<D>) {
        let Bodies { records, states, .. } = bodies;
        states.par_chunks_mut(CHUNK).zip(records.par_chunks(CHUNK)).enumerate().for_each(
            |(chunk, (states, records))| {
                for (i, (state, body)) in states.iter_mut().zip(records).enumerate() {
                    let (mut force, mut torque) = (D::Vec::default(), D::Spin::default());
                    for (contact, is_b) in self.of(chunk * CHUNK + i) {
                        let row = row(contact);
                        let moment = D::moment(row.point - body.position, row.force) + row.torque;
                        if is_b {
                            force += row.force;
                            torque += moment;
                        } else {
                            force -= row.force;
                            torque -= moment;
                        }
                    }
                    (state.force, state.torque) = (force, torque);
                }
            },
        );
    }
}
