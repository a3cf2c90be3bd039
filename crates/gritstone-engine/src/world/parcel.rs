//! Grains with all that the next step needs of them, as they go from one process to another.
//!
//! Bodies are named by their ids, parts and images, for slots mean nothing elsewhere. Contacts go with their full state, and candidate pairs with their
//! directions and with what remains of their gaps: wherever a grain goes on, it does so with the same bits.

use serde::{Deserialize, Serialize};

use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Record, State};
use crate::broad_phase::{ListedPair, NeighbourList};
use crate::contacts::BodyPair;
use crate::contacts::batch::ContactBatch as _;
use crate::contacts::general::GeneralContacts;
use crate::dimension::Dimension;
use crate::periodic::cell::Shift;
use crate::world::World;

/// A pair that has no place here.
const NOWHERE: BodyPair = BodyPair { a: u32::MAX, b: u32::MAX };

/// What a body is called in all processes: walls have the same slots everywhere. Images of a grain are in the order in which a cell
/// makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Name {
    Wall(u32),
    /// Id of the grain, part as [`Ghost`] has it, and shift, last axis first.
    Grain(u32, u32, Shift),
}

impl Name {
    /// Of a body that stands for this.
    pub(crate) fn of<D: Dimension>(bodies: &Bodies<D>, Ghost { owner, part, shift }: Ghost) -> Self {
        let [x, y, z] = shift;
        match (owner as usize) < bodies.walls {
            true => Self::Wall(owner),
            false => Self::Grain(bodies.states[owner as usize].id, part, [z, y, x]),
        }
    }

    /// What it stands for, if its grain has a slot.
    pub(crate) fn ghost(&self, slot: impl Fn(u32) -> Option<u32>) -> Option<Ghost> {
        match *self {
            Self::Wall(slot) => Some(Ghost::whole(slot)),
            Self::Grain(id, part, [z, y, x]) => Some(Ghost { owner: slot(id)?, part, shift: [x, y, z] }),
        }
    }
}

/// A grain: its record and its state, and its displacements since the lists of grains and of walls were built.
pub(crate) type SentGrain<D> = (Record<D>, State<D>, [f64; 2]);

/// What goes to another process. Pairs name bodies by their places in `names`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Parcel<D: Dimension> {
    pub(crate) grains: Vec<SentGrain<D>>,
    names: Vec<Name>,
    pub(crate) lists: [Vec<ListedPair<D>>; 2],
    pub(crate) batches: D::ContactBatch,
    pub(crate) general: GeneralContacts<D>,
}

/// What a parcel is to hold: slots of grains, pairs of both lists and contacts by their numbers in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) grains: Vec<u32>,
    pub(crate) lists: [Vec<u32>; 2],
    pub(crate) contacts: Vec<usize>,
}

impl Contents {
    pub(crate) fn is_empty(&self) -> bool {
        self.grains.is_empty() && self.contacts.is_empty() && self.lists.iter().all(Vec::is_empty)
    }
}

/// When pairs of a list are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// As the list has it: displacements go on.
    Listed,
    /// After what remains of their gaps: displacements start anew.
    Remaining,
}

/// Gives bodies places among the names of a parcel.
struct Names<'w, D: Dimension> {
    bodies: &'w Bodies<D>,
    /// What every body stands for, by slot.
    roles: &'w [Ghost],
    /// By slot; [`UNNAMED`] for those that have none yet.
    places: Vec<u32>,
    list: Vec<Name>,
}

const UNNAMED: u32 = u32::MAX;

impl<'w, D: Dimension> Names<'w, D> {
    fn new(bodies: &'w Bodies<D>, roles: &'w [Ghost]) -> Self {
        Self { bodies, roles, places: vec![UNNAMED; bodies.records.len()], list: Vec::new() }
    }

    fn place(&mut self, slot: u32) -> u32 {
        let place = &mut self.places[slot as usize];
        if *place == UNNAMED {
            *place = self.list.len() as u32;
            self.list.push(Name::of(self.bodies, self.roles[slot as usize]));
        }
        *place
    }
}

impl<D: Dimension> World<D> {
    /// Packs copies of these things; `roles` says what every body stands for.
    pub(crate) fn pack(&self, contents: &Contents, due: [Due; 2], roles: &[Ghost]) -> Parcel<D> {
        let mut names = Names::new(&self.bodies, roles);
        let ways = [&self.grain_pairs.displacement.of, &self.wall_pairs.displacement.of];
        let grain = |&slot: &u32| {
            let slot = slot as usize;
            (self.bodies.records[slot], self.bodies.states[slot], ways.map(|way| way[slot]))
        };
        let [grain_pairs, wall_pairs] = &contents.lists;
        let lists = [
            listed(&self.grain_pairs, grain_pairs, due[0], &mut names),
            listed(&self.wall_pairs, wall_pairs, due[1], &mut names),
        ];
        let (mut batches, mut general) = self.contacts.copies(&contents.contacts);
        for pair in batches.pairs_mut().chain(&mut general.pairs) {
            *pair = BodyPair { a: names.place(pair.a), b: names.place(pair.b) };
        }
        Parcel {
            grains: contents.grains.iter().map(grain).collect(),
            names: names.list,
            lists,
            batches,
            general,
        }
    }
}

/// Some pairs of a list, with the places of their bodies.
fn listed<D: Dimension>(
    list: &NeighbourList<D>,
    wanted: &[u32],
    due: Due,
    names: &mut Names<'_, D>,
) -> Vec<ListedPair<D>> {
    let pair = |&i: &u32| {
        let (mut pair, direction) = (list.pairs[i as usize], list.directions[i as usize]);
        if due == Due::Remaining && pair.due_at < f64::INFINITY {
            pair.due_at -= list.travelled(&pair);
        }
        (pair.a, pair.b) = (names.place(pair.a), names.place(pair.b));
        (pair, direction)
    };
    wanted.iter().map(pair).collect()
}

impl<D: Dimension> Parcel<D> {
    /// Puts slots for names: `ghost` says what a name stands for, and `slots` where two such bodies are. Pairs with bodies that are
    /// not here are left out.
    pub(crate) fn unpacked(
        mut self,
        ghost: impl Fn(&Name) -> Option<Ghost>,
        slots: impl Fn(Ghost, Ghost) -> Option<BodyPair>,
    ) -> Self {
        let ghosts: Vec<Option<Ghost>> = self.names.iter().map(ghost).collect();
        let here = |a: u32, b: u32| slots(ghosts[a as usize]?, ghosts[b as usize]?);
        for list in &mut self.lists {
            list.retain_mut(|(pair, _)| {
                let slots = here(pair.a, pair.b);
                slots.map(|slots| (pair.a, pair.b) = (slots.a, slots.b)).is_some()
            });
        }
        for pair in self.batches.pairs_mut().chain(&mut self.general.pairs) {
            *pair = here(pair.a, pair.b).unwrap_or(NOWHERE);
        }
        self.batches.forget(|pair| *pair == NOWHERE);
        for i in
            (0..self.general.len()).rev().filter(|&i| self.general.pairs[i] == NOWHERE).collect::<Vec<_>>()
        {
            self.general.swap_remove(i);
        }
        self
    }
}
