//! What bodies share with what lies beyond the boundaries of a world: the second seam of the engine.
//!
//! Ghosts stand for bodies beyond a boundary. They are stored behind the grains, and lists and contacts take them for bodies like
//! any other. Boundaries are those of a periodic cell, and those between processes that share a world; a world may have both: a
//! process has copies of grains of others, and all of these have images. The step calls the exchange in this order:
//!
//! | when | call | periodic cell | several processes |
//! |---|---|---|---|
//! | before the drift | [`sum_velocities`](Exchange::sum_velocities) | – | sums over all grains |
//! | after the drift | [`largest_displacements`](Exchange::largest_displacements) | – | lists are rebuilt by all at once |
//! | after walls have moved | [`forward`](Exchange::forward) | poses and velocities of images | those of copies |
//! | before lists are rebuilt | [`migrate`](Exchange::migrate) | grains are wrapped into the cell | – (`World::rebuild_and_trade`) |
//! | then | [`make_ghosts`](Exchange::make_ghosts) | images within the cutoff | copies within the cutoff |
//! | when contacts are solved | [`reverse`](Exchange::reverse) | forces go to the owners | – (both sides solve) |
//!
//! A contact across a boundary between processes is solved on both sides, from equal bodies in the order of their keys, and each
//! process sums the contacts of its own grains in the order of their partners' keys: the same bits as in one world. How grains come
//! and go is in `world/share.rs`; [`SharedWorld`] is such a world as a backend.

mod communicator;
mod domain;
mod regions;
mod shared;
#[cfg(test)]
mod tests;
mod threads;

use crate::bodies::{Bodies, VelocitySum};
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::dimension::Dimension;
use crate::periodic::cell::PeriodicCell;
use crate::periodic::wrapping::Wrapping;
use crate::world::Ledger;

pub use communicator::{Communicator, Traffic};
pub(crate) use domain::Domain;
pub use shared::{SharedWorld, dismiss, first_failure, serve};
pub(crate) use threads::Single;
pub use threads::threads;

#[cfg(test)]
pub(crate) use domain::Assignment;

/// Boundaries of a world: the sides of its periodic cell, and those to other processes.
#[derive(Debug)]
pub(crate) struct Exchange<'w, D: Dimension> {
    pub(crate) cells: &'w mut Option<PeriodicCell<D>>,
    pub(crate) remote: &'w mut Option<Domain>,
}

impl<D: Dimension> Exchange<'_, D> {
    /// The sum of velocities and the number of grains, over all processes.
    pub(crate) fn sum_velocities(&self, own: VelocitySum<D>, grains: usize) -> (VelocitySum<D>, usize) {
        match &self.remote {
            Some(domain) => domain.sum_velocities(&own, grains),
            None => (own, grains),
        }
    }

    /// The largest displacements since the lists were rebuilt, over all processes.
    pub(crate) fn largest_displacements(&self, own: [LargestDisplacements; 2]) -> [LargestDisplacements; 2] {
        match &self.remote {
            Some(domain) => domain.largest_displacements(own),
            None => own,
        }
    }

    /// Copies and ghosts get poses, velocities and displacements (for the lists of grains and of walls) of the bodies that they
    /// stand for.
    pub(crate) fn forward(&self, bodies: &mut Bodies<D>, [to_grains, to_walls]: [&mut Displacement<D>; 2]) {
        if let Some(domain) = &self.remote {
            domain.forward(bodies, to_grains);
        }
        bodies.update_ghosts(self.cells.as_ref());
        bodies.travel_along(self.cells.as_ref(), &mut to_grains.of);
        bodies.travel_along(None, &mut to_walls.of);
    }

    /// Forces on ghosts are added to those on their owners. Returns the power of moving sides against these forces, in all
    /// processes; only the first one knows it.
    pub(crate) fn reverse(&self, bodies: &mut Bodies<D>) -> f64 {
        let power = bodies.add_ghosts_to_owners(self.cells.as_ref());
        match (&self.remote, &self.cells) {
            (Some(domain), Some(cells)) if cells.moves() => {
                domain.sums_at_first(vec![power]).map_or(0.0, |sums| sums[0].value())
            }
            _ => power.value(),
        }
    }

    /// Grains and copies that have left the cell are wrapped into it.
    pub(crate) fn migrate(
        &mut self,
        bodies: &mut Bodies<D>,
        ledger: &mut Ledger,
        gravity: D::Vec,
    ) -> Wrapping {
        self.cells.as_mut().map_or_else(Wrapping::default, |cells| cells.wrap(bodies, ledger, gravity))
    }

    /// Makes the copies and ghosts of all bodies that may meet something across a boundary within a cutoff, and the parts of
    /// compounds. There are none before.
    pub(crate) fn make_ghosts(&mut self, bodies: &mut Bodies<D>, cutoff: f64) {
        if let Some(domain) = self.remote {
            domain.make_copies(bodies, self.cells.as_ref(), cutoff);
        }
        bodies.make_parts();
        if let Some(cells) = self.cells {
            cells.start_sliding();
            bodies.make_images(cells, cutoff);
        }
        bodies.update_ghosts(self.cells.as_ref());
    }
}
