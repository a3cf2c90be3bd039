//! Grains that have left a periodic cell are wrapped into it.

use gritstone_core::Linear as _;

use super::cell::{PeriodicCell, Shift, read};
use crate::bodies::Bodies;
use crate::bodies::ghosts::Ghost;
use crate::dimension::Dimension;
use crate::world::Ledger;

/// What wrapping grains into the cell has changed.
#[derive(Debug, Default)]
pub(crate) struct Wrapping {
    /// How shifts are read after it.
    matrix: [Shift; 3],
    /// The shift of every wall, grain and copy, by slot; empty if there is no cell.
    shifts: Vec<Shift>,
}

impl Wrapping {
    /// A body that has not moved, seen from where its owner is now.
    pub(crate) fn apply(&self, role: Ghost) -> Ghost {
        match self.shifts.get(role.owner as usize) {
            None => role,
            Some(moved) => {
                let shift = read(&self.matrix, role.shift);
                Ghost { shift: std::array::from_fn(|k| shift[k] - moved[k]), ..role }
            }
        }
    }
}

impl<D: Dimension> PeriodicCell<D> {
    /// Shifts every grain into the cell, with the velocity that it has there; copies as well, for which other processes keep the
    /// books.
    pub(crate) fn wrap(&mut self, bodies: &mut Bodies<D>, ledger: &mut Ledger, gravity: D::Vec) -> Wrapping {
        let matrix = self.straighten();
        let mut shifts = vec![[0; 3]; bodies.wholes];
        for slot in bodies.walls..bodies.wholes {
            let (body, state) = (&mut bodies.records[slot], &mut bodies.states[slot]);
            let shift = self.home(body.position);
            if shift == [0; 3] {
                continue;
            }
            let (way, jump) = (self.way(shift), self.jump(shift));
            if state.is_free() {
                if slot < bodies.owners {
                    let gained = body.velocity.dot(jump) + 0.5 * jump.dot(jump) - gravity.dot(way);
                    ledger.wall_work.add(body.mass * gained);
                    self.add_jump(jump * body.mass);
                }
                body.velocity += jump;
                state.velocity += jump;
            }
            body.position += way;
            shifts[slot] = shift;
        }
        Wrapping { matrix, shifts }
    }
}
