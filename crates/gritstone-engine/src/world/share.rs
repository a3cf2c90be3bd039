//! A world that several processes share: each has a part of the grains, and all walls.
//!
//! | call | when | what goes between processes |
//! |---|---|---|
//! | [`World::shared`] | at the start | nothing: every process has the whole world and takes its part |
//! | [`World::trade`] | when lists are rebuilt, and when grains come or go | grains that have crossed a boundary, with their contacts; copies |
//! | `World::load_shared_walls` (`shared_walls.rs`) | when forces are summed | what contacts do to walls |
//! | `World::whole` (`join.rs`) | when somebody wants to know | all grains with their contacts |
//!
//! A pair is known to the processes that have one of its grains. Contacts between two of them are the same on both, to the bit;
//! the process that has the first grain of a pair speaks for it.

use std::collections::HashMap;
use std::sync::Arc;

use gritstone_core::ExactSum;

use super::change::NewGrains;
use super::edit::{rename, slots_of};
use super::neighbours::SORT_EVERY;
use super::parcel::{Contents, Due, Name, Parcel, SentGrain};
use super::{Ledger, World};
use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Elsewhere, Record, State};
use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::exchange::{Communicator, Domain, Exchange};
use crate::periodic::cell::PeriodicCell;
use crate::setup::{Setup, SetupError};

/// What a process had when grains went and came.
struct Before {
    /// Slots of the walls and grains that stay, in the order in which they are stored from now on.
    order: Vec<u32>,
    /// What every body stood for, seen from where it is now.
    roles: Vec<Ghost>,
    /// Ids of walls, grains and copies.
    ids: Vec<u32>,
}

impl<D: Dimension> World<D> {
    /// The share of this process in the world of a setup: some of its grains, and all walls. All processes have the same setup, and
    /// make the same steps; grains move with the same bits as in one world, whatever process they go to. What a share tells of
    /// itself is told of its own grains, and of all contacts that these have.
    pub fn distributed(setup: &Setup<D>, communicator: Arc<dyn Communicator>) -> Result<Self, SetupError> {
        Ok(Self::new(setup)?.shared(Domain::new(communicator)))
    }

    /// The part of this process of a whole world, which all of them have.
    pub(crate) fn shared(mut self, mut domain: Domain) -> Self {
        domain.divide(&self.bodies);
        let (rank, rebuilds, roles) = (domain.rank(), self.ledger.lists[0], self.roles());
        let Bodies { walls, owners, .. } = self.bodies;
        let owner = self.owners_after(&domain, rebuilds);
        let near = self.pairs_between(&owner, rank);
        let mut order: Vec<u32> = (0..owners as u32).filter(|&slot| owner[slot as usize] == rank).collect();
        let own = order.len();
        let mut copies: Vec<u32> = near.iter().map(|&(_, other, _)| other).collect();
        copies.sort_unstable_by_key(|&slot| self.bodies.states[slot as usize].id);
        copies.dedup();
        order.extend(&copies);
        let mut new_slot = vec![None; roles.len()];
        order.iter().zip(0..).for_each(|(&old, new)| new_slot[old as usize] = Some(new));
        let (ghosts, list) = ghosts_of_those(&roles[owners..], owners, &new_slot);
        ghosts.iter().zip(order.len() as u32..).for_each(|(&old, new)| new_slot[old as usize] = Some(new));

        self.keep_sums_of(rank);
        self.bodies.elsewhere = Elsewhere::of(&self.bodies, owners - own);
        let grain = |slot: u32| (self.bodies.records[slot as usize], self.bodies.states[slot as usize]);
        let (records, states): (Vec<_>, Vec<_>) = order[..own].iter().map(|&slot| grain(slot)).unzip();
        let (of_ghosts, states_of_ghosts): (Vec<_>, Vec<_>) = ghosts.iter().map(|&slot| grain(slot)).unzip();
        // In the order of ids, on both sides.
        let mut from = vec![0; domain.size()];
        let copied = copies.iter().map(|&slot| {
            let (record, state) = grain(slot);
            let next = &mut from[owner[slot as usize]];
            *next += 1;
            ((state.id, record), [owner[slot as usize], *next - 1])
        });
        let copied = copied.collect();
        domain.sent = sent_to(&near, &self.bodies, &new_slot, domain.size());
        domain.loaded = (0..walls as u32).filter(|&wall| states[wall as usize].is_loaded()).collect();
        (self.bodies.records, self.bodies.states) = (records, states);
        self.bodies.owners = own;
        domain.take_copies(&mut self.bodies, copied);
        self.bodies.records.extend(of_ghosts);
        self.bodies.states.extend(states_of_ghosts);
        self.bodies.set_ghosts(list);
        self.bodies.loaded_walls.clear();
        self.bodies.sum_velocities();

        let is_own = |slot: u32| slot as usize >= walls && !self.bodies.is_elsewhere(slot);
        let renamed = |pair: BodyPair| {
            let (a, b) = (new_slot[pair.a as usize]?, new_slot[pair.b as usize]?);
            (is_own(a) || is_own(b)).then_some(BodyPair { a, b })
        };
        for list in [&mut self.grain_pairs, &mut self.wall_pairs] {
            let ways = order.iter().chain(&ghosts).map(|&slot| list.displacement.of[slot as usize]).collect();
            list.carry(renamed, ways, &[]);
        }
        self.contacts.rename(renamed);
        self.contacts.sort_by_body(&self.bodies);
        self.remote = Some(domain);
        self
    }

    /// Sums of the whole world stay with the first process.
    fn keep_sums_of(&mut self, rank: usize) {
        if rank > 0 {
            let Ledger { lists, next_id, .. } = self.ledger;
            self.ledger = Ledger { lists, next_id, ..Ledger::default() };
            self.stats.unresolved = 0;
            self.cells = self.cells.take().map(PeriodicCell::without_jumps);
        }
    }

    /// Pairs of an own grain with one of another process: both slots and that process. In any order, and more than once.
    fn pairs_between(&self, owner: &[usize], rank: usize) -> Vec<(u32, u32, usize)> {
        let listed = self.grain_pairs.pairs.iter().map(|pair| BodyPair { a: pair.a, b: pair.b });
        let whole = |slot: u32| self.bodies.role(slot).owner;
        let across = |BodyPair { a, b }: BodyPair| {
            let (a, b) = (whole(a), whole(b));
            let [of_a, of_b] = [a, b].map(|slot| owner[slot as usize]);
            match (of_a == rank, of_b == rank) {
                (true, false) => Some((a, b, of_b)),
                (false, true) => Some((b, a, of_a)),
                _ => None,
            }
        };
        let is_grain = |pair: &BodyPair| pair.b as usize >= self.bodies.walls;
        listed.chain(self.contacts.pairs()).filter(is_grain).filter_map(across).collect()
    }

    /// Rebuilds the lists; grains that are in another process' part of space go there, with all that the next step needs of them.
    pub(super) fn rebuild_and_trade(&mut self) {
        // One world makes the lists of walls anew at these rebuilds: so do all who share it.
        let walls_too = self.cells.is_some() || self.ledger.lists[0].is_multiple_of(SORT_EVERY);
        self.trade(&[], Vec::new(), walls_too);
    }

    /// The same, without the grains of these ids, which are in all processes, and with new grains, which all of them know.
    pub(super) fn trade(&mut self, gone: &[u32], new: NewGrains<D>, walls_too: bool) {
        let Self { bodies, cells, remote, ledger, gravity, .. } = self;
        let moved = Exchange { cells, remote }.migrate(bodies, ledger, *gravity);
        let roles: Vec<Ghost> = self.roles().into_iter().map(|role| moved.apply(role)).collect();
        let Some(mut domain) = self.remote.take() else { return };
        domain.balance(&self.bodies);
        let due = [Due::Remaining, if walls_too { Due::Remaining } else { Due::Listed }];
        let owner = self.owners_after(&domain, self.ledger.lists[0]);
        let rank = domain.rank();
        let contents = self.contents(&domain, &owner, gone);
        let parcels: Vec<Option<Parcel<D>>> = contents
            .iter()
            .map(|contents| (!contents.is_empty()).then(|| self.pack(contents, due, &roles)))
            .collect();
        let come = domain.send(&parcels);
        let rebuilds = self.ledger.lists[0];
        let (count, is_changed) = (new.len(), !(gone.is_empty() && new.is_empty()));
        let is_here = |(record, state): &(Record<D>, State<D>)| {
            domain.owner::<D>(record.position, state.id, rebuilds) == rank
        };
        let new: NewGrains<D> = new.into_iter().filter(is_here).collect();
        let everywhere = self.bodies.grains().len() + self.bodies.elsewhere.grains + count - gone.len();
        self.remote = Some(domain);
        let is_gone = |slot: u32| gone.binary_search(&self.bodies.states[slot as usize].id).is_ok();
        let own = self.bodies.grains();
        let lost = own.filter(|&slot| is_gone(slot as u32)).map(|slot| self.bodies.states[slot].dissipated);
        let lost: ExactSum = lost.collect();
        self.ledger.dissipated.merge(&lost);
        let is_wall = |slot: u32| (slot as usize) < self.bodies.walls;
        let stays = |&slot: &u32| is_wall(slot) || owner[slot as usize] == rank && !is_gone(slot);
        let order = self.order_in_space().into_iter().filter(stays).collect::<Vec<_>>();
        let before = self.bodies.states[..self.bodies.wholes].iter().map(|state| state.id).collect();
        let before = Before { order, roles, ids: before };
        self.take_in(&before, come, new, [is_changed, walls_too], everywhere);
    }

    /// The process that every wall, grain and copy belongs to after so many rebuilds, by slot.
    fn owners_after(&self, domain: &Domain, rebuilds: u64) -> Vec<usize> {
        let Bodies { records, states, walls, wholes, .. } = &self.bodies;
        let owner = |slot: usize| {
            if slot < *walls {
                return domain.rank();
            }
            domain.owner::<D>(records[slot].position, states[slot].id, rebuilds)
        };
        (0..*wholes).map(owner).collect()
    }

    /// What is to be sent to each process: its new grains, and what it does not know yet of pairs with its grains.
    fn contents(&self, domain: &Domain, owner: &[usize], gone: &[u32]) -> Vec<Contents> {
        let (rank, homes) = (domain.rank(), domain.homes());
        let mut contents = vec![Contents::default(); domain.size()];
        let is_gone = |slot: usize| gone.binary_search(&self.bodies.states[slot].id).is_ok();
        for slot in self.bodies.grains().filter(|&slot| owner[slot] != rank && !is_gone(slot)) {
            contents[owner[slot]].grains.push(slot as u32);
        }
        let before = |slot: usize| slot.checked_sub(self.bodies.owners).map_or(rank, |copy| homes[copy]);
        // Those who need a pair and have not had it, if this process speaks for it.
        let whole = |slot: u32| self.bodies.role(slot).owner as usize;
        let new_to = |a: u32, b: u32| {
            let (a, b) = (whole(a), whole(b));
            let speaks = a < self.bodies.owners;
            let knew = before(b);
            let mut new = [owner[a], owner[b]].map(|to| (speaks && to != rank && to != knew).then_some(to));
            if new[0] == new[1] {
                new[1] = None;
            }
            new.into_iter().flatten()
        };
        for (which, list) in [&self.grain_pairs, &self.wall_pairs].into_iter().enumerate() {
            for (i, pair) in (0..).zip(&list.pairs) {
                new_to(pair.a, pair.b).for_each(|to| contents[to].lists[which].push(i));
            }
        }
        for (i, pair) in self.contacts.pairs().enumerate() {
            new_to(pair.a, pair.b).for_each(|to| contents[to].contacts.push(i));
        }
        contents
    }

    /// Stores walls and grains in an order that leaves out those that go, takes in those that come and those that are new, and
    /// rebuilds the lists. `everywhere` is the number of grains in all processes.
    fn take_in(
        &mut self,
        before: &Before,
        mut come: Vec<Parcel<D>>,
        new: NewGrains<D>,
        [is_changed, walls_too]: [bool; 2],
        everywhere: usize,
    ) {
        let Before { order, roles, .. } = before;
        let mut arrived: Vec<SentGrain<D>> = Vec::new();
        come.iter_mut().for_each(|parcel| arrived.append(&mut parcel.grains));
        let mut ways: Vec<f64> =
            order.iter().map(|&old| self.wall_pairs.displacement.of[old as usize]).collect();
        ways.extend(arrived.iter().map(|(.., [_, way])| way));

        let Bodies { records, states, .. } = &mut self.bodies;
        *records = order.iter().map(|&old| records[old as usize]).collect();
        *states = order.iter().map(|&old| states[old as usize]).collect();
        records.extend(arrived.iter().map(|(record, ..)| record));
        states.extend(arrived.iter().map(|(_, state, _)| state));
        records.extend(new.iter().map(|(record, _)| record));
        states.extend(new.iter().map(|(_, state)| state));
        self.bodies.owners = self.bodies.records.len();
        self.bodies.elsewhere.grains = everywhere - self.bodies.grains().len();
        if is_changed {
            self.find_sizes_elsewhere();
        }
        self.bodies.loaded_walls.clear();
        self.bodies.sum_velocities();
        let cutoff = self.make_ghosts();

        let come = self.unpacked(come);
        let new_slot = self.new_slots(order, &before.ids);
        // Pairs whose grains have all gone are known where these are now.
        let is_own = |slot: u32| slot as usize >= self.bodies.walls && !self.bodies.is_elsewhere(slot);
        let has_own = |pair: &BodyPair| is_own(pair.a) || is_own(pair.b);
        let renamed = |pair: BodyPair| rename(&self.bodies, roles, &new_slot, pair).filter(has_own);
        let count = self.bodies.records.len();
        // New grains have not moved, and copies do not meet walls.
        ways.resize(count, 0.0);
        self.bodies.travel_along(None, &mut ways);
        let [of_grains, of_walls] = [0, 1].map(|which| {
            come.iter().flat_map(|parcel| parcel.lists[which].iter().copied()).collect::<Vec<_>>()
        });
        self.grain_pairs.renumber(renamed, count, &of_grains);
        if walls_too {
            self.wall_pairs.renumber(renamed, count, &of_walls);
        } else {
            self.wall_pairs.carry(renamed, ways, &of_walls);
        }
        self.contacts.rename(renamed);
        for parcel in come {
            self.contacts.append(&parcel.batches, parcel.general, &self.bodies);
        }
        self.list_grains_within(cutoff);
        if walls_too {
            self.list_walls();
        }
    }

    /// Grains have come into the world, or gone: all processes tell each other the sizes of theirs.
    fn find_sizes_elsewhere(&mut self) {
        let Some(domain) = &self.remote else { return };
        self.bodies.elsewhere = Elsewhere { grains: self.bodies.elsewhere.grains, ..Elsewhere::default() };
        let Elsewhere { smallest, largest, widest, grains } =
            Elsewhere::of(&self.bodies, self.bodies.elsewhere.grains);
        let all = domain.gather(&(smallest, largest, widest));
        let none = Elsewhere { grains, ..Elsewhere::default() };
        self.bodies.elsewhere = all.into_iter().fold(none, |all, (smallest, largest, widest)| Elsewhere {
            smallest: all.smallest.min(smallest),
            largest: all.largest.max(largest),
            widest: all.widest.max(widest),
            grains,
        });
    }

    /// Where the walls, grains and copies are now that had these ids, by their slots so far; walls and grains that have stayed are in
    /// this order.
    fn new_slots(&self, order: &[u32], before: &[u32]) -> Vec<Option<u32>> {
        let mut new_slot = vec![None; before.len()];
        order.iter().zip(0..).for_each(|(&old, new)| new_slot[old as usize] = Some(new));
        let arrived = order.len()..self.bodies.owners;
        let places: HashMap<u32, u32> =
            arrived.map(|slot| (self.bodies.states[slot].id, slot as u32)).collect();
        for (slot, id) in new_slot.iter_mut().zip(before).filter(|(slot, _)| slot.is_none()) {
            *slot = places.get(id).copied().or_else(|| self.bodies.copy_with_id(*id));
        }
        new_slot
    }

    /// Parcels with slots for names.
    pub(super) fn unpacked(&self, come: Vec<Parcel<D>>) -> Vec<Parcel<D>> {
        if come.is_empty() {
            return come;
        }
        let Bodies { states, walls, wholes, .. } = &self.bodies;
        let slots: HashMap<u32, u32> = (*walls..*wholes).map(|slot| (states[slot].id, slot as u32)).collect();
        let ghost = |name: &Name| name.ghost(|id| slots.get(&id).copied());
        let pair = |a, b| slots_of(&self.bodies, a, b);
        come.into_iter().map(|parcel| parcel.unpacked(ghost, pair)).collect()
    }
}

/// Slots of the ghosts whose grains are here, in the order in which they were, and what they stand for now. `first` is the slot of the
/// first ghost.
fn ghosts_of_those(roles: &[Ghost], first: usize, new_slot: &[Option<u32>]) -> (Vec<u32>, Vec<Ghost>) {
    let ghost =
        |(slot, role): (u32, &Ghost)| Some((slot, Ghost { owner: new_slot[role.owner as usize]?, ..*role }));
    (first as u32..).zip(roles).filter_map(ghost).unzip()
}

/// The own grains that each process has copies of, in the order of their ids, by the slots that they get.
fn sent_to<D: Dimension>(
    near: &[(u32, u32, usize)],
    bodies: &Bodies<D>,
    new_slot: &[Option<u32>],
    processes: usize,
) -> Vec<Vec<u32>> {
    let mut sent: Vec<(usize, u32, u32)> =
        near.iter().map(|&(own, _, to)| (to, bodies.states[own as usize].id, own)).collect();
    sent.sort_unstable();
    sent.dedup();
    let mut lists = vec![Vec::new(); processes];
    for (to, _, own) in sent {
        lists[to].extend(new_slot[own as usize]);
    }
    lists
}
