//! Contacts with surfaces that are not convex: which of their features there are, and which contacts each of them owns.

use std::fmt::Debug;

use glam::DVec3;
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::{Contact, Plane, Pose, Space};
use gritstone_shape::space::{Solid, Triangle};

use super::{
    Approach, Clearance, FacetFilter, FacetSet, FacetWork, MeshFeature, Ownership, Surface, of_mesh,
};

/// What grains meet of a mesh in a dimension. There are no meshes where nothing is implemented.
pub trait MeshContacts: NarrowPhase {
    /// Which contacts with a feature of a surface are its own.
    type FacetFilter: Clone + Debug + Send + Sync;
    /// Facets that grains with flat faces meet as a whole.
    type FacetSet: Clone + Debug + Send + Sync;

    /// The features of a surface for grains up to a size.
    fn features(_: &Surface, _: f64) -> Vec<MeshFeature<Self>> {
        Vec::new()
    }

    /// The facets of a surface with bumps as wide as grains of this size; none of another one.
    fn facet_set(_: &Surface, _: f64) -> Option<Self::FacetSet> {
        None
    }

    /// Whether grains of this shape meet such facets as a whole.
    fn meets_facets(_: &Self::Shape) -> bool {
        false
    }

    /// Whether any facet of a surface at this pose is in a grain.
    fn has_facets_inside(_: &Self::FacetSet, _: &Pose<Self>, _: Placed<'_, Self>) -> bool {
        false
    }

    /// Adds what of the facets of a surface at this pose is in a grain; positions are from the point that is given.
    fn integrate_facets(
        _: &Self::FacetSet,
        _: &Pose<Self>,
        _: Placed<'_, Self>,
        _: Self::Vec,
        _: &mut FacetWork,
    ) {
    }

    /// The convex tiles without thickness of which a surface at this pose consists in a box, in its own frame.
    fn tiles(_: &Surface, _: &Pose<Self>, _: [Self::Vec; 2]) -> Vec<(Self::Shape, Pose<Self>)> {
        Vec::new()
    }

    /// Whether a feature at this pose owns a contact with a grain.
    fn admits(
        _: &Self::FacetFilter,
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Contact<Self>,
        _: &Approach<Self>,
        _: &mut Self::Scratch,
    ) -> Ownership {
        Ownership::Yes
    }

    /// A lower bound of the displacement after which a feature at this pose can own a contact with a grain.
    fn clearance(
        _: &Self::FacetFilter,
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Approach<Self>,
    ) -> Clearance<Self> {
        Clearance { budget: 0.0, direction: Self::Vec::default() }
    }

    /// A contact with a feature as laws see it.
    fn smooth(
        _: &Self::FacetFilter,
        _: Placed<'_, Self>,
        contact: Contact<Self>,
        _: &mut Self::Scratch,
    ) -> Contact<Self> {
        contact
    }

    /// The body that a grain lies flat on, where that is not the feature itself.
    fn ground<'g>(
        _: &'g Self::FacetFilter,
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        None
    }

    /// What a grain with flat faces overlaps with at a contact with a feature at this place; none where a sheet ends.
    fn overlapped<'g>(
        _: &'g Self::FacetFilter,
        own: Placed<'g, Self>,
        _: Placed<'_, Self>,
        _: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        Some(own)
    }

    /// Whether a grain of this shape may lie flat on a feature.
    fn lies_flat(_: &Self::FacetFilter, _: &Self::Shape) -> bool {
        true
    }
}

impl MeshContacts for Plane {
    type FacetFilter = ();
    type FacetSet = ();
}

impl MeshContacts for Space {
    type FacetFilter = FacetFilter;
    type FacetSet = FacetSet;

    fn features(surface: &Surface, largest: f64) -> Vec<MeshFeature<Self>> {
        match surface {
            Surface::Mesh(mesh) => of_mesh(mesh, largest),
        }
    }

    fn facet_set(surface: &Surface, largest: f64) -> Option<FacetSet> {
        FacetSet::of(surface.mesh(), largest)
    }

    fn meets_facets(shape: &Solid) -> bool {
        matches!(shape, Solid::Polyhedron(_))
    }

    fn has_facets_inside(facets: &FacetSet, place: &Pose<Self>, grain: Placed<'_, Self>) -> bool {
        facets.any_inside(place, grain)
    }

    fn integrate_facets(
        facets: &FacetSet,
        place: &Pose<Self>,
        grain: Placed<'_, Self>,
        origin: DVec3,
        work: &mut FacetWork,
    ) {
        facets.integrate(place, grain, origin, work);
    }

    fn tiles(surface: &Surface, pose: &Pose<Self>, [low, high]: [DVec3; 2]) -> Vec<(Solid, Pose<Self>)> {
        let mesh = surface.mesh();
        let tile = |triangle: &[u32; 3]| {
            let corners = triangle.map(|corner| mesh.points()[corner as usize]);
            let [a, b, c] = corners.map(|corner| pose.to_world(corner));
            if a.max(b).max(c).cmplt(low).any() || a.min(b).min(c).cmpgt(high).any() {
                return None;
            }
            Triangle::new(corners).map(|(tile, centre)| (tile.into(), Pose::at(centre))).ok()
        };
        mesh.triangles().iter().filter_map(tile).collect()
    }

    fn admits(
        filter: &FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        contact: &Contact<Self>,
        approach: &Approach<Self>,
        scratch: &mut Self::Scratch,
    ) -> Ownership {
        filter.admits(grain, pose, contact, approach, scratch)
    }

    fn clearance(
        filter: &FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        approach: &Approach<Self>,
    ) -> Clearance<Self> {
        filter.clearance(grain, pose, approach)
    }

    fn smooth(
        filter: &FacetFilter,
        grain: Placed<'_, Self>,
        contact: Contact<Self>,
        scratch: &mut Self::Scratch,
    ) -> Contact<Self> {
        filter.smooth(grain, contact, scratch)
    }

    fn ground<'g>(
        filter: &'g FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        contact: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        filter.ground(grain, pose, contact)
    }

    fn overlapped<'g>(
        filter: &'g FacetFilter,
        own: Placed<'g, Self>,
        grain: Placed<'_, Self>,
        contact: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        filter.overlapped(own, grain, contact)
    }

    fn lies_flat(filter: &FacetFilter, grain: &Solid) -> bool {
        // What is round touches an edge at a point.
        matches!(filter, FacetFilter::Facet(_)) || grain.has_faces()
    }
}
