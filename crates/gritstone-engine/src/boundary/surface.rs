//! Surfaces that are not convex: they become features, each a convex shape with a filter that says which contacts are its own.
//!
//! A feature is a wall body of its own: contacts, memories and histories belong to it. MeshFeatures of a surface stand behind all
//! walls among the bodies; forces on them are forces on their wall.

mod approach;
mod box_tree;
mod clearance;
mod clip_box;
mod facet_filter;
mod facet_set;
mod facets;
mod features;
mod grouped;
mod local_body;
mod mesh;
mod mesh_contacts;
mod repair;
mod revolved;
mod winding;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use gritstone_contact::Placed;
use gritstone_core::{Contact, Dim, Linear as _, Pose};
use gritstone_force::History;

pub use mesh::{MeshError, Sides, TriangleMesh};
pub use mesh_contacts::{FeatureSet, MeshContacts};
pub use revolved::revolved;

pub(crate) use approach::{Approach, approach, is_held_from_behind};
pub(crate) use box_tree::Tree;
pub(crate) use clearance::Clearance;
pub use facet_filter::Ownership;
pub use facet_set::{FacetSet, FacetWork};
use winding::WindingTree;

use crate::bodies::Bodies;
use crate::contacts::BodyPair;
use crate::contacts::general::GeneralContacts;
use crate::dimension::Dimension;

/// A surface that is not convex.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// Of triangles.
    Mesh(Arc<TriangleMesh>),
}

impl Surface {
    /// The mesh that it is, or looks like.
    pub fn mesh(&self) -> &TriangleMesh {
        match self {
            Self::Mesh(mesh) => mesh,
        }
    }

    /// What tells on which side of it a point is.
    pub(crate) fn sides(&self) -> SurfaceSides {
        let mesh = self.mesh();
        let is_body = mesh.signed_volume() > 0.0;
        let tree = (!mesh.is_sheet()).then(|| WindingTree::new(&mesh.points, &mesh.triangles));
        SurfaceSides { tree, is_body }
    }
}

/// On which sides of a surface grains may be.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceSides {
    /// None for a sheet, which has grains on both sides.
    tree: Option<WindingTree>,
    /// Whether the surface encloses a body, or grains.
    is_body: bool,
}

impl SurfaceSides {
    /// Whether a point of the surface's own frame is where grains may be: outside of the body that the surface encloses, or inside
    /// of the container that it is; anywhere at a sheet.
    pub(crate) fn is_free(&self, x: [f64; 3]) -> bool {
        let Some(tree) = &self.tree else { return true };
        // Half a turn is the surface itself.
        tree.winding(x.into()) < if self.is_body { 0.5 } else { -0.5 }
    }
}

/// A part of a surface that touches grains as a convex shape does.
#[derive(Clone, Debug)]
pub(crate) struct MeshFeature<D: MeshContacts> {
    /// The origin of its frame, in that of the wall.
    pub(crate) origin: D::Vec,
    /// Which of the surfaces it belongs to.
    surface: u32,
    /// When it was in the list of near pairs last: see [`MeshFeatures::listed`].
    listed: u32,
    /// Made when a grain comes close; none where the feature is too thin to have one.
    body: OnceLock<Option<Box<BodyOf<D>>>>,
}

type BodyOf<D> = <<D as MeshContacts>::Features as FeatureSet<D>>::Body;

/// All features of all walls.
#[derive(Clone, Debug)]
pub(crate) struct MeshFeatures<D: Dimension> {
    /// How many walls there are beside the features: slot of the first feature.
    pub(crate) first: usize,
    list: Vec<MeshFeature<D>>,
    /// The surfaces: wall, slots of its features, and how to find those near a grain.
    pub(crate) surfaces: Vec<MeshWall<D>>,
    /// Slots of the features in the list of near pairs, each once; none where that is not known. Others are neither carried with their
    /// walls nor do they keep their bodies.
    listed: Option<Vec<u32>>,
    /// Number of the current list.
    lists: u32,
}

/// A feature of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature<'f, D: Dimension> {
    set: &'f D::Features,
    number: usize,
    feature: &'f MeshFeature<D>,
}

impl<'f, D: Dimension> Feature<'f, D> {
    /// Its body and filter, which are made now if they are not there.
    fn body(&self) -> Option<&'f BodyOf<D>> {
        self.feature.body.get_or_init(|| self.set.make(self.number).map(Box::new)).as_deref()
    }

    /// Its shape and where that is in the frame of the feature; none for a half-space, and for what is too thin to have one.
    pub(crate) fn shape(&self) -> Option<(&'f D::Shape, D::Vec)> {
        D::Features::shape(self.body()?)
    }

    /// See [`FeatureSet::admits`].
    pub(crate) fn admits(
        &self,
        grain: Placed<'_, D>,
        pose: &Pose<D>,
        contact: &Contact<D>,
        approach: &Approach<D>,
        scratch: &mut D::Scratch,
    ) -> Ownership {
        let own = |body| D::Features::admits(body, grain, pose, contact, approach, scratch);
        self.body().map_or(Ownership::No, own)
    }

    /// See [`FeatureSet::clearance`].
    pub(crate) fn clearance(
        &self,
        grain: Placed<'_, D>,
        pose: &Pose<D>,
        approach: &Approach<D>,
    ) -> Clearance<D> {
        self.set.clearance(self.number, grain, pose, approach)
    }

    /// See [`FeatureSet::smooth`].
    pub(crate) fn smooth(
        &self,
        grain: Placed<'_, D>,
        contact: Contact<D>,
        scratch: &mut D::Scratch,
    ) -> Contact<D> {
        match self.body() {
            Some(body) => D::Features::smooth(body, grain, contact, scratch),
            None => contact,
        }
    }

    /// See [`FeatureSet::ground`].
    pub(crate) fn ground(
        &self,
        grain: Placed<'_, D>,
        pose: &Pose<D>,
        contact: &Contact<D>,
    ) -> Option<Placed<'f, D>> {
        D::Features::ground(self.body()?, grain, pose, contact)
    }

    /// See [`FeatureSet::overlapped`].
    pub(crate) fn overlapped(
        &self,
        own: (Placed<'f, D>, &Pose<D>),
        grain: Placed<'_, D>,
        contact: &Contact<D>,
    ) -> Option<Placed<'f, D>> {
        self.set.overlapped(self.number, self.body()?, own, grain, contact)
    }

    /// See [`FeatureSet::lies_flat`].
    pub(crate) fn lies_flat(&self, shape: &D::Shape) -> bool {
        self.set.lies_flat(self.number, shape)
    }
}

/// Where a wall is, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallMotion<D: Dim> {
    pub(crate) position: D::Vec,
    pub(crate) rotation: D::Rotation,
    pub(crate) velocity: D::Vec,
    pub(crate) spin: D::Spin,
}

/// A wall that is made of features.
#[derive(Clone, Debug)]
pub(crate) struct MeshWall<D: Dimension> {
    pub(crate) wall: usize,
    pub(crate) slots: Range<usize>,
    pub(crate) tree: Tree<D>,
    /// What its features are made from.
    set: D::Features,
    /// How far from a feature grains may touch it: how much farther than the wall itself what they touch moves when it turns.
    pub(crate) reach: f64,
    /// What grains with flat faces meet as a whole, where bumps are as wide as grains.
    pub(crate) facets: Option<D::FacetSet>,
    /// The wall's motion for which its features were placed.
    pub(crate) carried: Option<WallMotion<D>>,
}

impl<D: Dimension> MeshFeatures<D> {
    /// None, behind so many walls.
    pub(crate) fn none(walls: usize) -> Self {
        Self { first: walls, list: Vec::new(), surfaces: Vec::new(), listed: None, lists: 0 }
    }

    /// Adds the features of a wall, for grains up to a size.
    pub(crate) fn add(&mut self, wall: usize, surface: &Surface, largest: f64) {
        let set = D::Features::of(surface, largest);
        let (start, number) = (self.first + self.list.len(), self.surfaces.len() as u32);
        let boxes: Vec<_> = (0..set.count()).map(|number| set.bounds(number)).collect();
        let feature = |number_in_set| MeshFeature {
            origin: set.origin(number_in_set),
            surface: number,
            listed: 0,
            body: OnceLock::new(),
        };
        self.list.extend((0..set.count()).map(feature));
        let (slots, facets) = (start..start + set.count(), D::facet_set(surface, largest));
        let tree = Tree::new(&boxes);
        let reach = TOUCH * largest;
        self.surfaces.push(MeshWall { wall, slots, tree, set, reach, facets, carried: None });
    }

    /// How many features there are.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// Slots of all features.
    pub(crate) fn slots(&self) -> Range<usize> {
        self.first..self.first + self.list.len()
    }

    /// Whether a body is a feature.
    #[inline]
    pub(crate) fn is_feature(&self, slot: u32) -> bool {
        (slot as usize).wrapping_sub(self.first) < self.list.len()
    }

    /// The feature in a slot; none for other bodies.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<Feature<'_, D>> {
        let feature = self.list.get((slot as usize).wrapping_sub(self.first))?;
        let MeshWall { set, slots, .. } = &self.surfaces[feature.surface as usize];
        Some(Feature { set, number: slot as usize - slots.start, feature })
    }

    /// The half-space of each feature that is one.
    pub(crate) fn half_spaces(&self) -> impl Iterator<Item = Option<D::Shape>> {
        self.surfaces.iter().flat_map(|MeshWall { set, .. }| (0..set.count()).map(move |i| set.half_space(i)))
    }

    /// The origin of the frame of a feature in that of its wall.
    pub(crate) fn origin(&self, slot: usize) -> D::Vec {
        self.list[slot - self.first].origin
    }

    /// The features in the list of near pairs are those with these slots, in any order: bodies of others that were in the list before
    /// are dropped.
    pub(crate) fn set_listed(&mut self, near: impl Iterator<Item = u32>) {
        self.lists = self.lists.wrapping_add(1);
        let mut listed = Vec::new();
        for slot in near {
            if let Some(feature) = self.list.get_mut((slot as usize).wrapping_sub(self.first))
                && feature.listed != self.lists
            {
                feature.listed = self.lists;
                listed.push(slot);
            }
        }
        for slot in self.listed.replace(listed).into_iter().flatten() {
            let feature = &mut self.list[slot as usize - self.first];
            if feature.listed != self.lists {
                feature.body.take();
            }
        }
    }

    /// The list of near pairs has changed, and it is not known how.
    pub(crate) fn forget_listed(&mut self) {
        self.listed = None;
    }

    /// Slots of the features of a surface that are in the list of near pairs; of all its features where that is not known.
    pub(crate) fn listed(&self, surface: usize) -> Vec<u32> {
        let Range { start, end } = self.surfaces[surface].slots;
        let slots = start as u32..end as u32;
        match &self.listed {
            Some(listed) => listed.iter().copied().filter(|slot| slots.contains(slot)).collect(),
            None => slots.collect(),
        }
    }

    /// The facets of the surface that a feature in this slot belongs to, with the slot of the wall, where grains meet them as a whole.
    #[inline]
    pub(crate) fn facets(&self, slot: u32) -> Option<(usize, &D::FacetSet)> {
        let feature = self.list.get((slot as usize).wrapping_sub(self.first))?;
        let surface = &self.surfaces[feature.surface as usize];
        Some((surface.wall, surface.facets.as_ref()?))
    }

    /// The wall of each feature.
    pub(crate) fn walls(&self) -> impl Iterator<Item = usize> {
        self.surfaces.iter().flat_map(|surface| surface.slots.clone().map(|_| surface.wall))
    }

    /// Which surface a wall is, if it is one.
    pub(crate) fn surface_of(&self, wall: usize) -> Option<usize> {
        self.surfaces.iter().position(|surface| surface.wall == wall)
    }

    /// A surface has this motion now; its last motion, unless that is the same.
    pub(crate) fn set_motion(
        &mut self,
        surface: usize,
        motion: WallMotion<D>,
    ) -> Option<Option<WallMotion<D>>> {
        let carried = &mut self.surfaces[surface].carried;
        (*carried != Some(motion)).then(|| carried.replace(motion))
    }

    /// The slots of a wall's features.
    pub(crate) fn of(&self, wall: usize) -> Range<usize> {
        let found = self.surfaces.iter().find(|surface| surface.wall == wall);
        found.map_or(0..0, |surface| surface.slots.clone())
    }

    /// Whether a wall is made of features, and touches nothing itself.
    pub(crate) fn has(&self, wall: usize) -> bool {
        self.surfaces.iter().any(|surface| surface.wall == wall)
    }
}

/// How far from a feature grains may touch it, relative to the largest one: what is in the list of near pairs is nearer.
const TOUCH: f64 = 4.0;
/// Cosine of the largest angle between two features of a surface over which springs are handed.
const BESIDE: f64 = 0.5;

/// A grain that goes on from one feature of a surface to the next keeps its springs: what the contact held goes to that of the feature
/// beside it that the grain touches, if there is one and it holds less. `others` are the contacts of the grain.
pub(crate) fn hand_over<D: Dimension>(
    bodies: &Bodies<D>,
    contacts: &mut GeneralContacts<D>,
    from: usize,
    others: impl Iterator<Item = usize>,
) {
    let BodyPair { a, b } = contacts.pairs[from];
    let (wall, normal) = (bodies.states[b as usize].id, contacts.geometries[from].normal);
    let beside = |i: &usize| {
        let pair = contacts.pairs[*i];
        let alive = *i != from && pair.a == a && !contacts.geometries[*i].parted;
        alive && bodies.features.is_feature(pair.b) && bodies.states[pair.b as usize].id == wall
    };
    let alike = |i: &usize| contacts.geometries[*i].normal.dot(normal);
    let next = others.filter(beside).max_by(|i, k| alike(i).total_cmp(&alike(k)));
    if let Some(next) = next.filter(|next| alike(next) > BESIDE) {
        let History { slip, roll, twist, .. } = contacts.histories[from];
        let history = &mut contacts.histories[next];
        // While both touched, both were stretched by the same motion: it counts once.
        let longer = |a: D::Vec, b: D::Vec| if b.dot(b) > a.dot(a) { b } else { a };
        history.slip = longer(history.slip, slip);
        history.roll = longer(history.roll, roll);
        history.twist = if twist.abs() > history.twist.abs() { twist } else { history.twist };
    }
}
