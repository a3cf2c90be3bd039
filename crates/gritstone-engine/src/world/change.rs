//! Changes between steps as data: all processes that share a world make them at the same time, each to what it has.

use gritstone_core::ExactSum;
use serde::{Deserialize, Serialize};

use super::World;
use crate::backend::Backend;
use crate::bodies::{Record, State};
use crate::dimension::Dimension;
use crate::periodic::cell::VelocityGradient;
use crate::periodic::stress_control::StressControl;
use crate::state::observe::Energies;

/// Grains as bodies, new ones with ids that no grain has had.
pub(crate) type NewGrains<D> = Vec<(Record<D>, State<D>)>;

/// A change between two steps. Ids are in ascending order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) enum Change<D: Dimension> {
    Insert(NewGrains<D>),
    Remove(Vec<u32>),
    Freeze(Vec<u32>),
    SetVelocities(Vec<u32>, Vec<D::Vec>, Vec<D::Spin>),
    MoveWall(String, D::Vec, D::Spin),
    AddWall(String),
    RemoveWall(String),
    DriveCell(VelocityGradient, Option<StressControl>),
}

impl<D: Dimension> World<D> {
    /// Makes a change; returns how many grains or walls it has changed, in all processes.
    pub(crate) fn apply(&mut self, change: Change<D>) -> usize {
        match change {
            Change::Insert(grains) => self.take_new(grains),
            Change::Remove(ids) => Backend::remove(self, &ids),
            Change::Freeze(ids) => Backend::freeze(self, &ids),
            Change::SetVelocities(ids, velocities, spins) => {
                Backend::set_velocities(self, &ids, &velocities, &spins)
            }
            Change::MoveWall(name, velocity, spin) => {
                usize::from(Backend::move_wall(self, &name, velocity, spin))
            }
            Change::AddWall(name) => usize::from(Backend::add_wall(self, &name)),
            Change::RemoveWall(name) => usize::from(Backend::remove_wall(self, &name)),
            Change::DriveCell(gradient, press) => usize::from(Backend::drive_cell(self, &gradient, press)),
        }
    }

    /// The number of all processes together.
    pub(super) fn total(&self, own: usize) -> usize {
        match &self.remote {
            Some(domain) => domain.gather(&own).into_iter().sum(),
            None => own,
        }
    }

    /// Makes changes between steps and returns their number, which is that of all processes: forces are computed again, and the energy
    /// that is missing counts as taken out.
    pub(crate) fn counted(&mut self, change: impl FnOnce(&mut Self) -> usize) -> usize {
        let before = self.balance();
        let changes = change(self);
        if changes > 0 {
            self.find_forces();
            self.take_out_difference(before);
        }
        changes
    }

    /// Counts the energy that is missing since it was this as taken out.
    pub(super) fn take_out_difference(&mut self, before: Option<f64>) {
        if let (Some(before), Some(after)) = (before, self.balance()) {
            self.ledger.taken_out.add(before - after);
        }
    }

    /// Sums over all processes; only the first one gets them.
    fn sums_at_first(&self, own: Vec<ExactSum>) -> Option<Vec<ExactSum>> {
        match &self.remote {
            Some(domain) => domain.sums_at_first(own),
            None => Some(own),
        }
    }

    /// The energy balance of all processes; only the first one knows it.
    pub(super) fn balance(&self) -> Option<f64> {
        let sums = self.sums_at_first(self.energy_sums().to_vec())?;
        let sums: [ExactSum; 8] = sums.try_into().ok()?;
        Some(Energies::of(&sums).balance())
    }

    /// Energy of motion and in the field of gravity, less the work of walls, in the middle of a step; only the first process knows it.
    /// Wrapping into a cell is work, and counted as such.
    fn mechanical_balance(&self) -> Option<f64> {
        // In the middle of a step the records have what velocities will be at its end.
        let motion = |slot: usize| (self.bodies.records[slot].velocity, self.bodies.records[slot].spin);
        let mechanical = self.bodies.energies(self.gravity, motion);
        let sums = mechanical.into_iter().chain([self.ledger.wall_work.clone()]).collect();
        let sums = self.sums_at_first(sums)?;
        let (work, mechanical) = sums.split_last()?;
        Some(mechanical.iter().map(ExactSum::value).sum::<f64>() - work.value())
    }

    /// Removes the grains with these ids, which are in all processes, in the middle of a step.
    pub(super) fn take_out_ids(&mut self, ids: &[u32]) {
        let before = self.mechanical_balance();
        let is_gone = |slot: u32| {
            slot as usize >= self.bodies.walls
                && ids.binary_search(&self.bodies.states[slot as usize].id).is_ok()
        };
        let springs = self
            .contacts
            .elastic(|pair| !self.bodies.is_elsewhere(pair.a) && (is_gone(pair.a) || is_gone(pair.b)));
        let springs = self.sums_at_first(vec![springs]).map_or(0.0, |sums| sums[0].value());
        if self.remote.is_some() {
            self.trade(ids, Vec::new(), true);
        } else {
            let is_kept = |&slot: &u32| !is_gone(slot);
            let order: Vec<u32> = (0..self.bodies.owners as u32).filter(is_kept).collect();
            self.renumber(&order);
        }
        if let (Some(before), Some(after)) = (before, self.mechanical_balance()) {
            self.ledger.taken_out.add(before - after + springs);
        }
    }

    /// Adds grains.
    pub(crate) fn take_new(&mut self, new: NewGrains<D>) -> usize {
        self.counted(|world| {
            let count = new.len();
            // Four thousand million grains do not fit into any machine.
            world.ledger.next_id = world.ledger.next_id.saturating_add(count as u32);
            if world.remote.is_some() {
                world.trade(&[], new, true);
            } else {
                let order: Vec<u32> = (0..world.bodies.owners as u32).collect();
                world.renumber_and_add(&order, new);
            }
            count
        })
    }
}
