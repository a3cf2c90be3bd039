//! Flat contacts: patches over which pressure is integrated, and crowned shapes.

use glam::{DVec2, DVec3};
use gritstone_contact::{NarrowPhase, Placed, plane, space};
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Plane, Space};
use gritstone_force::{PatchMoments, PatchSums, Touch, patch};
use gritstone_shape::Support as _;
use gritstone_shape::plane::{self as figures, Figure};
use gritstone_shape::space::{Crowned, Polyhedron, Solid};

use crate::bodies::kinematics::Kinematics;

/// Smallest ratio of the radii of curvature of a body for which the direction of the larger one is asked.
const NARROWEST: f64 = 1e-13;

/// Sides of the prism that bodies with faces meet instead of a wall that is a cylinder: it is lower by 0.12 % of the radius at most.
const FACETS: u32 = 64;

/// Patches of flat contacts in a dimension. They are measured in every step where nothing else is implemented.
pub trait FlatContacts: NarrowPhase + Kinematics {
    /// Workspace for the patch of a contact.
    type Patch: Default + Send;

    /// The patch of a contact whose surfaces may be flat there, with weight zero where they are not. `touch` is at the midpoint.
    fn measure_patch(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut Self::Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self>;

    /// The shape with a crown of at most this height, and the height that it has, for flat or rod-like smooth shapes.
    fn crowned(_: &Self::Shape, _: f64) -> Option<(Self::Shape, f64)> {
        None
    }

    /// What bodies with faces meet instead of a wall of this shape, whose own flat faces are to stay flat: a body with faces inside it.
    fn faceted(_: &Self::Shape) -> Option<Self::Shape> {
        None
    }

    /// The axes about which two bodies rock on each other across this normal, the one of the larger radius of curvature first. In the
    /// plane there is one; the other is zero.
    fn rocking_axes(bodies: [Placed<'_, Self>; 2], normal: Self::Vec) -> [Self::Spin; 2];
}

impl FlatContacts for Plane {
    type Patch = plane::Patch;

    fn measure_patch(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut plane::Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self> {
        patch.fill(a, b, contact);
        if patch.weight == 0.0 {
            return PatchSums::default();
        }
        let point = contact.midpoint();
        let lever = |corner: plane::patch::Corner| (corner.position - point, corner.depth);
        let points =
            patch.pieces().iter().flat_map(|feature| patch::segment(feature.map(lever), contact.normal));
        PatchSums::over(touch, patch.length, patch.weight, points)
    }

    fn crowned(shape: &Figure, crown: f64) -> Option<(Figure, f64)> {
        let crowned = figures::Crowned::of(shape, crown)?;
        Some((crowned.into(), crowned.crown()))
    }

    fn rocking_axes(_: [Placed<'_, Self>; 2], _: DVec2) -> [f64; 2] {
        [1.0, 0.0]
    }
}

impl FlatContacts for Space {
    type Patch = space::Patch;

    #[inline]
    fn measure_patch(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut space::Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self> {
        patch.measure(a, b, contact);
        if patch.weight == 0.0 {
            return PatchSums::default();
        }
        PatchSums::from_moments(touch, patch.weight, &integrals(patch))
    }

    fn crowned(shape: &Solid, crown: f64) -> Option<(Solid, f64)> {
        let crowned = Crowned::of(shape, crown)?;
        let crown = crowned.crown();
        Some((crowned.into(), crown))
    }

    fn faceted(shape: &Solid) -> Option<Solid> {
        let Solid::Cylinder(cylinder) = shape else { return None };
        let rim = |k: u32| {
            let (sin, cos) = libm::sincos((f64::from(k) + 0.5) * (std::f64::consts::TAU / f64::from(FACETS)));
            DVec3::new(cos, sin, 0.0) * cylinder.radius()
        };
        let corners: Vec<_> = (0..FACETS)
            .flat_map(|k| [-1.0, 1.0].map(|side| rim(k) + DVec3::Z * (side * cylinder.half_height())))
            .collect();
        Polyhedron::hull(&corners).ok().map(|(prism, _)| prism.into())
    }

    fn rocking_axes([a, b]: [Placed<'_, Self>; 2], normal: DVec3) -> [DVec3; 2] {
        let plane = Tangent::across(normal);
        let bend = |body: Placed<'_, Self>, outward: DVec3| {
            if body.shape.polytope().is_some()
                || matches!(body.shape, Solid::HalfSpace(_) | Solid::Triangle(_))
            {
                return Sym2::default();
            }
            let frame = body.pose.frame();
            let radii = plane.restrict(&body.shape.jet(frame.transpose() * outward).hessian, &frame);
            // The inverse of a symmetric matrix is its cofactors over its determinant, which is lost in rounding at a ridge.
            let determinant = radii.determinant().max(NARROWEST * radii.trace() * radii.trace());
            Sym2 { xx: radii.yy, yy: radii.xx, xy: -radii.xy } * determinant.recip()
        };
        let (_, flattest) = (bend(a, normal) + bend(b, -normal)).eigen();
        [plane.lift(flattest.perp()), plane.lift(flattest)]
    }
}

/// The integrals over a patch as laws take them: levers in the world.
#[inline]
pub(crate) fn integrals(patch: &space::Patch) -> PatchMoments {
    let found = patch.moments();
    PatchMoments {
        area: found.area,
        volume: found.volume,
        square: found.square,
        lever: found.lift(found.lever),
        deep_lever: found.lift(found.deep_lever),
        deep_square: found.deep_square,
        axes: [found.axes[0], found.axes[1]],
        second: found.second,
    }
}
