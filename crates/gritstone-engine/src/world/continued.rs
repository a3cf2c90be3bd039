//! Worlds that continue from the state of an earlier one: grains and contacts continue, walls, laws and the time step may be others.
//!
//! **Idea.** Grains, contacts and lists of the earlier world are moved to the slots of the new one. A contact keeps its history
//! and the memory of its solver; one with a wall that is not the same any more is dropped. Where no slot changes, nothing is
//! computed anew, and the next step has the bits that it would have had in the earlier world. Otherwise lists are rebuilt. Forces
//! are computed again where laws have changed, and where contacts have come or gone.

use std::collections::HashSet;
use std::sync::Arc;

use gritstone_contact::NarrowPhase;

use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Record, State};
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;
use crate::insertion::insert::body_of;
use crate::setup::{Grain, Setup, SetupError};
use crate::world::{Before, Clock, Ledger, World};

/// An earlier world, from which grains of a setup continue.
#[derive(Clone, Debug)]
pub struct Earlier<D: NarrowPhase> {
    /// What the earlier world was made from; its grains are not needed.
    pub setup: Box<Setup<D>>,
    /// Its state, as [`World::save`] has written it.
    pub state: Arc<[u8]>,
    /// Index in the new setup of each of its shapes; none for shapes that no grain has.
    pub shapes: Vec<Option<u32>>,
    /// The same for its materials.
    pub materials: Vec<Option<u16>>,
}

impl<D: Dimension> World<D> {
    /// The world of a setup whose grains continue from an earlier one: those that have the id of a grain there. They have its state
    /// instead of what the setup says of them; the others are new.
    pub(super) fn continued(setup: &Setup<D>, earlier: &Earlier<D>) -> Result<Self, SetupError> {
        setup.check()?;
        let failed = |what: String| SetupError::Earlier(what);
        let mut old = Self::restore(&earlier.setup, &earlier.state).map_err(|e| failed(e.to_string()))?;
        let world = Self::bare(&Setup { grains: Vec::new(), earlier: None, ..setup.clone() })?;
        let known: HashSet<u32> = old.grain_ids().into_iter().collect();
        let new: Vec<&Grain<D>> = setup.grains.iter().filter(|grain| !known.contains(&grain.id)).collect();
        let same_cell = match (&old.cells, &world.cells) {
            (None, None) => true,
            (Some(old), Some(new)) => old.is_where(new),
            _ => false,
        };
        if !same_cell {
            // Contacts across a side are dropped, with grains at home.
            let order: Vec<u32> = (0..old.bodies.owners as u32).collect();
            old.renumber(&order);
        }
        let transfer = Transfer::new(setup, earlier, &old, &world, same_cell)?;
        let is_same = transfer.changes_no_slot(&old) && new.is_empty() && same_cell;
        let (laws_differ, contacts) = (transfer.laws_differ(), old.contacts.len());
        let mut world = transfer.apply(old, world, same_cell);
        world.ledger.next_id = world.ledger.next_id.max(super::place::first_free(setup));
        if let Some((axis, width, needed)) = world.narrow_side() {
            return Err(SetupError::Narrow { axis, width, needed });
        }
        if laws_differ {
            world.contacts.change_laws(&world.bodies, &world.laws);
        }
        if !is_same {
            let new = new.into_iter().map(|grain| body_of(grain, &world.bodies.shapes, &setup.densities));
            let new = new.collect();
            let order: Vec<u32> = (0..world.bodies.owners as u32).collect();
            world.renumber_and_add(&order, new);
            world.exchange_ghosts();
            world.activate_candidates();
        }
        if laws_differ || world.contacts.len() != contacts {
            world.find_forces();
        }
        world.start_books();
        Ok(world)
    }

    /// Energies are counted from now on.
    fn start_books(&mut self) {
        let Ledger { next_id, before, lists, .. } = self.ledger;
        self.ledger = Ledger { next_id, lists, before: Before { lists, ..before }, ..Ledger::default() };
        if let Some(cells) = &mut self.cells {
            cells.jumps = Default::default();
        }
        for state in &mut self.bodies.states[..self.bodies.owners] {
            // A law's loss reaches half a step beyond now.
            state.dissipated = 0.5 * state.dissipated_last;
        }
    }
}

/// Where what an earlier world has goes in a new one.
struct Transfer<'s, D: Dimension> {
    setup: &'s Setup<D>,
    earlier: &'s Earlier<D>,
    /// The slot of each body there, by its slot so far; none where it does not continue.
    slots: Vec<Option<u32>>,
    /// Walls that are the same: so far, and now.
    walls: Vec<(usize, usize)>,
    /// Slots so far of the grains that continue, in their order, and of their ghosts.
    grains: Vec<usize>,
    ghosts: Vec<usize>,
}

impl<'s, D: Dimension> Transfer<'s, D> {
    fn new(
        setup: &'s Setup<D>,
        earlier: &'s Earlier<D>,
        old: &World<D>,
        new: &World<D>,
        same_cell: bool,
    ) -> Result<Self, SetupError> {
        let kept: HashSet<u32> = setup.grains.iter().map(|grain| grain.id).collect();
        let grains: Vec<usize> =
            old.bodies.grains().filter(|&slot| kept.contains(&old.bodies.states[slot].id)).collect();
        let mut slots = vec![None; old.bodies.records.len()];
        let walls = same_walls(setup, earlier, old, new);
        for &(from, to) in &walls {
            let features = old.bodies.features.of(from).zip(new.bodies.features.of(to));
            features.chain([(from, to)]).for_each(|(from, to)| slots[from] = Some(to as u32));
        }
        (new.bodies.walls..).zip(&grains).for_each(|(to, &from)| slots[from] = Some(to as u32));
        let first_ghost = new.bodies.walls + grains.len();
        let mut ghosts = Vec::new();
        for slot in old.bodies.owners..old.bodies.records.len() {
            let role = old.bodies.role(slot as u32);
            if slots[role.owner as usize].is_some() && (same_cell || !role.is_image()) {
                slots[slot] = Some((first_ghost + ghosts.len()) as u32);
                ghosts.push(slot);
            }
        }
        let transfer = Self { setup, earlier, slots, walls, grains, ghosts };
        transfer.check(old)?;
        Ok(transfer)
    }

    /// Whether every shape and material that is needed is there.
    fn check(&self, old: &World<D>) -> Result<(), SetupError> {
        let Self { setup, earlier, .. } = self;
        for &slot in &self.grains {
            let (body, id) = (&old.bodies.records[slot], old.bodies.states[slot].id);
            let shape = earlier.shapes.get(body.shape as usize).copied().flatten();
            let material = earlier.materials.get(usize::from(body.material)).copied().flatten();
            let there = shape.is_some_and(|shape| (shape as usize) < setup.shapes.len())
                && material.is_some_and(|material| usize::from(material) < setup.densities.len());
            if !there {
                return Err(SetupError::Earlier(format!(
                    "the shape or material of grain {id} does not exist"
                )));
            }
        }
        Ok(())
    }

    /// Whether every body stays in its slot.
    fn changes_no_slot(&self, old: &World<D>) -> bool {
        let stays = (0..).zip(&self.slots).all(|(slot, to)| *to == Some(slot));
        // Ghosts name parts by their number among those of all shapes.
        let same_parts = || (0..).zip(&self.earlier.shapes).all(|(i, to)| to.is_none_or(|to| to == i));
        stays && self.setup.walls.len() == old.wall_names.len() && (self.ghosts.is_empty() || same_parts())
    }

    /// Whether the same contacts give other forces.
    fn laws_differ(&self) -> bool {
        let Self { setup, earlier: Earlier { setup: old, materials, .. }, .. } = self;
        let known = || (0..).zip(materials).filter_map(|(i, to)| Some((i, usize::from((*to)?))));
        let same_pair = |(i, to): (usize, usize)| {
            known().all(|(k, other)| old.interactions.get(i, k) == setup.interactions.get(to, other))
        };
        let same_density = |(i, to): (usize, usize)| old.densities[i] == setup.densities[to];
        let same_wall = |&(from, to): &(usize, usize)| {
            materials[usize::from(old.walls[from].material)] == Some(setup.walls[to].material)
                && old.walls[from].surface_motion == setup.walls[to].surface_motion
        };
        self.method_differs()
            || !known().all(|pair| same_pair(pair) && same_density(pair))
            || !self.walls.iter().all(same_wall)
    }

    /// Whether contacts are found in another way.
    fn method_differs(&self) -> bool {
        let Self { setup, earlier, .. } = self;
        earlier.setup.rules != setup.rules || earlier.setup.method != setup.method
    }

    /// Moves bodies, lists and contacts.
    fn apply(self, old: World<D>, mut new: World<D>, same_cell: bool) -> World<D> {
        self.move_bodies(&old.bodies, &mut new.bodies);
        if same_cell && let (Some(cells), Some(now)) = (&old.cells, &mut new.cells) {
            let changes = now.take_over(cells);
            new.strain(|_| changes);
        }
        new.clock = Clock { step: 0, dt: self.setup.time_step };
        let steps = old.ledger.before.steps + old.clock.step;
        new.ledger = Ledger { before: Before { steps, ..Before::default() }, ..old.ledger };
        new.stats = old.stats;
        new.bodies.largest_velocity = old.bodies.largest_velocity;
        new.bodies.sum_velocities();
        let renamed = |BodyPair { a, b }: BodyPair| {
            Some(BodyPair { a: self.slots[a as usize]?, b: self.slots[b as usize]? })
        };
        let (mut grain_pairs, mut wall_pairs, mut contacts) = (old.grain_pairs, old.wall_pairs, old.contacts);
        if !(0..).zip(&self.slots).all(|(slot, to)| *to == Some(slot)) {
            let count = new.bodies.records.len();
            grain_pairs.renumber(renamed, count, &[]);
            wall_pairs.renumber(renamed, count, &[]);
            contacts.rename(renamed);
        }
        if self.method_differs() {
            contacts.general.forget_geometry();
        }
        (new.grain_pairs, new.wall_pairs) = (grain_pairs, wall_pairs);
        new.contacts = ContactTable::with(contacts.batches, contacts.general, &new.bodies, &new.laws);
        new
    }

    /// Moves grains and ghosts, and what acts on walls.
    fn move_bodies(&self, old: &Bodies<D>, new: &mut Bodies<D>) {
        for &(from, to) in &self.walls {
            let features = old.features.of(from).zip(new.features.of(to));
            for (from, to) in features.chain([(from, to)]) {
                let State { force, torque, dissipated_last, .. } = old.states[from];
                let state = &mut new.states[to];
                (state.force, state.torque, state.dissipated_last) = (force, torque, dissipated_last);
            }
        }
        for &slot in &self.grains {
            let (record, state) = self.grain(&old.records[slot], &old.states[slot], new);
            new.records.push(record);
            new.states.push(state);
        }
        let ghosts = self.ghosts.iter().map(|&slot| self.ghost(slot, old, new)).collect::<Vec<_>>();
        for (&slot, ghost) in self.ghosts.iter().zip(&ghosts) {
            let owner = new.records[ghost.owner as usize];
            let shape = if ghost.is_part() { new.parts[ghost.part as usize].shape } else { owner.shape };
            let (mass, material) = (owner.mass, owner.material);
            new.records.push(Record { shape, mass, material, ..old.records[slot] });
            new.states.push(old.states[slot]);
        }
        new.set_ghosts(ghosts);
    }

    /// A grain with the new setup's shape, material and mass.
    fn grain(&self, record: &Record<D>, state: &State<D>, new: &Bodies<D>) -> (Record<D>, State<D>) {
        let (mut record, mut state) = (*record, *state);
        // What is not there has been refused.
        record.shape = self.earlier.shapes[record.shape as usize].unwrap_or_default();
        record.material = self.earlier.materials[usize::from(record.material)].unwrap_or_default();
        let volume = new.shapes[record.shape as usize].volume;
        let mass = volume * self.setup.densities[usize::from(record.material)];
        if state.is_free() && mass != record.mass {
            state.momentum = state.momentum * (mass / record.mass);
            (record.mass, state.by_mass) = (mass, 1.0 / mass);
        }
        (record, state)
    }

    /// What a ghost follows now.
    fn ghost(&self, slot: usize, old: &Bodies<D>, new: &Bodies<D>) -> Ghost {
        let role = old.role(slot as u32);
        // Ghosts continue with their owners alone.
        let owner = self.slots[role.owner as usize].unwrap_or_default();
        if !role.is_part() {
            return Ghost { owner, ..role };
        }
        let parts = |bodies: &Bodies<D>, slot: u32| {
            bodies.shapes[bodies.records[slot as usize].shape as usize].parts.clone()
        };
        let (before, now) = (parts(old, role.owner), parts(new, owner));
        let part = now.start + role.part.saturating_sub(before.start);
        Ghost { owner, part: part.min(now.end.saturating_sub(1)), ..role }
    }
}

/// Walls that are there in both worlds, with the same name and shape at the same place.
fn same_walls<D: Dimension>(
    setup: &Setup<D>,
    earlier: &Earlier<D>,
    old: &World<D>,
    new: &World<D>,
) -> Vec<(usize, usize)> {
    let is_same = |&(from, to): &(usize, usize)| {
        let (before, now) = (&earlier.setup.walls[from], &setup.walls[to]);
        let [pose, pose_now] = [old.bodies.records[from].pose(), new.bodies.records[to].pose()];
        let present = old.bodies.states[from].is_present() && new.bodies.states[to].is_present();
        let [features, features_now] = [old.bodies.features.of(from), new.bodies.features.of(to)];
        present
            && (&before.shape, &before.surface, pose) == (&now.shape, &now.surface, pose_now)
            && features.len() == features_now.len()
            && features
                .zip(features_now)
                .all(|(a, b)| old.bodies.features.origin(a) == new.bodies.features.origin(b))
    };
    let named =
        |(from, name): (usize, &String)| Some((from, new.wall_names.iter().position(|known| known == name)?));
    old.wall_names.iter().enumerate().filter_map(named).filter(is_same).collect()
}
