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

/// How far the bodies may move against each other until the patch is found again, as a fraction of the depth.
const FAR: f64 = 0.01;

/// A contact with its patch, as far as it can be followed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Quiet {
    /// What is left of the way that the bodies may move; zero where nothing is followed.
    room: f64,
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

impl Quiet {
    /// Keeps a contact whose patch was measured.
    #[inline]
    pub(crate) fn keep(&mut self, contact: &Contact<Space>, touch: &Touch<Space>, patch: &Patch) {
        let found = patch.moments();
        if !(patch.weight == 1.0 && found.volume > 0.0 && contact.gap < 0.0) {
            self.room = 0.0;
            return;
        }
        let Sym2 { xx, yy, xy } = found.second;
        *self = Self {
            room: -FAR * contact.gap,
            gap: contact.gap,
            point: contact.midpoint(),
            normal: contact.normal,
            extent: 2.0 * (found.second.trace() / found.area).sqrt(),
            curvature: contact.curvature,
            velocity: touch.velocity,
            spin: touch.spin,
            area: found.area,
            volume: found.volume,
            square: found.square,
            lever: found.lift(found.lever),
            deep_lever: found.lift(found.deep_lever),
            deep_square: found.deep_square,
            axes: [found.axes[0], found.axes[1]],
            second: [xx, yy, xy],
        };
    }

    /// Follows the bodies by a step; the contact where it is now, unless they may have moved too far.
    #[inline]
    pub(crate) fn follow(&mut self, a: &Record<Space>, b: &Record<Space>, dt: f64) -> Option<Contact<Space>> {
        if self.room <= 0.0 {
            return None;
        }
        let [at_a, at_b] = [a, b].map(|body| body.velocity_at(self.point));
        let now = (at_b - at_a, b.spin - a.spin);
        // The way of a step is that with the mean of the velocities at its ends.
        let (velocity, spin) = ((self.velocity + now.0) * 0.5, (self.spin + now.1) * 0.5);
        (self.velocity, self.spin) = now;
        self.room -= (velocity.length() + spin.length() * self.extent) * dt;
        if self.room <= 0.0 {
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
