//! The plane: one angle, one moment of inertia.

use glam::DVec2;
use gritstone_contact::plane::patch::Corner;
use gritstone_contact::plane::{Auto, Patch};
use gritstone_contact::{Answer, Method, Placed, Query, Refusal};
use gritstone_core::linalg::Sym2;
use gritstone_core::{Contact, Mass, Plane, Pose};
use gritstone_force::{PatchSums, Touch, patch};
use gritstone_shape::plane::Figure;
use gritstone_shape::{Body, Support};

use super::Dimension;
use crate::boundary::surface::{Approach, Clearance, MeshFeature, Ownership, Surface};
use crate::insertion::random::RandomStream;

impl Dimension for Plane {
    type Inertia = f64;
    /// The direction of the last answer.
    type Memory = Option<DVec2>;
    type ContactBatch = ();
    type Patch = Patch;
    type FacetFilter = ();

    fn features(_: &Surface, _: f64) -> Vec<MeshFeature<Self>> {
        Vec::new()
    }

    fn tiles(_: &Surface, _: &Pose<Self>, _: [DVec2; 2]) -> Vec<(Figure, Pose<Self>)> {
        Vec::new()
    }

    fn admits(
        (): &(),
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Contact<Self>,
        _: &Approach<Self>,
        _: &mut Self::Scratch,
    ) -> Ownership {
        Ownership::Yes
    }

    fn clearance((): &(), _: Placed<'_, Self>, _: &Pose<Self>, _: &Approach<Self>) -> Clearance<Self> {
        Clearance { budget: 0.0, direction: DVec2::ZERO }
    }

    fn smooth((): &(), _: Placed<'_, Self>, contact: Contact<Self>, _: &mut Self::Scratch) -> Contact<Self> {
        contact
    }

    fn ground<'g>(
        (): &'g (),
        _: Placed<'_, Self>,
        _: &Pose<Self>,
        _: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        None
    }

    fn overlapped<'g>(
        (): &'g (),
        own: Placed<'g, Self>,
        _: Placed<'_, Self>,
        _: &Contact<Self>,
    ) -> Option<Placed<'g, Self>> {
        Some(own)
    }

    fn lies_flat((): &(), _: &Figure) -> bool {
        true
    }

    fn word(shape: &Figure) -> &'static str {
        shape.word()
    }

    fn mass(shape: &Figure) -> Option<Mass<Self>> {
        let mass = shape.mass();
        (shape.size().is_finite() && mass.volume > 0.0).then_some(mass)
    }

    fn semi_axes(shape: &Figure) -> Option<DVec2> {
        shape.semi_axes()
    }

    fn normal(shape: &Figure) -> Option<DVec2> {
        match shape {
            Figure::HalfPlane(half) => Some(half.normal()),
            _ => None,
        }
    }

    fn symmetric(m: &[[f64; 3]; 3]) -> Sym2 {
        Sym2 { xx: m[0][0], yy: m[1][1], xy: m[0][1] }
    }

    fn entries(m: &Sym2) -> [[f64; 3]; 3] {
        [[m.xx, m.xy, 0.0], [m.xy, m.yy, 0.0], [0.0; 3]]
    }

    fn inertia(mass: &Mass<Self>, density: f64) -> f64 {
        mass.inertia() * density
    }

    #[inline]
    fn spin(inertia: &f64, _: f64, momentum: f64) -> f64 {
        momentum / inertia
    }

    fn held_spin(inertia: &f64, _: f64, momentum: f64, about: [bool; 3]) -> f64 {
        Self::masked(momentum, about) / inertia
    }

    #[inline]
    fn momentum(inertia: &f64, _: f64, spin: f64) -> f64 {
        inertia * spin
    }

    #[inline]
    fn turned(inertia: &f64, rotation: f64, momentum: f64, dt: f64) -> f64 {
        rotation + momentum / inertia * dt
    }

    #[inline]
    fn driven(rotation: f64, spin: f64, dt: f64) -> f64 {
        rotation + spin * dt
    }

    fn with_moments(moments: f64) -> f64 {
        moments
    }

    fn carried(_: f64, spin: f64) -> f64 {
        spin
    }

    fn masked(spin: f64, about: [bool; 3]) -> f64 {
        if about[0] { spin } else { 0.0 }
    }

    #[inline]
    fn chord(before: f64, after: f64) -> f64 {
        (after - before).abs()
    }

    fn any_rotation(random: &mut RandomStream) -> f64 {
        random.angle()
    }

    fn remember(direction: DVec2) -> Option<DVec2> {
        Some(direction)
    }

    fn measure_flat(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self> {
        patch.fill(a, b, contact);
        if patch.weight == 0.0 {
            return PatchSums::default();
        }
        let point = contact.midpoint();
        let lever = |corner: Corner| (corner.position - point, corner.depth);
        let points =
            patch.pieces().iter().flat_map(|feature| patch::segment(feature.map(lever), contact.normal));
        PatchSums::over(touch, patch.length, patch.weight, points)
    }

    fn solve(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        query: Query<Self>,
        memory: &mut Option<DVec2>,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        let query = Query { start: query.start.or(*memory), ..query };
        let answer = Auto.solve(a, b, query, scratch)?;
        *memory = Some(answer.direction());
        Ok(answer)
    }
}
