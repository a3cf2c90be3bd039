//! Changes between steps: grains and walls that are removed, grains that freeze, sorting in space.

use gritstone_core::Vector;

use crate::bodies::Bodies;
use crate::bodies::ghosts::Ghost;
use crate::bodies::{Record, State};
use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::exchange::Exchange;
use crate::periodic::cell::{Shift, leads_on};
use crate::state::snapshot::BodyState;
use crate::world::World;

/// Bits of each coordinate that sorting uses.
const SORT_BITS: u32 = 10;

/// The slots of two bodies after renumbering, one of them an owner; none if one of them was removed.
pub(super) fn rename<D: Dimension>(
    bodies: &Bodies<D>,
    roles: &[Ghost],
    new_slot: &[Option<u32>],
    pair: BodyPair,
) -> Option<BodyPair> {
    let role = |slot: u32| {
        let role = roles[slot as usize];
        Some(Ghost { owner: new_slot[role.owner as usize]?, ..role })
    };
    slots_of(bodies, role(pair.a)?, role(pair.b)?)
}

/// The slots of two bodies, one of which is at home; none if they are not there.
pub(super) fn slots_of<D: Dimension>(bodies: &Bodies<D>, a: Ghost, b: Ghost) -> Option<BodyPair> {
    let between: Shift = std::array::from_fn(|k| b.shift[k] - a.shift[k]);
    let [of_a, of_b] = if (b.owner as usize) < bodies.walls {
        [[0; 3]; 2] // Owners meet the walls.
    } else if leads_on(between) {
        [[0; 3], between]
    } else {
        [between.map(|n| -n), [0; 3]]
    };
    let a = bodies.slot_of(Ghost { shift: of_a, ..a })?;
    Some(BodyPair { a, b: bodies.slot_of(Ghost { shift: of_b, ..b })? })
}

impl<D: Dimension> World<D> {
    /// Removes every grain for which this holds; returns their number.
    pub fn remove_where(&mut self, gone: impl Fn(&BodyState<D>) -> bool) -> usize {
        self.counted(|world| world.take_out(gone))
    }

    /// Removes grains in the middle of a step; returns their number in all processes.
    pub(crate) fn take_out(&mut self, gone: impl Fn(&BodyState<D>) -> bool) -> usize {
        let own = self.bodies.grains().filter(|&slot| gone(&self.body_state(slot)));
        let mut ids: Vec<u32> = own.map(|slot| self.bodies.states[slot].id).collect();
        if let Some(domain) = &self.remote {
            ids = domain.gather(&ids).into_iter().flatten().collect();
        }
        ids.sort_unstable();
        if !ids.is_empty() {
            self.take_out_ids(&ids);
        }
        ids.len()
    }

    /// Fixes every grain in place for which this holds; returns their number.
    pub fn freeze_where(&mut self, freeze: impl Fn(&BodyState<D>) -> bool) -> usize {
        self.counted(|world| world.stop(freeze))
    }

    fn stop(&mut self, freeze: impl Fn(&BodyState<D>) -> bool) -> usize {
        let mut count = 0;
        for slot in self.bodies.grains() {
            if self.bodies.states[slot].is_free() && freeze(&self.body_state(slot)) {
                let (body, state) = (&mut self.bodies.records[slot], &mut self.bodies.states[slot]);
                state.set_free(false);
                state.velocity = D::Vec::default();
                state.momentum = D::Spin::default();
                body.velocity = D::Vec::default();
                body.spin = D::Spin::default();
                body.mass = f64::INFINITY;
                state.by_mass = 0.0;
                count += 1;
            }
        }
        self.bodies.sum_velocities();
        self.exchange_ghosts();
        self.contacts.update_masses(&self.bodies);
        self.total(count)
    }

    /// Sets velocities and spins of grains that can move: `motion` gives them by id. Returns the number of these grains.
    pub fn change_velocities(&mut self, motion: impl Fn(u32) -> Option<(D::Vec, D::Spin)>) -> usize {
        self.counted(|world| {
            let mut count = 0;
            let Bodies { records, states, shapes, walls, owners, .. } = &mut world.bodies;
            for (body, state) in records[*walls..*owners].iter_mut().zip(&mut states[*walls..]) {
                let Some((velocity, spin)) = motion(state.id).filter(|_| state.is_free()) else { continue };
                (body.velocity, body.spin, state.velocity) = (velocity, spin, velocity);
                let inertia = &shapes[body.shape as usize].inertia;
                state.momentum = D::momentum(inertia, body.rotation, spin) * body.mass;
                count += 1;
            }
            world.bodies.sum_velocities();
            world.total(count)
        })
    }

    /// Removes the wall of that name; whether there was one.
    pub fn remove_wall(&mut self, name: &str) -> bool {
        let found = (0..self.wall_names.len())
            .find(|&wall| self.wall_names[wall] == name && self.bodies.states[wall].is_present());
        let Some(wall) = found else { return false };
        self.counted(|world| {
            let features = world.bodies.features.of(wall);
            let gone = |slot: u32| slot as usize == wall || features.contains(&(slot as usize));
            world.bodies.states[wall].set_present(false);
            world.contacts.forget(|pair| gone(pair.b));
            world.contacts.sort_by_body(&world.bodies);
            world.wall_pairs.forget_partners(gone);
            world.list_walls();
            1
        }) > 0
    }

    /// Adds the absent wall of that name where its tool is now; whether there was one.
    pub fn add_wall(&mut self, name: &str) -> bool {
        let found = (0..self.wall_names.len())
            .find(|&wall| self.wall_names[wall] == name && !self.bodies.states[wall].is_present());
        let Some(wall) = found else { return false };
        self.counted(|world| {
            world.bodies.states[wall].set_present(true);
            world.list_walls();
            1
        }) > 0
    }

    /// Sets the motion of a wall that no tool moves, about its own origin; whether there is one of that name.
    pub fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        let named = self.wall_names.iter().position(|known| known == name);
        let Some(wall) = named.filter(|&wall| self.tools.lets_go_on(wall)) else { return false };
        (self.bodies.records[wall].velocity, self.bodies.records[wall].spin) = (velocity, spin);
        true
    }

    /// Sorts grains along Morton's curve, so that neighbours are near each other in memory.
    pub(crate) fn sort(&mut self) {
        let order = self.order_in_space();
        self.renumber(&order);
    }

    /// Walls, then grains along Morton's curve, by their slots.
    pub(super) fn order_in_space(&self) -> Vec<u32> {
        let walls = self.bodies.walls;
        let grains = &self.bodies.records[self.bodies.grains()];
        let bounds: Vec<(f64, f64)> = (0..D::N)
            .map(|axis| {
                let coordinates = grains.iter().map(|body| body.position.component(axis));
                coordinates
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
            })
            .collect();
        let key = |position: D::Vec| {
            let cells = f64::from(1_u32 << SORT_BITS) - 1.0;
            let mut key = 0_u64;
            for bit in (0..SORT_BITS).rev() {
                for (axis, (low, high)) in bounds.iter().enumerate() {
                    let cell = ((position.component(axis) - low) / (high - low) * cells) as u64;
                    key = key << 1 | cell >> bit & 1;
                }
            }
            key
        };
        let mut order: Vec<(u64, u32)> =
            grains.iter().map(|body| key(body.position)).zip(walls as u32..).collect();
        order.sort_unstable();
        (0..walls as u32).chain(order.into_iter().map(|(_, slot)| slot)).collect()
    }

    /// Stores walls and grains in this order, given by their slots so far; those that are not named are removed. Grains are
    /// wrapped into the cell, if there is one, and their ghosts are made again. No other process has any part of the world.
    pub(crate) fn renumber(&mut self, order: &[u32]) {
        self.renumber_and_add(order, Vec::new());
    }

    /// The same, with new grains behind those that are there.
    pub(crate) fn renumber_and_add(&mut self, order: &[u32], new: Vec<(Record<D>, State<D>)>) {
        let Self { bodies, cells, remote, ledger, gravity, .. } = self;
        let moved = Exchange { cells, remote }.migrate(bodies, ledger, *gravity);
        let roles: Vec<Ghost> =
            (0..self.bodies.records.len() as u32).map(|slot| moved.apply(self.bodies.role(slot))).collect();
        let mut new_slot = vec![None; self.bodies.owners];
        for (new, &old) in order.iter().enumerate() {
            new_slot[old as usize] = Some(new as u32);
        }
        let mut is_kept = vec![false; self.bodies.owners];
        order.iter().for_each(|&old| is_kept[old as usize] = true);
        let gone = self.bodies.states[..is_kept.len()].iter().zip(&is_kept).filter(|(_, kept)| !**kept);
        self.ledger.dissipated.extend(gone.map(|(state, _)| state.dissipated));
        self.bodies.records = order.iter().map(|&old| self.bodies.records[old as usize]).collect();
        self.bodies.loaded_walls.clear();
        self.bodies.states = order.iter().map(|&old| self.bodies.states[old as usize]).collect();
        let (records, states): (Vec<_>, Vec<_>) = new.into_iter().unzip();
        self.bodies.records.extend(records);
        self.bodies.states.extend(states);
        self.bodies.owners = self.bodies.records.len();
        self.bodies.sum_velocities();
        let cutoff = self.make_ghosts();
        let renamed = |pair: BodyPair| rename(&self.bodies, &roles, &new_slot, pair);
        let count = self.bodies.records.len();
        self.grain_pairs.renumber(renamed, count, &[]);
        self.wall_pairs.renumber(renamed, count, &[]);
        self.contacts.rename(renamed);
        self.list_grains_within(cutoff);
        self.list_walls();
    }

    /// Makes the ghosts of all grains, for lists with the cutoff that is returned.
    pub(super) fn make_ghosts(&mut self) -> f64 {
        self.bodies.dismiss();
        let cutoff = self.next_cutoff();
        let Self { bodies, cells, remote, .. } = self;
        Exchange { cells, remote }.make_ghosts(bodies, cutoff);
        cutoff
    }
}
