//! Ghosts: parts of compounds, images of bodies near a side of a periodic cell, copies of grains of other processes.
//!
//! **Idea.** Walls and grains are stored first, ghosts after them: first all parts, then all images. Contacts and lists
//! treat a ghost like any other body. Its pose and velocity are those of its owner, moved to the part's place and
//! shifted to the image's; forces on it are added to its owner's. Images are regenerated at every rebuild of the lists, and only for
//! half of the possible shifts, so that each pair across a side exists once.

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
/// No owner here: a copy of a grain of another process.
const ELSEWHERE: u32 = u32::MAX;

/// Owner of a ghost, and its place relative to that. Grains own themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ghost {
    /// Slot of the grain.
    pub(crate) owner: u32,
    /// Which part of it, if it has parts; the id of a copy.
    pub(crate) part: u32,
    /// Which image of it.
    pub(crate) shift: Shift,
}

impl Ghost {
    /// The copy of a grain with this id of another process.
    pub(crate) fn copy_of(id: u32) -> Self {
        Self { owner: ELSEWHERE, part: id, shift: [0; 3] }
    }

    /// The grain in this slot itself.
    pub(crate) fn whole(slot: u32) -> Self {
        Self { owner: slot, part: WHOLE, shift: [0; 3] }
    }

    /// Whether it is a copy of a grain of another process.
    pub(crate) fn is_copy(&self) -> bool {
        self.owner == ELSEWHERE
    }

    /// Whether it is an image.
    pub(crate) fn is_image(&self) -> bool {
        self.shift != [0; 3]
    }

    /// Whether it is a part of a compound, or an image of one.
    pub(crate) fn is_part(&self) -> bool {
        self.part != WHOLE && !self.is_copy()
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
    /// Where each body's ghosts start in `of_owner`, by slot; empty without ghosts.
    starts: Vec<u32>,
    of_owner: Vec<u32>,
}

impl Ghosts {
    /// Sorts the ghosts by owner, in the order of their slots.
    pub(crate) fn sort_by_owner(&mut self, owners: usize) {
        self.starts.clear();
        self.of_owner.clear();
        if self.list.is_empty() {
            return;
        }
        self.starts.resize(owners + 1, 0);
        for ghost in &self.list {
            self.starts[ghost.owner as usize + 1] += 1;
        }
        for slot in 0..owners {
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

    /// Slots of parts begin where grains end; slots of images begin here.
    #[inline]
    pub(crate) fn is_image(&self, slot: u32) -> bool {
        slot as usize >= self.images
    }

    /// What a body is a ghost of.
    pub(crate) fn role(&self, slot: u32) -> Ghost {
        match (slot as usize).checked_sub(self.owners) {
            None => Ghost::whole(slot),
            Some(i) => self.ghosts.list[i],
        }
    }

    /// Where the body with this role is stored, if it is.
    pub(crate) fn slot_of(&self, role: Ghost) -> Option<u32> {
        if role.is_copy() {
            let copy = self.ghosts.list.binary_search_by_key(&role.part, |ghost| ghost.part);
            return copy.ok().map(|i| (self.owners + i) as u32);
        }
        if role.part == WHOLE && role.shift == [0; 3] {
            return Some(role.owner);
        }
        let same = |&&i: &&u32| self.ghosts.list[i as usize] == role;
        self.ghosts.of(role.owner as usize).iter().find(same).map(|i| i + self.owners as u32)
    }

    /// Declares the last bodies to be these ghosts.
    pub(crate) fn set_ghosts(&mut self, list: Vec<Ghost>) {
        self.owners = self.records.len() - list.len();
        self.images = self.owners + list.iter().filter(|ghost| !ghost.is_image()).count();
        self.ghosts.list = list;
        self.ghosts.sort_by_owner(self.owners);
    }

    /// Removes all ghosts.
    pub(crate) fn remove_ghosts(&mut self) {
        self.records.truncate(self.owners);
        self.states.truncate(self.owners);
        self.images = self.owners;
        self.ghosts.list.clear();
        self.ghosts.sort_by_owner(self.owners);
    }

    /// Makes the parts of all compounds. There are no ghosts before.
    pub(crate) fn make_parts(&mut self) {
        for owner in self.grains() {
            for part in self.shapes[self.records[owner].shape as usize].parts.clone() {
                self.add_ghost(Ghost { owner: owner as u32, part, shift: [0; 3] });
            }
        }
        self.images = self.records.len();
        self.ghosts.sort_by_owner(self.owners);
    }

    /// Makes the images of all bodies that may touch something across a side within `cutoff`. There are parts but no images before.
    pub(crate) fn make_images(&mut self, cells: &PeriodicCell<D>, cutoff: f64) {
        self.update_ghosts(Some(cells));
        let beyond = self.beyond() + cutoff;
        for slot in self.walls..self.images {
            if self.is_touchable(slot) {
                let (role, position) = (self.role(slot as u32), self.records[slot].position);
                for shift in cells.images(position, self.size(slot) + beyond) {
                    self.add_ghost(Ghost { owner: role.owner, part: role.part, shift });
                }
            }
        }
        self.ghosts.sort_by_owner(self.owners);
    }

    /// How far a grain whose centre is in the cell may reach out of it.
    pub(crate) fn beyond(&self) -> f64 {
        self.grains().map(|slot| self.size(slot)).fold(0.0, f64::max)
    }

    fn add_ghost(&mut self, ghost: Ghost) {
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

    /// Gives ghosts the poses and velocities that follow from their owners.
    pub(crate) fn update_ghosts(&mut self, cells: Option<&PeriodicCell<D>>) {
        let Self { owners, records, ghosts, parts, .. } = self;
        let (owners, records) = records.split_at_mut(*owners);
        records.par_chunks_mut(CHUNK).zip(ghosts.list.par_chunks(CHUNK)).for_each(|(records, list)| {
            for (body, ghost) in records.iter_mut().zip(list).filter(|(_, ghost)| !ghost.is_copy()) {
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
    pub(crate) fn add_displacements(&self, cells: Option<&PeriodicCell<D>>, displacement: &mut [f64]) {
        let (owners, displacement) = displacement.split_at_mut(self.owners);
        for (displacement, ghost) in displacement.iter_mut().zip(&self.ghosts.list) {
            let slide = cells.map_or(0.0, |cells| cells.slide(ghost.shift));
            *displacement = owners[ghost.owner as usize] + slide;
        }
    }

    /// Adds the forces on ghosts to those on their owners, in an order that does not depend on slots. Returns the power of
    /// moving sides against these forces.
    pub(crate) fn add_ghosts_to_owners(&mut self, cells: Option<&PeriodicCell<D>>) -> f64 {
        if self.ghosts.list.is_empty() { 0.0 } else { self.add_to_owners(cells).value() }
    }

    fn add_to_owners(&mut self, cells: Option<&PeriodicCell<D>>) -> ExactSum {
        let Self { owners, records, states, ghosts, parts, .. } = self;
        let (owners, pushed) = states.split_at_mut(*owners);
        let pushed = &*pushed;
        owners.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, owners)| {
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
        let images = ghosts.list.iter().zip(pushed).filter(|(ghost, _)| ghost.is_image());
        images.map(|(ghost, state)| -state.force.dot(cells.jump(ghost.shift))).collect()
    }
}
