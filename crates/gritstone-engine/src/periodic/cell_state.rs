//! State and motion of a periodic cell.

use gritstone_core::{Dim, ExactSum, Linear as _, Vector as _};
use serde::{Deserialize, Serialize};

use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::periodic::cell::{Cell, Changes, PeriodicCell, VelocityGradient};
use crate::world::World;

/// A cell at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellState<D: Dim> {
    /// Its sides now. Other vectors of the same lattice take the place of those that lean too far.
    pub cell: Cell<D>,
    /// Volume (in the plane area); one metre is taken for its width along axes along which it does not repeat.
    pub volume: f64,
    /// Stress that contacts carry, after Love and Weber: `Σ f_i l_j / volume` with the force f on b and the branch l from a
    /// to b. Compression is positive. The branch of a contact with a wall is the vector from the grain to the contact (Pa).
    pub stress: [[f64; 3]; 3],
    /// Momentum that grains were given where they went through moving sides, and when sides changed their velocity, since
    /// the start (N s).
    pub jumps: D::Vec,
}

/// Sums over grains and contacts in a cell, which several processes add up: stress, and momentum that grains were given.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CellSums {
    stress: [[ExactSum; 3]; 3],
    jumps: [ExactSum; 3],
}

impl CellSums {
    /// With those of another process.
    pub(crate) fn merge(mut self, other: &Self) -> Self {
        let own = self.stress.iter_mut().flatten().chain(&mut self.jumps);
        let others = other.stress.iter().flatten().chain(&other.jumps);
        own.zip(others).for_each(|(sum, part)| sum.merge(part));
        self
    }
}

impl<D: Dimension> World<D> {
    /// The cell that repeats, if there is one.
    pub fn cell(&self) -> Option<CellState<D>> {
        self.cell_of(&self.cell_sums())
    }

    /// The same from sums over all processes.
    pub(crate) fn cell_of(&self, sums: &CellSums) -> Option<CellState<D>> {
        let cells = self.cells.as_ref()?;
        let stress = sums.stress.each_ref().map(|row| row.each_ref().map(ExactSum::value));
        let jumps = D::Vec::from_fn(|axis| sums.jumps[axis].value());
        Some(CellState { cell: cells.cell(), volume: cells.volume(), stress, jumps })
    }

    /// Stress and momentum of this process' grains.
    pub(crate) fn cell_sums(&self) -> CellSums {
        let Some(cells) = &self.cells else { return CellSums::default() };
        let volume = cells.volume();
        let mut stress: [[ExactSum; 3]; 3] = Default::default();
        for (contact, pair) in self.contacts.pairs().enumerate() {
            if self.bodies.is_elsewhere(pair.a) {
                continue; // The process of its first grain counts it.
            }
            let (force, branch) = (self.contacts.force(contact).force, self.branch(contact, pair));
            for (i, row) in stress.iter_mut().enumerate().take(D::N) {
                for (j, entry) in row.iter_mut().enumerate().take(D::N) {
                    entry.add(force.component(i) * branch.component(j) / volume);
                }
            }
        }
        // Grains that will be wrapped at the next rebuild are shown inside the cell.
        let free = self.bodies.grains().filter(|&slot| self.bodies.states[slot].is_free());
        let pending = free.map(|slot| self.homeward(slot).1 * self.bodies.records[slot].mass);
        let mut jumps = cells.jumps.clone();
        pending.for_each(|jump| (0..D::N).for_each(|axis| jumps[axis].add(jump.component(axis))));
        CellSums { stress, jumps }
    }

    /// From the centre of the grain a to that of the grain b, or to the contact with a wall.
    pub(crate) fn branch(&self, contact: usize, pair: BodyPair) -> D::Vec {
        let centre = |slot: u32| {
            let role = self.bodies.role(slot);
            let shift = self.cells.as_ref().map_or_else(D::Vec::default, |cells| cells.way(role.shift));
            self.bodies.records[role.owner as usize].position + shift
        };
        if (pair.b as usize) < self.bodies.walls {
            return self.centre_of_pressure(contact, pair).0 - centre(pair.a);
        }
        centre(pair.b) - centre(pair.a)
    }

    /// Gives the sides of the cell the velocities that this gradient gives them as they are now; they keep these velocities.
    /// Every free grain gets what a point of the cell gets there, so that it goes on moving relative to the cell as before.
    /// Whether there is a cell.
    pub fn drive_cell(&mut self, gradient: &VelocityGradient) -> bool {
        self.strain(|cells| cells.drive(gradient))
    }

    /// Changes the velocities of the sides, and of the grains with them. Whether there is a cell.
    pub(crate) fn strain(&mut self, changes: impl Fn(&PeriodicCell<D>) -> Changes<D>) -> bool {
        let Some(cells) = &mut self.cells else { return false };
        let changes = changes(cells);
        let gain = cells.change(changes);
        for slot in self.bodies.grains() {
            let (body, state) = (&mut self.bodies.records[slot], &mut self.bodies.states[slot]);
            if state.is_free() {
                let jump = gain(body.position);
                self.ledger.wall_work.add(body.mass * (state.velocity.dot(jump) + 0.5 * jump.dot(jump)));
                cells.add_jump(jump * body.mass);
                body.velocity += jump;
                state.velocity += jump;
            }
        }
        self.bodies.sum_velocities();
        true
    }
}
