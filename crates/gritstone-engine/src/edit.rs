//! Changes between steps: grains and walls that go, grains that freeze, grains that are sorted in space.

use gritstone_core::Vector;

use crate::contacts::Ends;
use crate::near::NearList;
use crate::realm::Realm;
use crate::realm::swift::Swift;
use crate::snapshot::BodyState;
use crate::world::World;

/// Bits of each coordinate that sorting looks at.
const SORT_BITS: u32 = 10;

impl<D: Realm> World<D> {
    /// Takes out every grain for which this holds; says how many.
    pub fn remove_where(&mut self, gone: impl Fn(&BodyState<D>) -> bool) -> usize {
        self.counted(|world| world.take_out(gone))
    }

    /// Makes changes between steps and says how many: forces are looked for again, and what is missing then is energy taken
    /// out.
    pub(crate) fn counted(&mut self, change: impl FnOnce(&mut Self) -> usize) -> usize {
        let before = self.energies().balance();
        let changes = change(self);
        if changes > 0 {
            self.push(0.0);
            self.ledger.taken_out += before - self.energies().balance();
        }
        changes
    }

    /// Takes out grains in the middle of a step.
    pub(crate) fn take_out(&mut self, gone: impl Fn(&BodyState<D>) -> bool) -> usize {
        let before = self.bodies.records.len();
        let order: Vec<u32> = (0..before)
            .filter(|&slot| slot < self.bodies.walls || !gone(&self.body_state(slot)))
            .map(|slot| slot as u32)
            .collect();
        if order.len() < before {
            let energy = self.mechanical_energy();
            let springs = self.renumber(&order);
            self.ledger.taken_out += energy - self.mechanical_energy() + springs;
            self.tally.elastic -= springs;
        }
        before - order.len()
    }

    /// Stops every grain for which this holds, for good; says how many.
    pub fn freeze_where(&mut self, freeze: impl Fn(&BodyState<D>) -> bool) -> usize {
        self.counted(|world| world.stop(freeze))
    }

    fn stop(&mut self, freeze: impl Fn(&BodyState<D>) -> bool) -> usize {
        let mut count = 0;
        for slot in self.bodies.walls..self.bodies.records.len() {
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
        self.swift.join(&self.bodies);
        count
    }

    /// Takes away the wall of that name; whether there was one.
    pub fn remove_wall(&mut self, name: &str) -> bool {
        let found = (0..self.bodies.walls)
            .find(|&wall| self.wall_names[wall] == name && self.bodies.states[wall].is_present());
        let Some(wall) = found else { return false };
        self.counted(|world| {
            world.bodies.states[wall].vanish();
            world.forget_contacts(|ends| ends.b as usize == wall);
            world.sort_contacts_by_body();
            world.to_walls.forget_partner(wall as u32);
            world.list_walls();
            1
        }) > 0
    }

    /// Sets the motion of a wall about its own origin; whether there is one of that name.
    pub fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        let Some(wall) = self.wall_names.iter().position(|known| known == name) else { return false };
        (self.bodies.records[wall].velocity, self.bodies.records[wall].spin) = (velocity, spin);
        true
    }

    /// Stores grains that are near each other near each other, along Morton's curve.
    pub(crate) fn sort(&mut self) {
        let walls = self.bodies.walls;
        let grains = &self.bodies.records[walls..];
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
        let order: Vec<u32> = (0..walls as u32).chain(order.into_iter().map(|(_, slot)| slot)).collect();
        self.renumber(&order);
    }

    /// Stores the bodies in this order, given by their slots so far; those that are not named are gone. Returns the energy
    /// that was in the springs of their contacts.
    fn renumber(&mut self, order: &[u32]) -> f64 {
        let mut new_slot = vec![None; self.bodies.records.len()];
        for (new, &old) in order.iter().enumerate() {
            new_slot[old as usize] = Some(new as u32);
        }
        self.bodies.records = order.iter().map(|&old| self.bodies.records[old as usize]).collect();
        self.bodies.states = order.iter().map(|&old| self.bodies.states[old as usize]).collect();
        self.bodies.sum_velocities();
        let springs = self.forget_contacts(|ends| {
            new_slot[ends.a as usize].is_none() || new_slot[ends.b as usize].is_none()
        });
        for ends in self.swift.ends_mut().chain(&mut self.contacts.ends) {
            for end in [&mut ends.a, &mut ends.b] {
                *end = new_slot[*end as usize].unwrap_or(*end);
            }
        }
        for list in [&mut self.among_grains, &mut self.to_walls] {
            NearList::renumber(list, &new_slot, order.len());
        }
        self.list_grains();
        self.list_walls();
        self.sort_contacts_by_body();
        springs
    }

    /// Forgets the contacts for which this holds, and returns the energy in their springs. Contacts must be sorted by body after
    /// it.
    fn forget_contacts(&mut self, gone: impl Fn(&Ends) -> bool) -> f64 {
        let ends = self.swift.ends().chain(&self.contacts.ends).enumerate();
        let springs = ends.filter(|(_, ends)| gone(ends)).map(|(i, _)| self.row(i).elastic).sum();
        self.swift.forget(&gone);
        for i in (0..self.contacts.len()).rev() {
            if gone(&self.contacts.ends[i]) {
                self.contacts.swap_remove(i);
            }
        }
        springs
    }

    fn mechanical_energy(&self) -> f64 {
        // In the middle of a step the records have what velocities will be at its end.
        let motion = |slot: usize| (self.bodies.records[slot].velocity, self.bodies.records[slot].spin);
        self.bodies.energies(self.gravity, motion).iter().sum()
    }
}
