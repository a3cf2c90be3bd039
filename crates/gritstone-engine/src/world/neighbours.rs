//! Neighbour lists are rebuilt before they can miss a pair; grains outside the domain are dealt with then.

use gritstone_core::Vector;

use super::{StepError, World};
use crate::broad_phase::{find_walls, largest_skin, smallest_grain};
use crate::dimension::Dimension;
use crate::setup::{Domain, Leaving};

/// Rebuilds after which grains are sorted in space again.
pub(super) const SORT_EVERY: u64 = 32;

impl<D: Dimension> World<D> {
    /// Rebuilds the lists that may miss a pair.
    pub(super) fn update_neighbour_lists(&mut self) -> Result<(), StepError> {
        self.grain_pairs.grow_older();
        self.wall_pairs.grow_older();
        // The list of walls follows the whole motion of the grains: none goes farther than its skin between two of them.
        let mut wrap = false;
        if self.wall_pairs.is_stale() {
            self.keep_inside()?;
            wrap = self.is_any_outside_the_cell()?;
            if !wrap {
                self.list_walls();
            }
        }
        if self.grain_pairs.is_stale() || wrap {
            let step = self.clock.step;
            if let Some((axis, width, needed)) = self.narrow_side() {
                return Err(StepError::Narrow { axis, width, needed, step });
            }
            if self.agreed(Ok(self.contacts.is_full()))? {
                return Err(StepError::TooManyContacts { step });
            }
            // Ghosts are regenerated at every rebuild.
            if self.remote.is_some() {
                self.rebuild_and_trade();
            } else if self.cells.is_some() || self.ledger.lists[0].is_multiple_of(SORT_EVERY) {
                self.sort();
            } else {
                self.list_grains();
            }
        }
        Ok(())
    }

    /// Whether a grain has left the cell where there are bounded walls, which only grains inside the cell meet. Planes are
    /// the same everywhere.
    fn is_any_outside_the_cell(&self) -> Result<bool, StepError> {
        let Some(cells) = &self.cells else { return Ok(false) };
        let bounded = |wall| self.bodies.features.has(wall) || self.bodies.size(wall).is_finite();
        if !(0..self.bodies.walls).any(bounded) {
            return Ok(false);
        }
        let mut grains = self.bodies.records[self.bodies.grains()].iter();
        self.agreed(Ok(grains.any(|body| cells.home(body.position) != [0; 3])))
    }

    /// The axis along which a cell is too narrow to tell a grain from its image, its width there and what is needed.
    pub(super) fn narrow_side(&self) -> Option<(usize, f64, f64)> {
        let cells = self.cells.as_ref()?;
        let needed =
            2.0 * self.bodies.beyond() + largest_skin(smallest_grain(&self.bodies)) + self.laws.reach();
        (0..D::N).map(|axis| (axis, cells.width(axis), needed)).find(|(_, width, _)| *width < needed)
    }

    fn list_grains(&mut self) {
        let cutoff = self.next_cutoff();
        self.list_grains_within(cutoff);
    }

    /// Largest gap of pairs in the next list.
    pub(super) fn next_cutoff(&mut self) -> f64 {
        // Cohesive bodies act on each other up to this reach.
        self.grain_pairs.next_skin(&self.bodies) + self.laws.reach()
    }

    /// Rebuilds the list of grains that are nearer to each other than this.
    pub(super) fn list_grains_within(&mut self, cutoff: f64) {
        self.finder.fill(&self.bodies, cutoff);
        let Self { bodies, finder, grain_pairs, .. } = self;
        grain_pairs.rebuild(bodies, |slot, old, part| finder.find(bodies, slot, cutoff, old, part));
        self.ledger.lists[0] += 1;
        self.contacts.sort();
        self.contacts.sort_by_body(&self.bodies);
    }

    pub(super) fn list_walls(&mut self) {
        let skin = self.wall_pairs.next_skin(&self.bodies);
        let Self { bodies, wall_pairs, contacts, .. } = self;
        wall_pairs.rebuild(bodies, |slot, old, part| find_walls(bodies, contacts, slot, skin, old, part));
        self.ledger.lists[1] += 1;
    }

    /// Applies the setup's rule to grains outside the domain.
    fn keep_inside(&mut self) -> Result<(), StepError> {
        let leaving = self.agreed(self.look_for_leaving())?;
        if leaving && let Some(domain) = self.domain {
            let open = self.open_axes();
            let left = self.take_out(|body| !domain.holds_along(body.pose.position, open));
            if self.remote.as_ref().is_none_or(|share| share.rank() == 0) {
                self.ledger.left += left as u64;
            }
        }
        Ok(())
    }

    /// Whether grains are to be removed; an error where none may leave.
    fn look_for_leaving(&self) -> Result<bool, StepError> {
        let step = self.clock.step;
        let grains = self.bodies.grains();
        let grains = self.bodies.records[grains.clone()].iter().zip(&self.bodies.states[grains]);
        let mut leaving = false;
        for (body, state) in grains {
            if !(body.position.length() + body.velocity.length()).is_finite() {
                return Err(StepError::NotFinite { id: state.id, step });
            }
            let Some(domain) = self.domain.filter(|domain| !self.holds(domain, body.position)) else {
                continue;
            };
            match domain.leaving {
                Leaving::Error => {
                    let position = (0..D::N).map(|axis| body.position.component(axis)).collect();
                    return Err(StepError::Left { id: state.id, step, position });
                }
                Leaving::Remove => leaving = true,
                Leaving::Keep => {}
            }
        }
        Ok(leaving)
    }

    /// Whether a point is in the domain along all axes along which nothing repeats.
    fn holds(&self, domain: &Domain<D>, x: D::Vec) -> bool {
        domain.holds_along(x, self.open_axes())
    }

    /// Axes along which nothing repeats.
    fn open_axes(&self) -> [bool; 3] {
        std::array::from_fn(|axis| self.cells.as_ref().is_none_or(|cells| !cells.repeats(axis)))
    }
}
