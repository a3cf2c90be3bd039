//! Forces on bodies: gathered from contacts, handed from ghosts to owners, added from outside; and the second half kick.

use std::sync::Arc;

use gritstone_core::{ExactSum, Linear as _};
use rayon::prelude::*;

use super::{Bodies, CHUNK, Record, State, VelocitySum, integrate};
use crate::dimension::Dimension;
use crate::exchange::Exchange;
use crate::external::{ExternalForce, GrainView};

/// What acts on grains beside contacts.
pub(crate) struct OtherForces<'w, D: Dimension> {
    pub(crate) gravity: D::Vec,
    pub(crate) external: &'w [Arc<dyn ExternalForce<D>>],
    pub(crate) exchange: &'w Exchange<'w, D>,
    /// Whether all contacts with walls are here: if not, forces on walls are summed elsewhere.
    pub(crate) walls_here: bool,
    pub(crate) time: f64,
}

/// Power on the grains (W).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Power {
    pub(crate) external: f64,
    /// Of the moving sides of a cell.
    pub(crate) sides: f64,
}

impl<D: Dimension> Bodies<D> {
    /// Sums the forces on all bodies (`gather` does so for some, of which it gets the first slot) and makes the second half
    /// kick of the grains: `v += F/m · dt/2`, `L += T · dt/2`. While nothing comes between the two, a chunk of bodies is
    /// kicked as soon as its forces are known. A chunk of walls without contacts (`has_contacts`, by its first slot), now and
    /// when forces were last summed, is left as it is.
    pub(crate) fn gather_and_kick(
        &mut self,
        gather: impl Fn(usize, &[Record<D>], &mut [State<D>]) + Sync,
        has_contacts: impl Fn(usize) -> bool + Sync,
        others: &OtherForces<'_, D>,
        dt: f64,
    ) -> Power {
        let at_once = self.owners == self.records.len() && others.external.is_empty();
        let rounding = self.velocity_rounding();
        let grains = self.grains().len();
        let Self { walls, records, states, velocity_sums, loaded_walls, .. } = self;
        let (still, moving) = states.split_at_mut(*walls);
        let chunks = |first: usize| records[first..].par_chunks(CHUNK).enumerate();
        loaded_walls.resize(walls.div_ceil(CHUNK), true);
        chunks(0).zip(still.par_chunks_mut(CHUNK)).zip(loaded_walls).filter(|_| others.walls_here).for_each(
            |(((chunk, records), states), loaded)| {
                let first = chunk * CHUNK;
                if std::mem::replace(loaded, has_contacts(first)) || *loaded {
                    gather(first, &records[..states.len()], states);
                }
            },
        );
        velocity_sums.resize(moving.len().div_ceil(CHUNK), VelocitySum::new(0.0));
        let kick = |states: &mut [State<D>]| integrate::kick(others.gravity, dt, rounding, states);
        chunks(*walls).zip(moving.par_chunks_mut(CHUNK)).zip(&mut *velocity_sums).for_each(
            |(((chunk, records), states), sum)| {
                gather(*walls + chunk * CHUNK, records, states);
                if at_once {
                    *sum = kick(states);
                }
            },
        );
        if at_once {
            return Power::default();
        }
        let sides = others.exchange.reverse(self);
        let external = self.add_external(others);
        let Self { walls, states, velocity_sums, .. } = self;
        velocity_sums.truncate(grains.div_ceil(CHUNK));
        let grains = states[*walls..*walls + grains].par_chunks_mut(CHUNK);
        grains.zip(velocity_sums).for_each(|(states, sum)| *sum = kick(states));
        Power { external, sides }
    }

    /// Adds external forces to the grains that can move; returns their power.
    fn add_external(&mut self, others: &OtherForces<'_, D>) -> f64 {
        if others.external.is_empty() {
            return 0.0;
        }
        let grains = self.grains();
        let Self { records, states, .. } = self;
        let chunks = records[grains.clone()].par_chunks(CHUNK).zip(states[grains].par_chunks_mut(CHUNK));
        let add = |(records, states): (&[Record<D>], &mut [State<D>])| {
            let mut power = ExactSum::default();
            for (body, state) in records.iter().zip(states).filter(|(_, state)| state.is_free()) {
                let grain = body.view(state.id);
                for external in others.external {
                    let (force, torque) = external.load(others.time, &grain);
                    state.force += force;
                    state.torque += torque;
                    power.add(force.dot(body.velocity) + torque.dot(body.spin));
                }
            }
            power
        };
        let merge = |mut sum: ExactSum, part: ExactSum| {
            sum.merge(&part);
            sum
        };
        chunks.map(add).reduce(ExactSum::default, merge).value()
    }
}

impl<D: Dimension> Record<D> {
    /// The grain of this id as forces from outside see it.
    fn view(&self, id: u32) -> GrainView<D> {
        let Self { mass, shape, material, velocity, spin, .. } = *self;
        GrainView { id, shape, material, mass, pose: self.pose(), velocity, spin }
    }
}
