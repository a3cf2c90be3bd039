//! Contacts with surfaces that are not convex: which of their features there are, and which contacts each of them owns.

use std::fmt::Debug;

use glam::{DQuat, DVec3};
use gritstone_contact::{NarrowPhase, Placed, Verdict};
use gritstone_core::{Contact, Dim, Plane, Pose, Space};
use gritstone_shape::space::{Solid, Triangle};

use super::{Approach, Clearance, FacetFilter, MeshFeature, Ownership, Surface, of_mesh};

/// What grains meet of a mesh in a dimension. There are no meshes where nothing is implemented.
pub trait MeshContacts: NarrowPhase {
    /// Which contacts with a feature of a surface are its own.
    type FacetFilter: Clone + Debug + Send + Sync;

    /// The features of a surface for grains up to a size.
    fn features(_: &Surface, _: f64) -> Vec<MeshFeature<Self>> {
        Vec::new()
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

    /// Whether a grain of this shape may lie flat on a feature.
    fn lies_flat(_: &Self::FacetFilter, _: &Self::Shape) -> bool {
        true
    }

    /// What a feature that is no convex body finds of a grain: its deepest contact. None where the general method finds it.
    fn meet(
        _: &Self::FacetFilter,
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &mut Self::Scratch,
    ) -> Option<Verdict<Self>> {
        None
    }

    /// The points of the contact that [`Self::meet`] has just found, if it has several, or one that is no point of a curved surface.
    fn points(
        _: &Self::FacetFilter,
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Self::Scratch,
        _: &mut Vec<FeaturePoint<Self>>,
    ) {
    }

    /// How far a feature moves where it turns, at unit distance from its origin.
    fn turned(_: &Self::FacetFilter, before: Self::Rotation, after: Self::Rotation) -> f64 {
        Self::chord(before, after)
    }
}

/// One of several points at which a grain touches a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeaturePoint<D: Dim> {
    /// One for contacts; minus one for what two of them have in common.
    pub(crate) sign: f64,
    /// How deep the grain is there (m).
    pub(crate) depth: f64,
    /// Where the force acts.
    pub(crate) point: D::Vec,
    /// Unit vector into the surface.
    pub(crate) normal: D::Vec,
    /// What the grain has there.
    pub(crate) kind: PointKind<D>,
}

/// What a grain has at a point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointKind<D: Dim> {
    /// A curved surface, with its relative curvature.
    Curved(D::Curvature),
    /// A corner or a rim, which has a share of the stiffness of a face of this area (m²).
    Corner {
        /// Area of the face.
        area: f64,
        /// The share.
        share: f64,
    },
}

impl MeshContacts for Plane {
    type FacetFilter = ();
}

impl MeshContacts for Space {
    type FacetFilter = FacetFilter;

    fn features(surface: &Surface, largest: f64) -> Vec<MeshFeature<Self>> {
        match surface {
            Surface::Mesh(mesh) => of_mesh(mesh, largest),
            Surface::Smooth(surface) => surface.features(),
        }
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

    fn lies_flat(filter: &FacetFilter, grain: &Solid) -> bool {
        // What is round touches an edge at a point.
        match filter {
            FacetFilter::Facet(_) | FacetFilter::Annulus(_) => true,
            FacetFilter::Edge(_) | FacetFilter::Corner(_) => grain.has_faces(),
            // Bands give all points of a contact.
            FacetFilter::Band(_) => false,
        }
    }

    fn meet(
        filter: &FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        scratch: &mut Self::Scratch,
    ) -> Option<Verdict<Self>> {
        match filter {
            FacetFilter::Band(band) => Some(band.meet(grain, pose, scratch)),
            _ => None,
        }
    }

    fn points(
        filter: &FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        scratch: &Self::Scratch,
        points: &mut Vec<FeaturePoint<Self>>,
    ) {
        if let FacetFilter::Band(band) = filter {
            points.extend(scratch.extrema.iter().map(|extremum| FeaturePoint {
                sign: extremum.sign,
                depth: extremum.depth,
                point: pose.to_world(extremum.point - extremum.direction * (0.5 * extremum.depth)),
                normal: pose.rotation * extremum.direction,
                kind: band.kind(extremum, grain, pose),
            }));
        }
    }

    fn turned(filter: &FacetFilter, before: DQuat, after: DQuat) -> f64 {
        match filter {
            // What is round about an axis stays where it is when it turns about that.
            FacetFilter::Band(_) | FacetFilter::Annulus(_) => (after * DVec3::Z - before * DVec3::Z).length(),
            _ => Self::chord(before, after),
        }
    }
}
