//! Bodies as features of surfaces: which contacts they own, and where they are.

use std::ops::Range;

use gritstone_contact::Placed;
use gritstone_core::{Contact, Pose};

use super::{Bodies, CHUNK, Record, State};
use crate::boundary::surface::{Approach, Clearance, MeshWall, Ownership, WallMotion, approach};
use crate::broad_phase::Displacement;
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;

impl<D: Dimension> Bodies<D> {
    /// Whether a contact of a grain with another body counts: a feature of a mesh only has the contacts that it owns.
    #[inline]
    pub(crate) fn admits(
        &self,
        BodyPair { a, b }: BodyPair,
        contact: &Contact<D>,
        approach: &Approach<D>,
        scratch: &mut D::Scratch,
    ) -> Ownership {
        let Some(feature) = self.features.get(b) else { return Ownership::Yes };
        let pose = self.records[b as usize].pose();
        let own = feature.admits(self.placed(a), &pose, contact, approach, scratch);
        // Facets that act as a whole have one energy, whichever feature represents them: no contact is dropped while any facet is in the grain.
        let is_met = own != Ownership::Yes && contact.gap < 0.0 && self.has_facets_inside(BodyPair { a, b });
        if is_met { Ownership::Yes } else { own }
    }

    /// Whether a grain interacts with the facets of a surface as a whole, and some of them are inside it.
    pub(crate) fn has_facets_inside(&self, BodyPair { a, b }: BodyPair) -> bool {
        let grain = self.placed(a);
        D::meets_facets(grain.shape)
            && self
                .features
                .facets(b)
                .is_some_and(|(wall, facets)| D::has_facets_inside(facets, &self.records[wall].pose(), grain))
    }

    /// How far a grain and a feature of a mesh may move before the feature can own a contact; none for other bodies.
    #[inline]
    pub(crate) fn clearance(
        &self,
        BodyPair { a, b }: BodyPair,
        contacts: &ContactTable<D>,
    ) -> Option<Clearance<D>> {
        let feature = self.features.get(b)?;
        let approach = approach(self, contacts, BodyPair { a, b }, D::Vec::default());
        Some(feature.clearance(self.placed(a), &self.feature_pose(b), &approach))
    }

    /// Where a feature of a surface is: its record is carried with the wall only while it is near a grain.
    #[inline]
    fn feature_pose(&self, slot: u32) -> Pose<D> {
        let wall = self.records[self.states[slot as usize].id as usize].pose();
        Pose { position: wall.to_world(self.features.origin(slot as usize)), ..wall }
    }

    /// The body that a grain lies flat on at a contact with another body: a feature of a surface may end next to the grain.
    #[inline]
    pub(crate) fn ground(&self, a: u32, b: u32, contact: &Contact<D>) -> Placed<'_, D> {
        let feature = self.features.get(b);
        let ground = feature
            .and_then(|feature| feature.ground(self.placed(a), &self.records[b as usize].pose(), contact));
        ground.unwrap_or_else(|| self.placed(b))
    }

    /// The bodies whose overlap counts: the two themselves, or the convex body behind a feature of a surface; none where there is no such body.
    #[inline]
    pub(crate) fn overlapping(
        &self,
        BodyPair { a, b }: BodyPair,
        contact: &Contact<D>,
    ) -> Option<[Placed<'_, D>; 2]> {
        let [of_a, of_b] = self.placed_pair(BodyPair { a, b });
        let Some(feature) = self.features.get(b) else { return Some([of_a, of_b]) };
        let own = (of_b, &self.records[b as usize].pose());
        Some([of_a, feature.overlapped(own, of_a, contact)?])
    }

    /// Whether a grain with flat faces interacts with all facets of a surface as a whole at its feature b.
    #[inline]
    pub(crate) fn meets_facets(&self, BodyPair { a, b }: BodyPair) -> bool {
        self.features.is_feature(b)
            && D::meets_facets(self.placed(a).shape)
            && self.features.facets(b).is_some()
    }

    /// Whether a grain may lie flat on another body.
    #[inline]
    pub(crate) fn lies_flat(&self, a: u32, b: u32) -> bool {
        self.features.get(b).is_none_or(|feature| feature.lies_flat(self.placed(a).shape))
    }

    /// Puts the features of a wall that are in the list of near pairs where the wall is. All of them have the displacement of the wall,
    /// to which is added what is beyond its ball. Features of a wall that stands still are where they were.
    pub(crate) fn carry_features(&mut self, wall: usize, displacement: Option<&mut Displacement<D>>) {
        let Record { position, rotation, velocity, spin, .. } = self.records[wall];
        let Some(surface) = self.features.surface_of(wall) else { return };
        let motion = WallMotion { position, rotation, velocity, spin };
        let Some(before) = self.features.set_motion(surface, motion) else { return };
        let MeshWall { reach, slots, .. } = &self.features.surfaces[surface];
        if let Some(displacement) = displacement {
            displacement.has_features_moved = true;
            let chord = before.map_or(0.0, |before| D::chord(before.rotation, rotation));
            displacement.of[wall] += chord * reach;
            let way = displacement.of[wall];
            displacement.of[slots.clone()].fill(way);
        }
        self.features.listed(surface).into_iter().for_each(|slot| self.place_feature(slot as usize));
    }

    /// Puts a feature where its wall is.
    fn place_feature(&mut self, slot: usize) {
        let wall = self.records[self.states[slot].id as usize];
        let position = wall.pose().to_world(self.features.origin(slot));
        let body = &mut self.records[slot];
        (body.position, body.rotation) = (position, wall.rotation);
        (body.velocity, body.spin) = (wall.velocity_at(position), wall.spin);
    }

    /// The list of walls has these second bodies: features among them are put where their walls are, others are forgotten.
    pub(crate) fn list_features(&mut self, near: impl Iterator<Item = u32>) {
        if self.features.count() > 0 {
            self.features.set_listed(near);
            (0..self.features.surfaces.len())
                .flat_map(|surface| self.features.listed(surface))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|slot| self.place_feature(slot as usize));
        }
    }

    /// Puts all features where their walls are.
    pub(crate) fn place_features(&mut self) {
        for surface in 0..self.features.surfaces.len() {
            let Record { position, rotation, velocity, spin, .. } =
                self.records[self.features.surfaces[surface].wall];
            self.features.set_motion(surface, WallMotion { position, rotation, velocity, spin });
        }
        self.features.slots().for_each(|slot| self.place_feature(slot));
    }

    /// Puts back what was saved: walls, then all that stands behind the features, and the features that contacts have acted on.
    pub(crate) fn put_back(
        &mut self,
        [walls, others]: [Vec<Record<D>>; 2],
        [walls_states, others_states]: [Vec<State<D>>; 2],
        features: Vec<(u32, State<D>)>,
    ) {
        self.records.truncate(self.walls);
        self.states.truncate(self.walls);
        self.records[..walls.len()].copy_from_slice(&walls);
        self.states[..walls_states.len()].copy_from_slice(&walls_states);
        features.into_iter().for_each(|(slot, state)| self.states[slot as usize] = state);
        self.records.extend(others);
        self.states.extend(others_states);
        self.loaded_walls.clear();
        self.place_features();
    }

    /// Force of the grains on a wall, and their torque about its origin.
    pub(crate) fn wall_load(&self, wall: usize) -> (D::Vec, D::Spin) {
        let State { mut force, mut torque, .. } = self.states[wall];
        for slot in self.loaded_features(wall) {
            let lever = self.records[slot].position - self.records[wall].position;
            force += self.states[slot].force;
            torque += self.states[slot].torque + D::moment(lever, self.states[slot].force);
        }
        (force, torque)
    }

    /// Slots of the features of a wall that forces may act on.
    fn loaded_features(&self, wall: usize) -> impl Iterator<Item = usize> {
        let Range { start, end } = self.features.of(wall);
        let chunks = start / CHUNK..end.div_ceil(CHUNK).max(start / CHUNK);
        let is_loaded = |chunk: &usize| self.loaded_walls.get(*chunk).is_none_or(|loaded| *loaded);
        chunks
            .filter(is_loaded)
            .flat_map(move |chunk| (chunk * CHUNK).max(start)..(chunk * CHUNK + CHUNK).min(end))
    }
}
