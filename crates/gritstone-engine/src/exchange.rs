//! What bodies share with what lies beyond the boundaries of a world: the second seam of the engine.
//!
//! Ghosts stand for bodies beyond a boundary. They are stored behind the grains, and lists and contacts take them for bodies like
//! any other. The step calls an exchange in this order:
//!
//! | when | call | periodic images | several processes |
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

mod domain;
mod regions;
mod shared;
#[cfg(test)]
mod tests;
mod threads;

use std::fmt::Debug;

use crate::bodies::{Bodies, VelocitySum};
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::dimension::Dimension;
use crate::periodic::wrapping::Wrapping;
use crate::world::Ledger;

pub use domain::Communicator;
pub(crate) use domain::Domain;
pub use shared::{SharedWorld, dismiss, first_failure, serve};
pub(crate) use threads::Single;
pub use threads::threads;

#[cfg(test)]
pub(crate) use domain::Assignment;

/// Ghosts of a world, and what all processes that share it must agree on.
pub(crate) trait Exchange<D: Dimension>: Debug + Send + Sync {
    /// The sum of velocities and the number of grains, over all processes.
    fn sum_velocities(&self, own: VelocitySum<D>, grains: usize) -> (VelocitySum<D>, usize) {
        (own, grains)
    }

    /// The largest displacements since the lists were rebuilt, over all processes.
    fn largest_displacements(&self, own: [LargestDisplacements; 2]) -> [LargestDisplacements; 2] {
        own
    }

    /// Ghosts get poses, velocities and displacements (for the lists of grains and of walls) of the bodies that they stand for.
    fn forward(&self, bodies: &mut Bodies<D>, displacements: [&mut Displacement<D>; 2]);

    /// Forces on ghosts are added to those on their owners. Returns the power of moving boundaries against these forces.
    fn reverse(&self, bodies: &mut Bodies<D>) -> f64;

    /// Grains that have crossed a boundary go to where they belong, with their contacts.
    fn migrate(&mut self, _: &mut Bodies<D>, _: &mut Ledger, _: D::Vec) -> Wrapping {
        Wrapping::default()
    }

    /// Makes the ghosts of all bodies that may meet something across a boundary within a cutoff. There are parts of compounds,
    /// but no images before.
    fn make_ghosts(&mut self, bodies: &mut Bodies<D>, cutoff: f64);

    /// Another one like it.
    fn cloned(&self) -> Box<dyn Exchange<D>>;
}

impl<D: Dimension> Clone for Box<dyn Exchange<D>> {
    fn clone(&self) -> Self {
        self.cloned()
    }
}
