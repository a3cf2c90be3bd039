//! Ghosts: parts of compounds, and images of bodies near a side of a periodic cell.
//!
//! **Idea.** Walls, grains and copies of grains of other processes are stored first, ghosts after them: first all parts, then all
//! images. A copy has ghosts like any grain. Contacts and lists
//! take a ghost for a body like any other. Its pose and velocity are those of its owner, moved to the part's place and
//! shifted to the image's; forces on it are added to its owner's. Images are made again at every rebuild of the lists, and have only
//! half of the possible shifts, so that each pair across a side is there once.

use std::ops::Range;

use gritstone_core::{ExactSum, Linear as _, Pose};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bodies::{Bodies, CHUNK, Record, ShapeRecord, State};
use crate::dimension::Dimension;
use crate::periodic::cell::{PeriodicCell, Shift};
use crate::setup::Setup;

/// No part: the whole grain.
const WHOLE: u32 = u32::MAX;

/// Owner of a ghost, and its place relative to that. Grains own themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ghost {
    /// Slot of the grain.
    pub(crate) owner: u32,
    /// Which part of it, if it has parts.
    pub(crate) part: u32,
    /// Which image of it.
    pub(crate) shift: Shift,
}

impl Ghost {
    /// The grain in this slot itself.
    pub(crate) fn whole(slot: u32) -> Self {
        Self { owner: slot, part: WHOLE, shift: [0; 3] }
    }

    /// Whether it is an image.
    pub(crate) fn is_image(&self) -> bool {
        self.shift != [0; 3]
    }

    /// Whether it is a part of a compound, or an image of one.
    pub(crate) fn is_part(&self) -> bool {
        self.part != WHOLE
    }

    /// Whether its owner is one of these, and its part one of so many.
    pub(crate) fn is_known(&self, grains: Range<usize>, parts: usize) -> bool {
        grains.contains(&(self.owner as usize)) && (self.part == WHOLE || (self.part as usize) < parts)
    }
}

/// A part of a compound.
#[derive(Clone, Debug)]
pub(crate) struct CompoundPart<D: Dimension> {
    /// Index of its shape.
    pub(crate) shape: u32,
    /// Where it is in the compound's frame.
    pub(crate) pose: Pose<D>,
}

/// All ghosts, in order of their slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ghosts {
    pub(crate) list: Vec<Ghost>,
    /// Where the ghosts of each wall, grain or copy start in `of_owner`, by slot; empty without ghosts.
    starts: Vec<u32>,
    of_owner: Vec<u32>,
}

impl Ghosts {
    /// Sorts the ghosts by owner, in the order of their slots.
    pub(crate) fn sort_by_owner(&mut self, wholes: usize) {
        self.starts.clear();
        self.of_owner.clear();
        if self.list.is_empty() {
            return;
        }
        self.starts.resize(wholes + 1, 0);
        for ghost in &self.list {
            self.starts[ghost.owner as usize + 1] += 1;
        }
        for slot in 0..wholes {
            self.starts[slot + 1] += self.starts[slot];
        }
        let mut next = self.starts.clone();
        self.of_owner.resize(self.list.len(), 0);
        for (i, ghost) in self.list.iter().enumerate() {
            let place = &mut next[ghost.owner as usize];
            self.of_owner[*place as usize] = i as u32;
            *place += 1;
        }
    }

    /// The ghosts of a grain, by their place in the list.
    pub(crate) fn of(&self, owner: usize) -> &[u32] {
        match self.starts.get(owner..owner + 2) {
            Some(&[start, end]) => &self.of_owner[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Puts compounds into the places that shapes keep for them, adds the shapes of their parts, and returns the parts.
pub(crate) fn add_compounds<D: Dimension>(
    setup: &Setup<D>,
    shapes: &mut Vec<ShapeRecord<D>>,
) -> Vec<CompoundPart<D>> {
    let mut parts = Vec::new();
    for (&index, compound) in &setup.compounds {
        let start = parts.len() as u32;
        for part in compound.parts() {
            parts.push(CompoundPart { shape: shapes.len() as u32, pose: part.pose });
            shapes.push(ShapeRecord::crowned(&part.shape, setup.rules.crown));
        }
        shapes[index as usize] = ShapeRecord::of_compound(compound, start..parts.len() as u32);
    }
    parts
}

impl<D: Dimension> Bodies<D> {
    /// Slots of the grains themselves.
    pub(crate) fn grains(&self) -> Range<usize> {
        self.walls..self.owners
    }

    /// Whether a body has contacts of its own: those of compounds are their parts'.
    #[inline]
    pub(crate) fn is_touchable(&self, slot: usize) -> bool {
        self.shapes[self.records[slot].shape as usize].parts.is_empty()
    }

    /// Slots of parts begin where grains and copies end; slots of images begin behind them.
    #[inline]
    pub(crate) fn is_image(&self, slot: u32) -> bool {
        slot as usize >= self.images
    }

    /// Whether it is a grain of another process, or a ghost of one.
    #[inline]
    pub(crate) fn is_elsewhere(&self, slot: u32) -> bool {
        self.owners < self.wholes && self.role(slot).owner as usize >= self.owners
    }

    /// The copy of the grain with this id, if it is here. Copies are in the order of their ids.
    pub(crate) fn copy_with_id(&self, id: u32) -> Option<u32> {
        let copies = &self.states[self.owners..self.wholes];
        let place = copies.binary_search_by_key(&id, |state| state.id);
        place.ok().map(|i| (self.owners + i) as u32)
    }

    /// What a body is a ghost of.
    pub(crate) fn role(&self, slot: u32) -> Ghost {
        match (slot as usize).checked_sub(self.wholes) {
            None => Ghost::whole(slot),
            Some(i) => self.ghosts.list[i],
        }
    }

    /// Where the body with this role is stored, if it is.
    pub(crate) fn slot_of(&self, role: Ghost) -> Option<u32> {
        if role.part == WHOLE && role.shift == [0; 3] {
            return Some(role.owner);
        }
        let same = |&&i: &&u32| self.ghosts.list[i as usize] == role;
        self.ghosts.of(role.owner as usize).iter().find(same).map(|i| i + self.wholes as u32)
    }

    /// Takes the last bodies for these ghosts.
    pub(crate) fn set_followers(&mut self, list: Vec<Ghost>) {
        self.owners = self.records.len() - list.len();
        self.wholes = self.owners;
        self.set_ghosts(list);
    }

    /// Takes the bodies behind grains and copies for these ghosts.
    pub(crate) fn set_ghosts(&mut self, list: Vec<Ghost>) {
        self.images = self.wholes + list.iter().filter(|ghost| !ghost.is_image()).count();
        self.ghosts.list = list;
        self.ghosts.sort_by_owner(self.wholes);
    }

    /// Removes all ghosts and copies.
    pub(crate) fn dismiss(&mut self) {
        self.records.truncate(self.owners);
        self.states.truncate(self.owners);
        (self.wholes, self.images) = (self.owners, self.owners);
        self.ghosts.list.clear();
        self.ghosts.sort_by_owner(self.wholes);
    }

    /// Makes the parts of all compounds. There are no ghosts before.
    pub(crate) fn make_parts(&mut self) {
        for owner in self.walls..self.wholes {
            for part in self.shapes[self.records[owner].shape as usize].parts.clone() {
                self.follow_as(Ghost { owner: owner as u32, part, shift: [0; 3] });
            }
        }
        self.images = self.records.len();
        self.ghosts.sort_by_owner(self.wholes);
    }

    /// Makes the images of all that may meet something across a side within `cutoff`. There are parts but no images before.
    pub(crate) fn make_images(&mut self, cells: &PeriodicCell<D>, cutoff: f64) {
        self.update_ghosts(Some(cells));
        let beyond = self.beyond() + cutoff;
        for slot in self.walls..self.images {
            if self.is_touchable(slot) {
                let (role, position) = (self.role(slot as u32), self.records[slot].position);
                for shift in cells.images(position, self.size(slot) + beyond) {
                    self.follow_as(Ghost { owner: role.owner, part: role.part, shift });
                }
            }
        }
        self.ghosts.sort_by_owner(self.wholes);
    }

    /// Makes these images, whose parts are there, in this order.
    pub(crate) fn add_images(&mut self, images: impl Iterator<Item = Ghost>) {
        images.for_each(|image| self.follow_as(image));
        self.ghosts.sort_by_owner(self.wholes);
    }

    /// How far a grain whose centre is in the cell may reach out of it.
    pub(crate) fn beyond(&self) -> f64 {
        self.grains().map(|slot| self.size(slot)).fold(self.elsewhere.widest, f64::max)
    }

    fn follow_as(&mut self, ghost: Ghost) {
        let owner = ghost.owner as usize;
        let shape = if ghost.part == WHOLE {
            self.records[owner].shape
        } else {
            self.parts[ghost.part as usize].shape
        };
        let radius = gritstone_force::radius::of_volume::<D>(self.shapes[shape as usize].volume);
        self.records.push(Record { shape, radius, ..self.records[owner] });
        self.states.push(State::still(self.states[owner].id));
        self.ghosts.list.push(ghost);
    }

    /// Puts ghosts where their owners are now, with their velocities.
    pub(crate) fn update_ghosts(&mut self, cells: Option<&PeriodicCell<D>>) {
        let Self { wholes, records, ghosts, parts, .. } = self;
        let (owners, records) = records.split_at_mut(*wholes);
        records.par_chunks_mut(CHUNK).zip(ghosts.list.par_chunks(CHUNK)).for_each(|(records, list)| {
            for (body, ghost) in records.iter_mut().zip(list) {
                let owner = &owners[ghost.owner as usize];
                (body.position, body.rotation) = (owner.position, owner.rotation);
                (body.velocity, body.spin) = (owner.velocity, owner.spin);
                body.mass = owner.mass;
                if ghost.part != WHOLE {
                    let pose = &parts[ghost.part as usize].pose;
                    let lever = D::rotate(owner.rotation, pose.position);
                    body.position += lever;
                    body.rotation = D::compose(owner.rotation, pose.rotation);
                    body.velocity += D::sweep(owner.spin, lever);
                }
                if let Some(cells) = cells
                    && ghost.is_image()
                {
                    body.position += cells.way(ghost.shift);
                    body.velocity += cells.jump(ghost.shift);
                }
            }
        });
    }

    /// Ghosts have the displacement of their owners, images that of their sides as well.
    pub(crate) fn travel_along(&self, cells: Option<&PeriodicCell<D>>, displacement: &mut [f64]) {
        let (owners, displacement) = displacement.split_at_mut(self.wholes);
        for (displacement, ghost) in displacement.iter_mut().zip(&self.ghosts.list) {
            let slide = cells.map_or(0.0, |cells| cells.slide(ghost.shift));
            *displacement = owners[ghost.owner as usize] + slide;
        }
    }

    /// Adds the forces on ghosts to those on their owners, in an order that does not depend on slots. Returns the power of
    /// moving sides against these forces.
    pub(crate) fn add_ghosts_to_owners(&mut self, cells: Option<&PeriodicCell<D>>) -> ExactSum {
        if self.ghosts.list.is_empty() { ExactSum::default() } else { self.add_to_owners(cells) }
    }

    fn add_to_owners(&mut self, cells: Option<&PeriodicCell<D>>) -> ExactSum {
        let Self { owners: own, wholes, records, states, ghosts, parts, .. } = self;
        let (owners, pushed) = states.split_at_mut(*wholes);
        let pushed = &*pushed;
        owners[..*own].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, owners)| {
            for (i, owner) in owners.iter_mut().enumerate() {
                let slot = chunk * CHUNK + i;
                for &i in ghosts.of(slot) {
                    let (state, part) = (&pushed[i as usize], ghosts.list[i as usize].part);
                    owner.force += state.force;
                    owner.torque += state.torque;
                    owner.dissipated += state.dissipated_last;
                    owner.dissipated_last += state.dissipated_last;
                    if part != WHOLE {
                        let lever = D::rotate(records[slot].rotation, parts[part as usize].pose.position);
                        owner.torque += D::moment(lever, state.force);
                    }
                }
            }
        });
        let Some(cells) = cells else { return ExactSum::default() };
        let is_own_image = |ghost: &Ghost| ghost.is_image() && (ghost.owner as usize) < *own;
        let images = ghosts.list.iter().zip(pushed).filter(|(ghost, _)| is_own_image(ghost));
        images.map(|(ghost, state)| -state.force.dot(cells.jump(ghost.shift))).collect()
    }
}
