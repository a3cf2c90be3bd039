//! One world of what several processes have, in an order that does not tell who had what: for files, for changes between steps, and
//! for checkpoints of a single process.

use std::sync::Arc;

use gritstone_core::ExactSum;
use serde::{Deserialize, Serialize};

use super::parcel::{Contents, Due, Name, Parcel, SentGrain};
use super::{Ledger, World};
use crate::bodies::State;
use crate::bodies::ghosts::Ghost;
use crate::boundary::tools::ToolState;
use crate::broad_phase::activate::Activator;
use crate::broad_phase::{Finder, NeighbourList};
use crate::contacts::{BodyPair, ContactTable, StepStats};
use crate::dimension::Dimension;
use crate::exchange::{Domain, Single};
use crate::periodic::cell::PeriodicCell;
use crate::workspace::Workspaces;

/// What only the first process knows of a shared world: walls, which it sums the forces on, and tools.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Head<D: Dimension> {
    walls: Vec<State<D>>,
    tools: Vec<ToolState<D>>,
}

/// What a process has of a world.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Piece<D: Dimension> {
    head: Option<Head<D>>,
    ledger: Ledger,
    stats: StepStats,
    /// Momentum that its grains were given by a cell.
    jumps: [ExactSum; 3],
    /// The images of its grains in a cell.
    images: Vec<Name>,
    parcel: Parcel<D>,
}

impl<D: Dimension> World<D> {
    /// What this process has of the world.
    pub(crate) fn piece(&self, domain: &Domain) -> Piece<D> {
        let own = |a: u32| !self.bodies.is_elsewhere(a);
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
        });
        let parcel = self.pack(&contents, [Due::Listed; 2], &self.roles());
        let jumps = self.cells.as_ref().map_or_else(Default::default, |cells| cells.jumps.clone());
        Piece {
            head,
            ledger: self.ledger.clone(),
            stats: self.stats,
            jumps,
            images: self.own_images(),
            parcel,
        }
    }

    /// The same world with everything in the order of ids.
    pub(crate) fn in_order(&self) -> Self {
        let alone = Domain::new(Arc::new(Single));
        self.joined(vec![self.piece(&alone)])
    }

    /// Whether everything is in the order of ids. Ghosts are not: they have poses of the middle of a step.
    pub(crate) fn is_in_order(&self) -> bool {
        let ordered = |pairs: &[BodyPair]| pairs.is_sorted_by_key(|pair| (pair.a, pair.b));
        let listed = |list: &NeighbourList<D>| list.pairs.is_sorted_by_key(|pair| (pair.a, pair.b));
        self.bodies.ghosts.list.is_empty()
            && self.bodies.states[self.bodies.grains()].is_sorted_by_key(|state| state.id)
            && listed(&self.grain_pairs)
            && listed(&self.wall_pairs)
            && self.contacts.lists().all(ordered)
    }

    /// The whole world, on every process.
    #[cfg(test)]
    pub(crate) fn whole(&self, domain: &Domain) -> Self {
        self.joined(domain.gather(&self.piece(domain)))
    }

    /// The world of these pieces, with everything in the order of ids.
    pub(crate) fn joined(&self, pieces: Vec<Piece<D>>) -> Self {
        let mut world = self.without_grains();
        let mut ledger =
            Ledger { lists: self.ledger.lists, next_id: self.ledger.next_id, ..Ledger::default() };
        let (mut parcels, mut images) = (Vec::new(), Vec::new());
        for Piece { head, ledger: part, stats, jumps, images: of_part, parcel } in pieces {
            ledger.add(&part);
            world.stats = world.stats.add(&stats);
            world.cells.iter_mut().for_each(|cells| cells.add_jumps(&jumps));
            images.extend(of_part);
            parcels.push(parcel);
            if let Some(Head { walls, tools }) = head {
                world.bodies.states[..walls.len()].copy_from_slice(&walls);
                world.tools.states = tools;
            }
        }
        world.ledger = ledger;
        world.take_all(parcels, images);
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
            cells: self.cells.clone().map(PeriodicCell::without_jumps),
            remote: None,
            domain: self.domain,
            forces: self.forces.clone(),
            finder: Finder::default(),
            activator: Activator::default(),
            workspaces: Workspaces::default(),
            bodies,
        }
    }

    /// Takes in all grains, pairs and contacts of parcels, in the order of ids, and these images; there were none.
    fn take_all(&mut self, mut parcels: Vec<Parcel<D>>, images: Vec<Name>) {
        let mut grains: Vec<SentGrain<D>> = Vec::new();
        parcels.iter_mut().for_each(|parcel| grains.append(&mut parcel.grains));
        grains.sort_unstable_by_key(|(_, state, _)| state.id);
        let walls = self.bodies.walls;
        self.bodies.records.extend(grains.iter().map(|(record, ..)| record));
        self.bodies.states.extend(grains.iter().map(|(_, state, _)| state));
        self.bodies.owners = self.bodies.records.len();
        self.bodies.wholes = self.bodies.owners;
        self.bodies.sum_velocities();
        self.bodies.make_parts();
        self.make_images(images);
        let count = self.bodies.records.len();
        let parcels = self.unpacked(parcels);
        for (which, list) in [&mut self.grain_pairs, &mut self.wall_pairs].into_iter().enumerate() {
            let mut pairs: Vec<_> =
                parcels.iter().flat_map(|parcel| parcel.lists[which].iter().copied()).collect();
            pairs.sort_unstable_by_key(|(pair, _)| (pair.a, pair.b));
            let ways = list.displacement.of[..walls].iter().copied();
            let mut ways: Vec<f64> = ways.chain(grains.iter().map(|(.., ways)| ways[which])).collect();
            ways.resize(count, 0.0);
            self.bodies.travel_along(self.cells.as_ref().filter(|_| which == 0), &mut ways);
            list.carry(|_| None, ways, &pairs);
        }
        for parcel in parcels {
            self.contacts.append(&parcel.batches, parcel.general, &self.bodies);
        }
        self.contacts.sort_all(&self.bodies);
    }

    /// What every body stands for.
    pub(super) fn roles(&self) -> Vec<Ghost> {
        (0..self.bodies.records.len() as u32).map(|slot| self.bodies.role(slot)).collect()
    }

    /// The images of the own grains in a cell.
    fn own_images(&self) -> Vec<Name> {
        let images = self.bodies.ghosts.list.iter().filter(|ghost| ghost.is_image());
        let own = images.filter(|ghost| (ghost.owner as usize) < self.bodies.owners);
        own.map(|ghost| Name::of(&self.bodies, *ghost)).collect()
    }

    /// Makes these images of grains that are all here, in the order of their names, and puts all ghosts where they belong.
    fn make_images(&mut self, mut images: Vec<Name>) {
        images.sort_unstable();
        let grains = self.bodies.grains();
        let ids = &self.bodies.states[grains.clone()];
        let owner = |id: u32| ids.binary_search_by_key(&id, |state| state.id).ok();
        let ghost = |name: &Name| name.ghost(|id| owner(id).map(|i| (grains.start + i) as u32));
        let images: Vec<Ghost> = images.iter().filter_map(ghost).collect();
        self.bodies.add_images(images.into_iter());
        self.bodies.update_ghosts(self.cells.as_ref());
    }
}

impl Ledger {
    /// Adds what another process has kept.
    fn add(&mut self, other: &Self) {
        self.dissipated.merge(&other.dissipated);
        self.wall_work.merge(&other.wall_work);
        self.external_work.merge(&other.external_work);
        self.taken_out.merge(&other.taken_out);
        self.unresolved += other.unresolved;
        self.left += other.left;
        self.fast = self.fast.and(other.fast);
    }
}
