//! A world that several processes share: each has a part of the grains, and all walls.
//!
//! | call | when | what goes between processes |
//! |---|---|---|
//! | [`World::shared`] | at the start, and after changes between steps | nothing: every process has the whole world and takes its part |
//! | [`World::rebuild_and_trade`] | when lists are rebuilt | grains that have crossed a boundary, with their contacts; copies |
//! | [`World::load_shared_walls`] | when forces are summed | what contacts do to walls |
//! | [`World::whole`] | when somebody wants to know | all grains with their contacts |
//!
//! A pair is known to the processes that have one of its grains. Contacts between two of them are the same on both, to the bit;
//! the process that has the first grain of a pair speaks for it.

use std::collections::HashMap;
use std::sync::Arc;

use gritstone_core::ExactSum;
use serde::{Deserialize, Serialize};

use super::edit::rename;
use super::neighbours::SORT_EVERY;
use super::parcel::{Contents, Due, Name, Parcel, SentGrain};
use super::{Ledger, ServoRow, StepError, World};
use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Elsewhere, State};
use crate::boundary::tools::ToolState;
use crate::broad_phase::activate::Activator;
use crate::broad_phase::{Finder, NeighbourList};
use crate::contacts::batch::ContactBatch;
use crate::contacts::{BodyPair, ContactTable, StepStats};
use crate::dimension::Dimension;
use crate::exchange::{Communicator, Domain, Single};
use crate::setup::{Setup, SetupError, Wall};
use crate::workspace::Workspaces;

/// What only the first process knows of a shared world: walls, which it sums the forces on, and tools.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Head<D: Dimension> {
    walls: Vec<State<D>>,
    tools: Vec<ToolState<D>>,
    wall_work: ExactSum,
}

/// What a process has of a world.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Piece<D: Dimension> {
    head: Option<Head<D>>,
    ledger: Ledger,
    stats: StepStats,
    parcel: Parcel<D>,
}

impl<D: Dimension> World<D> {
    /// The share of this process in the world of a setup: some of its grains, and all walls. All processes have the same setup, and
    /// make the same steps; grains move with the same bits as in one world, whatever process they go to. What a share tells of
    /// itself is told of its own grains, and of all contacts that these have.
    pub fn distributed(setup: &Setup<D>, communicator: Arc<dyn Communicator>) -> Result<Self, SetupError> {
        can_be_shared(setup)?;
        Ok(Self::new(setup)?.shared(Domain::new(communicator)))
    }

    /// The part of this process of a whole world, which all of them have.
    pub(crate) fn shared(mut self, mut domain: Domain) -> Self {
        domain.divide(&self.bodies);
        let (rank, rebuilds) = (domain.rank(), self.ledger.lists[0]);
        let Bodies { walls, owners, .. } = self.bodies;
        let owner: Vec<usize> = (0..owners)
            .map(|slot| {
                let (record, state) = (&self.bodies.records[slot], &self.bodies.states[slot]);
                if slot < walls { rank } else { domain.owner::<D>(record.position, state.id, rebuilds) }
            })
            .collect();
        let near = self.pairs_between(&owner, rank);
        let mut order: Vec<u32> = (0..owners as u32).filter(|&slot| owner[slot as usize] == rank).collect();
        let own = order.len();
        let mut copies: Vec<u32> = near.iter().map(|&(_, other, _)| other).collect();
        copies.sort_unstable_by_key(|&slot| self.bodies.states[slot as usize].id);
        copies.dedup();
        order.extend(&copies);
        let mut new_slot = vec![None; owners];
        order.iter().zip(0..).for_each(|(&old, new)| new_slot[old as usize] = Some(new));

        self.keep_sums_of(rank);
        self.bodies.elsewhere = Elsewhere::of(&self.bodies, owners - own);
        let grain = |slot: u32| (self.bodies.records[slot as usize], self.bodies.states[slot as usize]);
        let (records, states): (Vec<_>, Vec<_>) = order[..own].iter().map(|&slot| grain(slot)).unzip();
        // In the order of ids, on both sides.
        let mut from = vec![0; domain.size()];
        let copied = copies.iter().map(|&slot| {
            let (record, state) = grain(slot);
            let next = &mut from[owner[slot as usize]];
            *next += 1;
            (state.id, record, owner[slot as usize], *next - 1)
        });
        let copied = copied.collect();
        domain.sent = sent_to(&near, &self.bodies, &new_slot, domain.size());
        domain.loaded = (0..walls as u32).filter(|&wall| states[wall as usize].is_loaded()).collect();
        (self.bodies.records, self.bodies.states) = (records, states);
        (self.bodies.owners, self.bodies.images) = (own, own);
        domain.take_copies(&mut self.bodies, copied);
        self.bodies.loaded_walls.clear();
        self.bodies.sum_velocities();

        let is_own = |slot: u32| (walls..own).contains(&(slot as usize));
        let renamed = |pair: BodyPair| {
            let (a, b) = (new_slot[pair.a as usize]?, new_slot[pair.b as usize]?);
            (is_own(a) || is_own(b)).then_some(BodyPair { a, b })
        };
        for list in [&mut self.grain_pairs, &mut self.wall_pairs] {
            let ways = order.iter().map(|&slot| list.displacement.of[slot as usize]).collect();
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
        }
    }

    /// Pairs of an own grain with one of another process: both slots and that process. In any order, and more than once.
    fn pairs_between(&self, owner: &[usize], rank: usize) -> Vec<(u32, u32, usize)> {
        let listed = self.grain_pairs.pairs.iter().map(|pair| BodyPair { a: pair.a, b: pair.b });
        let across = |BodyPair { a, b }: BodyPair| {
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
        let Some(mut domain) = self.remote.take() else { return };
        domain.balance(&self.bodies);
        // One world sorts its grains, and makes the lists of walls anew, at these rebuilds: so do all who share it.
        let walls_too = self.ledger.lists[0].is_multiple_of(SORT_EVERY);
        let due = [Due::Remaining, if walls_too { Due::Remaining } else { Due::Listed }];
        let owner = self.owners_now(&domain);
        let rank = domain.rank();
        let contents = self.contents(&domain, &owner);
        let parcels: Vec<Option<Parcel<D>>> = contents
            .iter()
            .map(|contents| (!contents.is_empty()).then(|| self.pack(contents, due)))
            .collect();
        let come = domain.send(&parcels);
        self.remote = Some(domain);
        let stays = |&slot: &u32| (slot as usize) < self.bodies.walls || owner[slot as usize] == rank;
        let order = self.order_in_space().into_iter().filter(stays).collect::<Vec<_>>();
        self.take_in(&order, come, walls_too);
    }

    /// The process that every body belongs to from now on, by slot.
    fn owners_now(&self, domain: &Domain) -> Vec<usize> {
        let rebuilds = self.ledger.lists[0];
        let Bodies { records, states, walls, .. } = &self.bodies;
        let owner = |slot: usize| {
            if slot < *walls {
                return domain.rank();
            }
            domain.owner::<D>(records[slot].position, states[slot].id, rebuilds)
        };
        (0..records.len()).map(owner).collect()
    }

    /// What is to be sent to each process: its new grains, and what it does not know yet of pairs with its grains.
    fn contents(&self, domain: &Domain, owner: &[usize]) -> Vec<Contents> {
        let (rank, homes) = (domain.rank(), domain.homes());
        let mut contents = vec![Contents::default(); domain.size()];
        for slot in self.bodies.grains().filter(|&slot| owner[slot] != rank) {
            contents[owner[slot]].grains.push(slot as u32);
        }
        let before = |slot: usize| slot.checked_sub(self.bodies.owners).map_or(rank, |copy| homes[copy]);
        // Those who need a pair and have not had it, if this process speaks for it.
        let new_to = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
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

    /// Stores walls and grains in this order, which leaves out those that go, takes in those that come, and rebuilds the lists.
    fn take_in(&mut self, order: &[u32], mut come: Vec<Parcel<D>>, walls_too: bool) {
        let mut arrived: Vec<SentGrain<D>> = Vec::new();
        come.iter_mut().for_each(|parcel| arrived.append(&mut parcel.grains));
        let grains_before = self.bodies.grains().len() + self.bodies.elsewhere.grains;
        let (roles, new_slot) = self.new_roles(order, &arrived);
        let mut ways: Vec<f64> =
            order.iter().map(|&old| self.wall_pairs.displacement.of[old as usize]).collect();
        ways.extend(arrived.iter().map(|(.., [_, way])| way));

        let Bodies { records, states, .. } = &mut self.bodies;
        *records = order.iter().map(|&old| records[old as usize]).collect();
        *states = order.iter().map(|&old| states[old as usize]).collect();
        records.extend(arrived.iter().map(|(record, ..)| record));
        states.extend(arrived.iter().map(|(_, state, _)| state));
        self.bodies.owners = self.bodies.records.len();
        self.bodies.elsewhere.grains = grains_before - self.bodies.grains().len();
        self.bodies.loaded_walls.clear();
        self.bodies.sum_velocities();
        let cutoff = self.make_ghosts();

        let come = self.unpacked(come);
        // Pairs whose grains have all gone are known where these are now.
        let own = self.bodies.grains();
        let has_own = |pair: &BodyPair| own.contains(&(pair.a as usize)) || own.contains(&(pair.b as usize));
        let renamed = |pair: BodyPair| rename(&self.bodies, &roles, &new_slot, pair).filter(has_own);
        let count = self.bodies.records.len();
        ways.resize(count, 0.0);
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

    /// What every slot so far was of, as [`rename`] takes it, and where the grains among these are now; those that have arrived
    /// come last.
    fn new_roles(&self, order: &[u32], arrived: &[SentGrain<D>]) -> (Vec<Ghost>, Vec<Option<u32>>) {
        let Bodies { states, owners, .. } = &self.bodies;
        let mut new_slot = vec![None; *owners];
        order.iter().zip(0..).for_each(|(&old, new)| new_slot[old as usize] = Some(new));
        let places: HashMap<u32, u32> =
            arrived.iter().map(|(_, state, _)| state.id).zip(*owners as u32..).collect();
        let role = |slot: usize| {
            let id = states[slot].id;
            if slot < *owners {
                return if new_slot[slot].is_some() { Ghost::whole(slot as u32) } else { Ghost::copy_of(id) };
            }
            places.get(&id).map_or(Ghost::copy_of(id), |&place| Ghost::whole(place))
        };
        let roles = (0..states.len()).map(role).collect();
        new_slot.extend((0..arrived.len()).map(|k| Some((order.len() + k) as u32)));
        (roles, new_slot)
    }

    /// Parcels with slots for names.
    fn unpacked(&self, come: Vec<Parcel<D>>) -> Vec<Parcel<D>> {
        if come.is_empty() {
            return come;
        }
        let Bodies { states, walls, .. } = &self.bodies;
        let slots: HashMap<u32, u32> =
            (*walls..states.len()).map(|slot| (states[slot].id, slot as u32)).collect();
        let slot = |name| match name {
            Name::Wall(slot) => Some(slot),
            Name::Grain(id) => slots.get(&id).copied(),
        };
        come.into_iter().map(|parcel| parcel.unpacked(slot)).collect()
    }

    /// Sums the forces on walls over all processes, in the order of the grains: on the first of them, and on all where a tool is
    /// moved by forces.
    pub(super) fn load_shared_walls(&mut self) {
        let Some(domain) = &mut self.remote else { return };
        let everyone = self.tools.are_driven();
        let rows: Vec<(u32, u32, <D::ContactBatch as ContactBatch<D>>::WallRow)> = self
            .contacts
            .with_walls(&self.bodies)
            .into_iter()
            .map(|(wall, id, entry)| {
                (wall, id, self.contacts.wall_row(entry, &self.bodies.records[wall as usize]))
            })
            .collect();
        let mut all: Vec<_> =
            domain.gather_at(&rows, |rank| everyone || rank == 0).into_iter().flatten().collect();
        all.sort_unstable_by_key(|(wall, id, _)| (*wall, *id));
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

    /// What servos want to know of the contacts of all processes with walls, in the order of walls and grains.
    pub(super) fn shared_servo_rows(&self) -> Vec<ServoRow> {
        let own: Vec<ServoRow> = (0..self.bodies.walls).flat_map(|wall| self.servo_rows(wall)).collect();
        let Some(domain) = &self.remote else { return own };
        let mut all: Vec<ServoRow> = domain.gather(&own).into_iter().flatten().collect();
        all.sort_unstable_by_key(|(wall, id, _)| (*wall, *id));
        all
    }

    /// What all processes find when they look at their grains: the first error, and whether any grain leaves.
    pub(super) fn agreed(&self, found: Result<bool, StepError>) -> Result<bool, StepError> {
        let Some(domain) = &self.remote else { return found };
        domain.gather(&found).into_iter().try_fold(false, |any, one| Ok(any | one?))
    }

    /// What this process has of the world.
    pub(crate) fn piece(&self, domain: &Domain) -> Piece<D> {
        let own = |a: u32| (a as usize) < self.bodies.owners;
        let listed = |list: &NeighbourList<D>| {
            (0..).zip(&list.pairs).filter(|(_, pair)| own(pair.a)).map(|(i, _)| i).collect()
        };
        let contents = Contents {
            grains: self.bodies.grains().map(|slot| slot as u32).collect(),
            lists: [listed(&self.grain_pairs), listed(&self.wall_pairs)],
            contacts: self
                .contacts
                .pairs()
                .enumerate()
                .filter(|(_, pair)| own(pair.a))
                .map(|(i, _)| i)
                .collect(),
        };
        let head = (domain.rank() == 0).then(|| Head {
            walls: self.bodies.states[..self.bodies.walls].to_vec(),
            tools: self.tools.states.clone(),
            wall_work: self.ledger.wall_work.clone(),
        });
        let parcel = self.pack(&contents, [Due::Listed; 2]);
        Piece { head, ledger: self.ledger.clone(), stats: self.stats, parcel }
    }

    /// The same world with everything in the order of ids.
    pub(crate) fn in_order(&self) -> Self {
        let alone = Domain::new(Arc::new(Single));
        self.joined(vec![self.piece(&alone)])
    }

    /// Whether everything is in the order of ids.
    pub(crate) fn is_in_order(&self) -> bool {
        let ordered = |pairs: &[BodyPair]| pairs.is_sorted_by_key(|pair| (pair.a, pair.b));
        let listed = |list: &NeighbourList<D>| list.pairs.is_sorted_by_key(|pair| (pair.a, pair.b));
        self.bodies.states[self.bodies.grains()].is_sorted_by_key(|state| state.id)
            && listed(&self.grain_pairs)
            && listed(&self.wall_pairs)
            && self.contacts.lists().all(ordered)
    }

    /// The whole world, on every process.
    pub(crate) fn whole(&self, domain: &Domain) -> Self {
        self.joined(domain.gather(&self.piece(domain)))
    }

    /// The world of these pieces, with everything in the order of ids.
    pub(crate) fn joined(&self, pieces: Vec<Piece<D>>) -> Self {
        let mut world = self.without_grains();
        let mut ledger =
            Ledger { lists: self.ledger.lists, next_id: self.ledger.next_id, ..Ledger::default() };
        let mut parcels = Vec::new();
        for Piece { head, ledger: part, stats, parcel } in pieces {
            ledger.add(&part);
            world.stats = world.stats.add(&stats);
            parcels.push(parcel);
            if let Some(Head { walls, tools, wall_work }) = head {
                world.bodies.states[..walls.len()].copy_from_slice(&walls);
                (world.tools.states, ledger.wall_work) = (tools, wall_work);
            }
        }
        world.ledger = ledger;
        world.take_all(parcels);
        world
    }

    /// The same world with walls alone, not shared.
    fn without_grains(&self) -> Self {
        let bodies = self.bodies.walls_alone();
        Self {
            grain_pairs: self.grain_pairs.of_walls(bodies.walls),
            wall_pairs: self.wall_pairs.of_walls(bodies.walls),
            contacts: ContactTable::new(&bodies, &self.laws),
            clock: self.clock,
            ledger: Ledger::default(),
            gravity: self.gravity,
            wall_names: self.wall_names.clone(),
            tools: self.tools.clone(),
            stats: StepStats::default(),
            laws: self.laws.clone(),
            cells: self.cells.clone(),
            remote: None,
            domain: self.domain,
            forces: self.forces.clone(),
            finder: Finder::default(),
            activator: Activator::default(),
            workspaces: Workspaces::default(),
            bodies,
        }
    }

    /// Takes in all grains, pairs and contacts of parcels, in the order of ids; there were none.
    fn take_all(&mut self, mut parcels: Vec<Parcel<D>>) {
        let mut grains: Vec<SentGrain<D>> = Vec::new();
        parcels.iter_mut().for_each(|parcel| grains.append(&mut parcel.grains));
        grains.sort_unstable_by_key(|(_, state, _)| state.id);
        let walls = self.bodies.walls;
        self.bodies.records.extend(grains.iter().map(|(record, ..)| record));
        self.bodies.states.extend(grains.iter().map(|(_, state, _)| state));
        self.bodies.owners = self.bodies.records.len();
        self.bodies.images = self.bodies.owners;
        self.bodies.sum_velocities();
        let parcels = self.unpacked(parcels);
        for (which, list) in [&mut self.grain_pairs, &mut self.wall_pairs].into_iter().enumerate() {
            let mut pairs: Vec<_> =
                parcels.iter().flat_map(|parcel| parcel.lists[which].iter().copied()).collect();
            pairs.sort_unstable_by_key(|(pair, _)| (pair.a, pair.b));
            let ways = list.displacement.of[..walls].iter().copied();
            let ways = ways.chain(grains.iter().map(|(.., ways)| ways[which])).collect();
            list.carry(|_| None, ways, &pairs);
        }
        for parcel in parcels {
            self.contacts.append(&parcel.batches, parcel.general, &self.bodies);
        }
        self.contacts.sort_all(&self.bodies);
    }
}

/// Whether several processes can share the world of a setup; what they cannot is named.
pub(crate) fn can_be_shared<D: Dimension>(setup: &Setup<D>) -> Result<(), SetupError> {
    let moves_along_itself = |wall: &Wall<D>| !wall.surface_motion.is_still();
    let refused = [
        (!setup.compounds.is_empty(), "compounds"),
        (setup.cell.is_some(), "a periodic cell"),
        // The power of such a surface is a sum over contacts, which one process does not have all of.
        (setup.walls.iter().any(moves_along_itself), "a wall whose surface moves along itself"),
    ];
    match refused.into_iter().find(|(there, _)| *there) {
        Some((_, what)) => Err(SetupError::NotShared(what)),
        None => Ok(()),
    }
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

impl Ledger {
    /// Adds what another process has kept, but for the work of walls, which the first one keeps.
    fn add(&mut self, other: &Self) {
        self.dissipated.merge(&other.dissipated);
        self.external_work.merge(&other.external_work);
        self.taken_out.merge(&other.taken_out);
        self.unresolved += other.unresolved;
        self.solves.add(&other.solves);
        self.left += other.left;
    }
}
