//! Periodic images as an exchange: grains are wrapped into the cell, images follow their owners, forces go back to these.

use gritstone_core::Linear as _;

use super::cell::{PeriodicCell, Shift, read};
use crate::bodies::Bodies;
use crate::bodies::ghosts::Ghost;
use crate::broad_phase::Displacement;
use crate::dimension::Dimension;
use crate::exchange::Exchange;
use crate::world::Ledger;

/// What wrapping grains into the cell has changed.
#[derive(Debug, Default)]
pub(crate) struct Wrapping {
    /// How shifts are read after it.
    matrix: [Shift; 3],
    /// The shift of every grain, by slot; empty if there is no cell.
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

/// A world with a cell that repeats, or none. Parts of compounds are ghosts in both.
impl<D: Dimension> Exchange<D> for Option<PeriodicCell<D>> {
    fn forward(&self, bodies: &mut Bodies<D>, [to_grains, to_walls]: [&mut Displacement<D>; 2]) {
        bodies.update_ghosts(self.as_ref());
        bodies.add_displacements(self.as_ref(), &mut to_grains.of);
        bodies.add_displacements(None, &mut to_walls.of);
    }

    fn reverse(&self, bodies: &mut Bodies<D>) -> f64 {
        bodies.add_ghosts_to_owners(self.as_ref())
    }

    /// Shifts every grain into the cell, with the velocity that it has there.
    fn migrate(&mut self, bodies: &mut Bodies<D>, ledger: &mut Ledger, gravity: D::Vec) -> Wrapping {
        let Some(cells) = self else { return Wrapping::default() };
        let matrix = cells.straighten();
        let mut shifts = vec![[0; 3]; bodies.owners];
        for slot in bodies.grains() {
            let (body, state) = (&mut bodies.records[slot], &mut bodies.states[slot]);
            let shift = cells.home(body.position);
            if shift == [0; 3] {
                continue;
            }
            let (way, jump) = (cells.way(shift), cells.jump(shift));
            if state.is_free() {
                let gained = body.velocity.dot(jump) + 0.5 * jump.dot(jump) - gravity.dot(way);
                ledger.wall_work.add(body.mass * gained);
                cells.add_jump(jump * body.mass);
                body.velocity += jump;
                state.velocity += jump;
            }
            body.position += way;
            shifts[slot] = shift;
        }
        Wrapping { matrix, shifts }
    }

    fn make_ghosts(&mut self, bodies: &mut Bodies<D>, cutoff: f64) {
        if let Some(cells) = self {
            cells.start_sliding();
            bodies.make_images(cells, cutoff);
        }
        bodies.update_ghosts(self.as_ref());
    }

    fn cloned(&self) -> Box<dyn Exchange<D>> {
        Box::new(self.clone())
    }
}
