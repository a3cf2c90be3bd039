//! Space: quaternions, and free bodies that tumble.
//!
//! **Idea.** Free turning is split into turns about the principal axes, each with the rate `L_i/I_i` that its own part of
//! the kinetic energy gives it: half a step about x and y, a whole one about z, and the halves again the other way round.
//! Each turn is exact, so the angular momentum in the world is kept to rounding, the norm with it, and the energy error
//! stays bounded for ever; it is of second order in the step. A body with two equal moments turns evenly about L with the
//! rate `L/I_1`, and within about its third axis with the rate `(1/I_3 − 1/I_1)·l_3`: that is exact.
//!
//! **Source.** Touma and Wisdom 1994; Dullweber, Leimkuhler and McLachlan 1997.
//!
//! **Notation.** l: angular momentum in the principal axes. I: principal moments.

use glam::{DMat3, DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Patch};
use gritstone_contact::{Answer, Placed, Query, Refusal};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Contact, Mass, Pose, Space};
use gritstone_force::{PatchMoments, PatchSums, Touch};
use gritstone_shape::space::{Solid, Triangle};

use super::Dimension;
use crate::bodies::{Record, State, StepInput};
use crate::boundary::surface::{self, Approach, Clearance, FacetFilter, MeshFeature, Ownership, Surface};
use crate::broad_phase::LargestDisplacements;
use crate::insertion::random::RandomStream;

/// Principal moments of inertia, and the turn from the body's frame to the principal axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    moments: DVec3,
    axes: DQuat,
}

impl Dimension for Space {
    type Inertia = Inertia;
    type Memory = Memory;
    type ContactBatch = crate::lanes::LaneContacts;
    type Patch = Patch;
    type FacetFilter = FacetFilter;

    fn features(surface: &Surface, largest: f64) -> Vec<MeshFeature<Self>> {
        match surface {
            Surface::Mesh(mesh) => surface::of_mesh(mesh, largest),
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

    fn word(shape: &Solid) -> &'static str {
        shape.word()
    }

    fn mass(shape: &Solid) -> Option<Mass<Self>> {
        shape.body().map(gritstone_shape::Body::mass)
    }

    fn semi_axes(shape: &Solid) -> Option<DVec3> {
        shape.semi_axes()
    }

    fn normal(shape: &Solid) -> Option<DVec3> {
        match shape {
            Solid::HalfSpace(half) => Some(half.normal()),
            _ => None,
        }
    }

    fn symmetric(m: &[[f64; 3]; 3]) -> Sym3 {
        Sym3 { xx: m[0][0], yy: m[1][1], zz: m[2][2], xy: m[0][1], xz: m[0][2], yz: m[1][2] }
    }

    fn entries(m: &Sym3) -> [[f64; 3]; 3] {
        [[m.xx, m.xy, m.xz], [m.xy, m.yy, m.yz], [m.xz, m.yz, m.zz]]
    }

    fn inertia(mass: &Mass<Self>, density: f64) -> Inertia {
        let (moments, axes) = mass.inertia().eigen();
        let (moments, axes) = with_equals_first(moments, axes);
        Inertia { moments: moments * density, axes: DQuat::from_mat3(&axes).normalize() }
    }

    #[inline]
    fn spin(inertia: &Inertia, rotation: DQuat, momentum: DVec3) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        principal * (principal.transpose() * momentum / inertia.moments)
    }

    fn held_spin(inertia: &Inertia, rotation: DQuat, momentum: DVec3, about: [bool; 3]) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        let mut block = principal * DMat3::from_diagonal(inertia.moments) * principal.transpose();
        // With ω_b = 0 about barred axes b, L_a = Σ I_ac ω_c over those that are free: a one in their place leaves that block.
        for b in (0..3).filter(|&b| !about[b]) {
            (0..3).for_each(|i| block.col_mut(i)[b] = 0.0);
            *block.col_mut(b) = DVec3::AXES[b];
        }
        block.inverse() * Self::masked(momentum, about)
    }

    #[inline]
    fn momentum(inertia: &Inertia, rotation: DQuat, spin: DVec3) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        principal * (principal.transpose() * spin * inertia.moments)
    }

    #[inline]
    fn turned(inertia: &Inertia, rotation: DQuat, momentum: DVec3, dt: f64) -> DQuat {
        let principal = rotation * inertia.axes;
        if inertia.moments.x == inertia.moments.y {
            let [x, _, z] = (0.5 * dt / inertia.moments).to_array();
            let (turn, within) = (momentum * x, (z - x) * momentum.dot(principal * DVec3::Z));
            let (cosine, share) = half_angle(turn.length_squared());
            let turn = DQuat::from_vec4((turn * share).extend(cosine));
            let (cosine, share) = half_angle(within * within);
            let turned = turn * principal * about_axis(2, cosine, share * within);
            return (turned * inertia.axes.conjugate()).normalize();
        }
        let mut l = DMat3::from_quat(principal).transpose() * momentum;
        let mut turn = DQuat::IDENTITY;
        let rate = DVec3::ONE / inertia.moments;
        for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = 0.5 * share * dt * rate[axis] * l[axis];
            let (cosine, share) = half_angle(angle * angle);
            let sine = share * angle;
            turn *= about_axis(axis, cosine, sine);
            l = turned_back(axis, l, cosine, sine);
        }
        (principal * turn * inertia.axes.conjugate()).normalize()
    }

    #[inline]
    fn driven(rotation: DQuat, spin: DVec3, dt: f64) -> DQuat {
        gritstone_core::angle::rotation(spin * dt) * rotation
    }

    fn with_moments(moments: DVec3) -> Inertia {
        Inertia { moments, axes: DQuat::IDENTITY }
    }

    fn carried(rotation: DQuat, spin: DVec3) -> DVec3 {
        rotation * spin
    }

    fn masked(spin: DVec3, about: [bool; 3]) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|i| if about[i] { spin[i] } else { 0.0 }))
    }

    #[inline]
    fn chord(before: DQuat, after: DQuat) -> f64 {
        // 2 sin(θ/2) of the turn between them.
        2.0 * (before.conjugate() * after).xyz().length()
    }

    fn advance(
        input: &StepInput<'_, Self>,
        records: &mut [Record<Self>],
        states: &mut [State<Self>],
        displacements: [&mut [f64]; 2],
    ) -> [LargestDisplacements; 2] {
        crate::lanes::advance(input, records, states, displacements)
    }

    fn inertia_numbers(inertia: &Inertia, sweep: f64) -> [f64; 8] {
        let ([i, j, k], [x, y, z, w]) = (inertia.moments.recip().to_array(), inertia.axes.to_array());
        [i, j, k, x, y, z, w, sweep]
    }

    fn any_rotation(random: &mut RandomStream) -> DQuat {
        random.rotation()
    }

    fn remember(direction: DVec3) -> Memory {
        let mut memory = Memory::default();
        memory.direction = Some(direction);
        memory
    }

    #[inline]
    fn measure_flat(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self> {
        patch.measure(a, b, contact);
        if patch.weight == 0.0 {
            return PatchSums::default();
        }
        PatchSums::from_moments(touch, patch.weight, &integrals(patch))
    }

    #[inline]
    fn solve(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        query: Query<Self>,
        memory: &mut Memory,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        Auto.solve_warm(a, b, query, memory, scratch)
    }
}

/// The integrals over a patch as laws take them: levers in the world.
#[inline]
pub(crate) fn integrals(patch: &Patch) -> PatchMoments {
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

/// Angle (rad) beyond which a turn is too fast for its step.
pub(crate) const LARGEST_ANGLE: f64 = 0.5;

/// Moments that are the same but for this part of them are taken to be equal.
const EQUAL: f64 = 1e-12;

/// Principal moments in an order in which those that are equal come first, and their axes.
fn with_equals_first(moments: DVec3, axes: DMat3) -> (DVec3, DMat3) {
    let same = |i: usize, j: usize| (moments[i] - moments[j]).abs() <= EQUAL * moments.max_element();
    if same(0, 1) && same(1, 2) {
        return (DVec3::splat(moments.x), DMat3::IDENTITY); // Any axes are principal axes.
    }
    for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
        if same(i, j) {
            let axes = DMat3::from_cols(axes.col(i), axes.col(j), axes.col(k));
            return (DVec3::new(moments[i], moments[i], moments[k]), axes);
        }
    }
    (moments, axes)
}

/// Cosine of an angle, and its sine over the angle, by their series in the square of the angle, right to 1e-13 up to a
/// quarter: sums and products alone, so that every processor finds the same bits. What turns faster than [`LARGEST_ANGLE`]
/// turns by some other angle below a quarter turn.
#[inline]
fn half_angle(square: f64) -> (f64, f64) {
    if square > LARGEST_ANGLE * LARGEST_ANGLE || square.is_nan() {
        let by = 1.0 / (1.0 + square).sqrt();
        return (by, by);
    }
    let cosine = square * (1.0 / 40320.0) - 1.0 / 720.0;
    let cosine = square * (square * cosine + 1.0 / 24.0) - 0.5;
    let share = square * (1.0 / 362_880.0) - 1.0 / 5040.0;
    let share = square * (square * share + 1.0 / 120.0) - 1.0 / 6.0;
    (square * cosine + 1.0, square * share + 1.0)
}

/// The turn about a coordinate axis whose half angle has this cosine and sine.
#[inline]
fn about_axis(axis: usize, cosine: f64, sine: f64) -> DQuat {
    let v = DVec3::AXES[axis] * sine;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// A vector seen from a frame that has turned about one of its axes by twice the angle.
#[inline]
fn turned_back(axis: usize, v: DVec3, cosine: f64, sine: f64) -> DVec3 {
    let (cosine, sine) = (cosine * cosine - sine * sine, 2.0 * sine * cosine);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = v;
    out[j] = cosine * v[j] + sine * v[k];
    out[k] = cosine * v[k] - sine * v[j];
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_angle_is_the_circle() {
        for x in [1e-9_f64, 1e-3, 0.05, -0.2] {
            let (cosine, share) = half_angle(x * x);
            assert!((cosine - x.cos()).abs() < 1e-9 * x * x && (share * x - x.sin()).abs() < 1e-9 * x.abs());
        }
    }
}
