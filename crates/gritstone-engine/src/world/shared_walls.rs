//! Walls of a world that several processes share: what contacts of all of them do to these.

use super::{ServoRow, StepError, World};
use crate::bodies::Bodies;
use crate::contacts::ContactTable;
use crate::contacts::batch::ContactBatch;
use crate::contacts::key::GrainKey;
use crate::dimension::Dimension;
use crate::exchange::Domain;

/// The power of a surface at a contact: slot of the wall, key of the grain, power (W).
type PowerRow = (u32, GrainKey, f64);

impl<D: Dimension> World<D> {
    /// Sums the forces on walls over all processes, in the order of the grains' keys: on the first of them, and on all where a tool is
    /// moved by forces.
    pub(in crate::world) fn load_shared_walls(&mut self) {
        let Some(domain) = &mut self.remote else { return };
        let everyone = self.tools.are_driven();
        let rows: Vec<(u32, GrainKey, <D::ContactBatch as ContactBatch<D>>::WallRow)> = self
            .contacts
            .with_walls(&self.bodies)
            .into_iter()
            .map(|(wall, key, entry)| {
                (wall, key, self.contacts.wall_row(entry, &self.bodies.records[wall as usize]))
            })
            .collect();
        let powers = surface_powers(&self.bodies, &self.contacts);
        let own = (rows, powers);
        let come = if everyone { domain.gather(&own) } else { domain.gather_at_first(&own) };
        let (rows, powers): (Vec<_>, Vec<_>) = come.into_iter().unzip();
        let mut all: Vec<_> = rows.into_iter().flatten().collect();
        all.sort_unstable_by_key(|(wall, key, _)| (*wall, *key));
        let mut powers: Vec<_> = powers.into_iter().flatten().collect();
        powers.sort_unstable_by_key(|(wall, key, _)| (*wall, *key));
        domain.surface_powers = powers.into_iter().map(|(wall, _, power)| (wall, power)).collect();
        let Bodies { records, states, .. } = &mut self.bodies;
        let mut load = |wall: u32, rows: &[_]| {
            let rows = rows.iter().map(|(_, _, row)| row);
            D::ContactBatch::load_wall(rows, &records[wall as usize], &mut states[wall as usize]);
        };
        let now: Vec<u32> = all.chunk_by(|a, b| a.0 == b.0).map(|rows| rows[0].0).collect();
        let before = std::mem::replace(&mut domain.loaded, now);
        before
            .iter()
            .filter(|wall| domain.loaded.binary_search(wall).is_err())
            .for_each(|&wall| load(wall, &[]));
        all.chunk_by(|a, b| a.0 == b.0).for_each(|rows| load(rows[0].0, rows));
    }

    /// What servos want to know of the contacts of all processes with walls, in the order of walls and grains' keys.
    pub(in crate::world) fn shared_servo_rows(&self) -> Vec<ServoRow> {
        let own: Vec<ServoRow> = (0..self.bodies.walls).flat_map(|wall| self.servo_rows(wall)).collect();
        let Some(domain) = &self.remote else { return own };
        let mut all: Vec<ServoRow> = domain.gather(&own).into_iter().flatten().collect();
        all.sort_unstable_by_key(|(wall, key, _)| (*wall, *key));
        all
    }

    /// What all processes find when they look at their grains: the first error, and whether any grain leaves.
    pub(in crate::world) fn agreed(&self, found: Result<bool, StepError>) -> Result<bool, StepError> {
        let Some(domain) = &self.remote else { return found };
        domain.gather(&found).into_iter().try_fold(false, |any, one| Ok(any | one?))
    }
}

/// What walls whose surface moves along itself do at the contacts of this process.
fn surface_powers<D: Dimension>(bodies: &Bodies<D>, contacts: &ContactTable<D>) -> Vec<PowerRow> {
    if bodies.surface_motions.is_empty() {
        return Vec::new();
    }
    let moving = (0..bodies.walls).filter(|&slot| bodies.surface_motion(slot as u32).is_some());
    let rows =
        |slot| contacts.surface_powers(bodies, slot).map(move |(key, power)| (slot as u32, key, power));
    moving.flat_map(rows).collect()
}

impl Domain {
    /// Power of the surface of a wall on the grains of all processes (W), summed as one process does.
    pub(in crate::world) fn surface_power<D: Dimension>(&self, bodies: &Bodies<D>, wall: usize) -> f64 {
        if bodies.surface_motion(wall as u32).is_none() {
            return 0.0;
        }
        let of_slot = |slot: usize| {
            let start = self.surface_powers.partition_point(|(other, _)| (*other as usize) < slot);
            self.surface_powers[start..].iter().take_while(move |(other, _)| *other as usize == slot)
        };
        bodies.features.of(wall).chain([wall]).flat_map(of_slot).map(|(_, power)| power).sum()
    }
}
