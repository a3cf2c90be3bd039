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
mod local_body;
mod mesh;
mod mesh_contacts;
mod repair;
mod revolved;
mod winding;

use std::ops::Range;
use std::sync::Arc;

use gritstone_core::{Dim, Linear as _, Pose, Vector as _};
use gritstone_force::History;

pub use mesh::{MeshError, Sides, TriangleMesh};
pub use mesh_contacts::MeshContacts;
pub use revolved::revolved;

pub(crate) use approach::{Approach, approach, is_held_from_behind};
pub(crate) use box_tree::Tree;
pub(crate) use clearance::Clearance;
pub use facet_filter::{FacetFilter, Ownership};
pub use facet_set::{FacetSet, FacetWork};
pub(crate) use features::of_mesh;
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
pub struct MeshFeature<D: MeshContacts> {
    /// The shape.
    pub(crate) shape: D::Shape,
    /// Where it is in the wall's frame.
    pub(crate) place: Pose<D>,
    /// Which contacts are its own.
    pub(crate) filter: D::FacetFilter,
    /// How far from its origin grains may touch it: how fast what they touch moves when it turns.
    pub(crate) reach: f64,
    /// A box that holds what it touches grains with, in the wall's frame.
    pub(crate) low: D::Vec,
    /// Its other corner.
    pub(crate) high: D::Vec,
}

/// All features of all walls.
#[derive(Clone, Debug)]
pub(crate) struct MeshFeatures<D: Dimension> {
    /// How many walls there are beside the features: slot of the first feature.
    pub(crate) first: usize,
    pub(crate) list: Vec<MeshFeature<D>>,
    /// The surfaces: wall, slots of its features, and how to find those near a grain.
    pub(crate) surfaces: Vec<MeshWall<D>>,
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
    /// What grains with flat faces meet as a whole, where bumps are as wide as grains.
    pub(crate) facets: Option<D::FacetSet>,
    /// The wall's motion for which its features were placed.
    pub(crate) carried: Option<WallMotion<D>>,
}

impl<D: Dimension> MeshFeatures<D> {
    /// None, behind so many walls.
    pub(crate) fn none(walls: usize) -> Self {
        Self { first: walls, list: Vec::new(), surfaces: Vec::new() }
    }

    /// Adds the features of a wall, for grains up to a size.
    pub(crate) fn add(&mut self, wall: usize, surface: &Surface, largest: f64) {
        let mut features = D::features(surface, largest);
        for feature in &mut features {
            let far = |corner: D::Vec| (corner - feature.place.position).length();
            // What is in the list of near pairs is nearer than this.
            feature.reach = far(feature.low).max(far(feature.high)).max(feature.reach) + 4.0 * largest;
        }
        let start = self.first + self.list.len();
        let tree = Tree::new(&features.iter().map(|feature| [feature.low, feature.high]).collect::<Vec<_>>());
        let (slots, facets) = (start..start + features.len(), D::facet_set(surface, largest));
        self.surfaces.push(MeshWall { wall, slots, tree, facets, carried: None });
        self.list.extend(features);
    }

    /// The feature in a slot; none for other bodies.
    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<&MeshFeature<D>> {
        self.list.get((slot as usize).wrapping_sub(self.first))
    }

    /// The facets of the surface that a feature in this slot belongs to, with the slot of the wall, where grains meet them as a whole.
    #[inline]
    pub(crate) fn facets(&self, slot: u32) -> Option<(usize, &D::FacetSet)> {
        let slot = slot as usize;
        let surface = self.surfaces.iter().find(|surface| surface.slots.contains(&slot))?;
        Some((surface.wall, surface.facets.as_ref()?))
    }

    /// The wall of each feature.
    pub(crate) fn walls(&self) -> impl Iterator<Item = usize> {
        self.surfaces.iter().flat_map(|surface| surface.slots.clone().map(|_| surface.wall))
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

/// Cosine of the largest angle between two features of a surface over which springs are handed.
const BESIDE: f64 = 0.5;

/// A grain that goes on from one feature of a surface to the next keeps its springs: what the contact held is added to that
/// of the feature beside it that the grain touches, if there is one. `others` are the contacts of the grain.
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
        alive && bodies.features.get(pair.b).is_some() && bodies.states[pair.b as usize].id == wall
    };
    let alike = |i: &usize| contacts.geometries[*i].normal.dot(normal);
    let next = others.filter(beside).max_by(|i, k| alike(i).total_cmp(&alike(k)));
    if let Some(next) = next.filter(|next| alike(next) > BESIDE) {
        let History { slip, roll, twist, anchor, .. } = contacts.histories[from];
        let history = &mut contacts.histories[next];
        if !history.touching() {
            history.anchor = anchor;
        }
        history.slip += slip;
        history.roll += roll;
        history.twist += twist;
    }
}
