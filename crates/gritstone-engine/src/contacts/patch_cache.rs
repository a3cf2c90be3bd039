//! Contacts of polyhedra that hardly move: their patches are followed instead of found again.
//!
//! **Idea.** In a bed at rest the bodies of a contact move by far less than they overlap in a step. As long as all that they have
//! moved against each other since their patch was measured is less than a hundredth of its depth, the contact is the same, and
//! its integrals follow the motion: with the approach speed w over the patch, `V̇ = ∫w`, `Ẇ = 2∫δw` and the moment of the depth by
//! `∫xw`, all of which the integrals themselves tell. The area does not follow from them; it grows as a power of the volume,
//! which is 2/3 for a corner, 1/2 for an edge and 0 for a face: `p = 2 − 2/q` with `q = A·W/V²` is that for all three. Pairs turn
//! as a whole, with their mean spin.
//!
//! **Fails when** a body is moved other than by its velocity: walls, images and parts are not followed.

use glam::DVec3;
use gritstone_contact::space::Patch;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Contact, Space};
use gritstone_force::{PatchMoments, PatchSums, Touch};
use serde::{Deserialize, Serialize};

use crate::bodies::Record;
use crate::contacts::flat::integrals;

/// How far the bodies may move against each other until the patch is found again, as a fraction of the depth.
const FAR: f64 = 0.01;

/// A contact with its patch, as far as it can be followed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PatchCache {
    /// What is left of the way that the bodies may move; zero where nothing is followed.
    workspace: f64,
    gap: f64,
    point: DVec3,
    normal: DVec3,
    /// How far the patch reaches from the point, about.
    extent: f64,
    curvature: [f64; 2],
    /// Velocity and spin of b against a, as they were last.
    velocity: DVec3,
    spin: DVec3,
    area: f64,
    volume: f64,
    square: f64,
    lever: DVec3,
    deep_lever: DVec3,
    deep_square: f64,
    axes: [DVec3; 2],
    second: [f64; 3],
}

impl PatchCache {
    /// Keeps a contact whose patch was measured.
    #[inline]
    pub(crate) fn keep(&mut self, contact: &Contact<Space>, touch: &Touch<Space>, patch: &Patch) {
        if !(patch.weight == 1.0 && patch.volume > 0.0 && contact.gap < 0.0) {
            self.workspace = 0.0;
            return;
        }
        let PatchMoments { area, volume, square, lever, deep_lever, deep_square, axes, second } =
            integrals(patch);
        *self = Self {
            workspace: -FAR * contact.gap,
            gap: contact.gap,
            point: contact.midpoint(),
            normal: contact.normal,
            extent: 2.0 * (second.trace() / area).sqrt(),
            curvature: contact.curvature,
            velocity: touch.velocity,
            spin: touch.spin,
            area,
            volume,
            square,
            lever,
            deep_lever,
            deep_square,
            axes,
            second: [second.xx, second.yy, second.xy],
        };
    }

    /// Follows the bodies by a step; the contact where it is now, unless they may have moved too far.
    #[inline]
    pub(crate) fn follow(&mut self, a: &Record<Space>, b: &Record<Space>, dt: f64) -> Option<Contact<Space>> {
        if self.workspace <= 0.0 {
            return None;
        }
        let [at_a, at_b] = [a, b].map(|body| body.velocity_at(self.point));
        let now = (at_b - at_a, b.spin - a.spin);
        // The way of a step is that with the mean of the velocities at its ends.
        let (velocity, spin) = ((self.velocity + now.0) * 0.5, (self.spin + now.1) * 0.5);
        (self.velocity, self.spin) = now;
        self.workspace -= (velocity.length() + spin.length() * self.extent) * dt;
        if self.workspace <= 0.0 {
            return None;
        }
        let touch = Touch { velocity, spin, normal: self.normal, ..Touch::default() };
        let rates = PatchSums::from_moments(&touch, 1.0, &self.moments()).rates(&touch);
        let mean = self.square / self.volume;
        let power = 2.0 - 2.0 * self.volume / (mean * self.area);
        let grown = 1.0 + rates.volume * dt / self.volume;
        let wider = 1.0 + power * (grown - 1.0);
        self.gap += velocity.dot(self.normal) * dt;
        self.area *= wider;
        self.volume *= grown;
        self.square += rates.square * dt;
        self.deep_square *= grown;
        self.second = self.second.map(|part| part * wider * wider);
        // The pair turns as a whole.
        let turn = (a.spin + b.spin) * (0.5 * dt);
        let turned = |v: DVec3| v + turn.cross(v);
        self.point += (at_a + at_b) * (0.5 * dt);
        self.normal = turned(self.normal).normalize();
        self.axes = self.axes.map(turned);
        self.lever = turned(self.lever) * wider;
        self.deep_lever = turned(self.deep_lever) + rates.deep_lever * dt;
        let reach = self.normal * (0.5 * self.gap);
        Some(Contact {
            point_a: self.point - reach,
            point_b: self.point + reach,
            normal: self.normal,
            gap: self.gap,
            curvature: self.curvature,
        })
    }

    /// The patch as a law takes it.
    #[inline]
    pub(crate) fn sums(&self, touch: &Touch<Space>) -> PatchSums<Space> {
        PatchSums::from_moments(touch, 1.0, &self.moments())
    }

    #[inline]
    fn moments(&self) -> PatchMoments {
        let [xx, yy, xy] = self.second;
        PatchMoments {
            area: self.area,
            volume: self.volume,
            square: self.square,
            lever: self.lever,
            deep_lever: self.deep_lever,
            deep_square: self.deep_square,
            axes: self.axes,
            second: Sym2 { xx, yy, xy },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use gritstone_contact::Query;
    use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
    use gritstone_core::Pose;
    use gritstone_shape::space::{Polyhedron, Solid};

    use crate::insertion::random::RandomStream;

    fn at(pose: Pose<Space>, velocity: DVec3, spin: DVec3) -> Record<Space> {
        let Pose { position, rotation } = pose;
        Record {
            position,
            rotation,
            velocity,
            spin,
            mass: 1.0,
            radius: 1.0,
            shape: 0,
            material: 0,
            unused: 0,
        }
    }

    fn measured(shape: &Solid, poses: [Pose<Space>; 2]) -> (Contact<Space>, Patch) {
        let [a, b] = poses.map(|pose| Placed { shape, pose });
        let answer =
            Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default()).unwrap();
        let (contact, mut patch) = (*answer.contact().unwrap(), Patch::default());
        patch.measure(a, b, &contact);
        (contact, patch)
    }

    /// Cubes on each other in all ways: when the room is used up, what was followed is what is found. The integral of the
    /// square over a corner, which changes most, has changed by four times the way then: errors are of the second order of that.
    #[test]
    fn what_is_followed_is_what_is_found() {
        let sign = |bit: usize| [-1.0, 1.0][bit & 1];
        let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2))).collect();
        let cube = Solid::from(Polyhedron::hull(&corners).unwrap().0);
        let mut random = RandomStream::new(7);
        let mut worst = [0.0_f64; 4];
        for case in 0..400 {
            let [turn_a, turn_b] = [random.rotation(), random.rotation()];
            // Every fourth time face on face.
            let turn_b = if case % 4 == 0 { turn_a } else { turn_b };
            let c = if case % 4 == 0 { turn_a * DVec3::Z } else { random.rotation() * DVec3::Z };
            let (place_a, mut place_b) = (Pose::new(DVec3::ZERO, turn_a), Pose::new(c * 2.5, turn_b));
            for _ in 0..20 {
                let (contact, _) = measured(&cube, [place_a, place_b]);
                place_b.position -= contact.normal * (contact.gap + 1e-3);
            }
            let (contact, patch) = measured(&cube, [place_a, place_b]);
            assert!((contact.gap + 1e-3).abs() < 1e-6, "{contact:?}");
            let any = |random: &mut RandomStream| random.rotation() * DVec3::Z;
            let (velocity, spin, common) = (any(&mut random), any(&mut random) * 0.3, any(&mut random) * 3.0);
            // The pair turns as a whole about a, and b moves against it.
            let moving = |t: f64| {
                let whole = DQuat::from_scaled_axis(common * t);
                let own = DQuat::from_scaled_axis(spin * t);
                let b = Pose::new(whole * (place_b.position + velocity * t), whole * own * place_b.rotation);
                let spin_b = common + whole * spin;
                let velocity_b = common.cross(b.position) + whole * velocity;
                (at(Pose::new(DVec3::ZERO, whole * turn_a), DVec3::ZERO, common), at(b, velocity_b, spin_b))
            };
            let (a, b) = moving(0.0);
            let point = contact.midpoint();
            let between = b.velocity_at(point) - a.velocity_at(point);
            let touch = Touch { velocity: between, spin, normal: contact.normal, ..Touch::default() };
            let mut patch_cache = PatchCache::default();
            patch_cache.keep(&contact, &touch, &patch);
            let dt = 2e-8;
            let mut last = patch_cache;
            let mut steps = 0;
            while patch_cache
                .follow(&moving(f64::from(steps + 1) * dt).0, &moving(f64::from(steps + 1) * dt).1, dt)
                .is_some()
            {
                last = patch_cache;
                steps += 1;
            }
            assert!(steps > 20, "{steps}");
            let (a, b) = moving(f64::from(steps) * dt);
            let (contact, patch) = measured(&cube, [a.pose(), b.pose()]);
            let found = patch.moments();
            let off = [
                last.gap / contact.gap - 1.0,
                last.volume / found.volume - 1.0,
                last.square / found.square - 1.0,
                last.area / found.area - 1.0,
            ];
            for (worst, off) in worst.iter_mut().zip(off) {
                *worst = worst.max(off.abs());
            }
        }
        let [gap, volume, square, area] = worst;
        let second_order = (4.0 * FAR).powi(2);
        assert!(gap < FAR && [volume, square, area].iter().all(|off| *off < second_order), "{worst:?}");
    }
}
