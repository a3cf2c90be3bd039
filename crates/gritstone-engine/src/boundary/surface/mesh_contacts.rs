//! Contacts with surfaces that are not convex: which of their features there are, and which contacts each of them owns.

use std::fmt::Debug;
use std::sync::Arc;

use glam::DVec3;
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::{Contact, Plane, Pose, Space};
use gritstone_shape::space::{Polyhedron, Solid, Triangle};

use super::features::{FeatureBody, Features, Kind};
use super::{Approach, Clearance, FacetSet, FacetWork, Ownership, Surface};

/// The features of a surface in a dimension: parts that touch grains as convex shapes do. There are none where nothing is implemented.
pub trait FeatureSet<D: NarrowPhase>: Clone + Debug + Send + Sync {
    /// What is made of a feature that a grain comes close to: its body, and which contacts it owns.
    type Body: Clone + Debug + Send + Sync;

    /// Of a surface for grains up to a size.
    fn of(surface: &Surface, largest: f64) -> Self;

    /// The shape that stands for all features that are no half-spaces.
    fn stand_in() -> Option<D::Shape> {
        None
    }

    /// How many there are.
    fn count(&self) -> usize {
        0
    }

    /// A box that holds what a feature touches grains with, in the frame of the surface.
    fn bounds(&self, _: usize) -> [D::Vec; 2] {
        Default::default()
    }

    /// The origin of a feature's frame in that of the surface; both are turned alike.
    fn origin(&self, _: usize) -> D::Vec {
        D::Vec::default()
    }

    /// The half-space that a feature is, if it is one.
    fn half_space(&self, _: usize) -> Option<D::Shape> {
        None
    }

    /// Makes the body of a feature; none where it is too thin to have one.
    fn make(&self, _: usize) -> Option<Self::Body> {
        None
    }

    /// The shape of a body, and where its centre is in the frame of the feature; none for a half-space.
    fn shape(_: &Self::Body) -> Option<(&D::Shape, D::Vec)> {
        None
    }

    /// Whether a feature at this pose owns a contact with a grain.
    fn admits(
        _: &Self::Body,
        _: Placed<'_, D>,
        _: &Pose<D>,
        _: &Contact<D>,
        _: &Approach<D>,
        _: &mut D::Scratch,
    ) -> Ownership {
        Ownership::Yes
    }

    /// A lower bound of the displacement after which a feature at this pose can own a contact with a grain.
    fn clearance(&self, _: usize, _: Placed<'_, D>, _: &Pose<D>, _: &Approach<D>) -> Clearance<D> {
        Clearance { budget: 0.0, direction: D::Vec::default() }
    }

    /// A contact with a feature as laws see it.
    fn smooth(_: &Self::Body, _: Placed<'_, D>, contact: Contact<D>, _: &mut D::Scratch) -> Contact<D> {
        contact
    }

    /// The body that a grain lies flat on, where that is not the feature itself.
    fn ground<'g>(_: &'g Self::Body, _: Placed<'_, D>, _: &Pose<D>, _: &Contact<D>) -> Option<Placed<'g, D>> {
        None
    }

    /// What a grain with flat faces overlaps with at a contact with a feature at this pose, whose own body is given; none where a sheet
    /// ends.
    fn overlapped<'g>(
        &self,
        _: usize,
        _: &'g Self::Body,
        (own, _): (Placed<'g, D>, &Pose<D>),
        _: Placed<'_, D>,
        _: &Contact<D>,
    ) -> Option<Placed<'g, D>> {
        Some(own)
    }

    /// Whether a grain of this shape may lie flat on a feature.
    fn lies_flat(&self, _: usize, _: &D::Shape) -> bool {
        true
    }
}

/// What grains meet of a mesh in a dimension. There are no meshes where nothing is implemented.
pub trait MeshContacts: NarrowPhase {
    /// The features of a surface.
    type Features: FeatureSet<Self>;
    /// Facets that grains with flat faces meet as a whole.
    type FacetSet: Clone + Debug + Send + Sync;

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
}

impl FeatureSet<Plane> for () {
    type Body = ();

    fn of(_: &Surface, _: f64) -> Self {}
}

impl MeshContacts for Plane {
    type Features = ();
    type FacetSet = ();
}

impl MeshContacts for Space {
    type Features = Arc<Features>;
    type FacetSet = FacetSet;

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
}

impl FeatureSet<Space> for Arc<Features> {
    type Body = FeatureBody;

    fn of(surface: &Surface, largest: f64) -> Self {
        match surface {
            Surface::Mesh(mesh) => Self::new(Features::new(mesh, largest)),
        }
    }

    fn stand_in() -> Option<Solid> {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        Polyhedron::hull(&corners).ok().map(|(shape, _)| shape.into())
    }

    fn count(&self) -> usize {
        Features::count(self)
    }

    fn bounds(&self, number: usize) -> [DVec3; 2] {
        Features::bounds(self, number)
    }

    fn origin(&self, number: usize) -> DVec3 {
        Features::origin(self, number)
    }

    fn half_space(&self, number: usize) -> Option<Solid> {
        Features::half_space(self, number)
    }

    fn make(&self, number: usize) -> Option<FeatureBody> {
        Features::make(self, number)
    }

    fn shape(body: &FeatureBody) -> Option<(&Solid, DVec3)> {
        body.shape.as_ref().map(|shape| (shape, body.centre))
    }

    fn admits(
        body: &FeatureBody,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
        approach: &Approach<Space>,
        scratch: &mut <Space as NarrowPhase>::Scratch,
    ) -> Ownership {
        body.filter.admits(grain, pose, contact, approach, scratch)
    }

    fn clearance(
        &self,
        number: usize,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        approach: &Approach<Space>,
    ) -> Clearance<Space> {
        Features::clearance(self, number, grain, pose, approach)
    }

    fn smooth(
        body: &FeatureBody,
        grain: Placed<'_, Space>,
        contact: Contact<Space>,
        scratch: &mut <Space as NarrowPhase>::Scratch,
    ) -> Contact<Space> {
        body.filter.smooth(grain, contact, scratch)
    }

    fn ground<'g>(
        body: &'g FeatureBody,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
    ) -> Option<Placed<'g, Space>> {
        body.filter.ground(grain, pose, contact)
    }

    fn overlapped<'g>(
        &self,
        number: usize,
        body: &'g FeatureBody,
        own: (Placed<'g, Space>, &Pose<Space>),
        grain: Placed<'_, Space>,
        contact: &Contact<Space>,
    ) -> Option<Placed<'g, Space>> {
        body.filter.overlapped(own, grain, contact, || Features::ground(self, number))
    }

    fn lies_flat(&self, number: usize, grain: &Solid) -> bool {
        // What is round touches an edge at a point.
        matches!(self.kind(number), Kind::Facet(_)) || grain.has_faces()
    }
}
