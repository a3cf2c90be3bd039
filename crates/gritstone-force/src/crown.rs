//! What resists where bodies are flat or nearly so: a point that resists rocking, and for crowned bodies twisting as a line or a face does.
//!
//! **Idea.** Along the normal a flat smooth body is any curved one. What its flatness means beside that is a long lever: the point
//! wanders by ρ times the angle as the body rocks, and friction acts all over the flat part. So
//! - a dashpot damps rocking, with the damping of the normal dashpot on the stiffness `F ρ` that the wandering point gives;
//! - friction at contacts of crowned bodies resists sliding and twisting together ([`crate::coupled`]);
//! - friction acts at an anchor that stays with the surfaces. The contact point runs ahead as the bodies rock, by up to half the flat
//!   part; where they slide, the anchor comes back to it. Were friction to wander with the point, what holds a body on a slope would turn
//!   it about the normal as it rocks, but turning would not make it rock in return: such springs have no energy, and bodies begin to
//!   shake and creep downhill where they are damped too little.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** F: force along the normal; ρ: relative radius of curvature beyond that of a body that rolls; I: inertia against
//! rocking; γ: damping of the law over √(stiffness·m*), 2ζ or √5 ζ; `T = −γ √(F ρ I) ω`, at most [`LARGEST`] `I ω/dt`. The contact
//! point goes by `ρ ω×n dt` over the surfaces, n from a to b.

use gritstone_core::lanes::{Quantity, Real};
use gritstone_core::{Dim, Linear as _};

use crate::coupled::FaceHold;
use crate::law::{ACROSS, LARGEST_DAMPING, Law, Push};
use crate::{Arithmetic, History, Interaction, Load, Touch, Wrench};

/// Largest coefficient over effective inertia by time step. The contacts of a body do not know of each other within a step, and their
/// dashpots act on a velocity that is predicted: n of them are stable up to 1/n. A cylinder in a bed has five or six of them.
const LARGEST: f64 = LARGEST_DAMPING / ACROSS;

/// How far friction stays behind the contact point at most, over the extent of the flat part.
const TRAILING: f64 = 0.5;

/// What is flat at the contact of a crowned body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlatContact<D: Dim> {
    /// Lever of the torque with which friction resists twisting: the mean distance of the flat part's points from its middle (m).
    pub lever: f64,
    /// The two ways in which the bodies can rock on each other.
    pub rocking: [Rocking<D>; 2],
    /// Relative radii of curvature of these ways: how far the contact point goes for an angle (m).
    pub radii: [f64; 2],
    /// How far the flat part reaches from its middle in the direction of each (m).
    pub extents: [f64; 2],
}

impl<D: Dim> FlatContact<D> {
    /// Where friction acts in this step, from the contact point, if it acted at `anchor` in the last one.
    fn anchor(&self, anchor: D::Vec, touch: &Touch<D>, dt: f64) -> D::Vec {
        let turn = D::about(touch.mean_spin, touch.normal) * dt;
        let anchor = anchor + D::sweep(turn, anchor);
        let mut kept = D::Vec::default();
        for ((rocking, radius), extent) in self.rocking.iter().zip(self.radii).zip(self.extents) {
            if rocking.radius > 0.0 {
                let ahead = D::sweep(rocking.axis, touch.normal);
                let at = anchor.dot(ahead) - radius * touch.spin.dot(rocking.axis) * dt;
                let farthest = TRAILING * extent.max(0.0);
                kept += ahead * at.max(-farthest).min(farthest);
            }
        }
        kept
    }
}

/// A way in which two bodies can rock on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rocking<A: Arithmetic> {
    /// Unit vector about which they turn.
    pub axis: A::Spin,
    /// Relative radius of curvature across it, as far as it is larger than that of bodies that roll (m).
    pub radius: A::Num,
    /// Effective moment of inertia about it (kg·m²): `1/I = Σ axis·I⁻¹ axis`.
    pub inertia: A::Num,
}

impl<R: Real> Law<R> {
    /// Adds the dashpots against rocking; `spin` is that of b less that of a.
    #[inline(always)]
    pub fn rock<A: Arithmetic<Num = R>>(
        &self,
        rocking: &[Rocking<A>; 2],
        spin: A::Spin,
        dt: R,
        load: &mut Load<A>,
    ) {
        let zero = R::splat(0.0);
        let force = load.normal_force.max(zero);
        for Rocking { axis, radius, inertia } in *rocking {
            let rate = spin.inner(axis);
            let free = self.damping[0] * (force * radius * inertia).sqrt();
            let damping = free.min(R::splat(LARGEST) * inertia / dt);
            let rocks = zero.lt(radius) & zero.lt(inertia);
            let torque = R::select(rocks, damping * rate, zero);
            load.torque = load.torque - axis * torque;
            load.dissipated = load.dissipated + torque * rate * dt;
        }
    }
}

impl Interaction {
    /// What the contact of a crowned body does in this step: as [`Self::load`], with resistance against rocking and twisting.
    pub fn load_flat<D: Dim>(
        &self,
        touch: &Touch<D>,
        flat: &FlatContact<D>,
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let Some(normal) = self.normal(touch.radius, touch.depth, history.touching()) else {
            return self.part(touch.radius, history);
        };
        let fresh = !history.touching();
        let along = Wrench { force: touch.normal, torque: D::Spin::default() };
        let Push { push, dissipated } = self.law().push(touch, &along, &normal, history, dt);
        history.anchor = flat.anchor(history.anchor, touch, dt);
        let anchor = history.anchor;
        let hold = FaceHold {
            velocity: touch.velocity + D::sweep(touch.spin, anchor),
            grip: push + normal.grip,
            shear: normal.shear,
            lever: flat.lever,
        };
        let mut load = self.hold_face(touch, history, &hold, dt);
        load.torque += D::moment(anchor, load.force);
        load.normal_force = push - normal.attraction;
        history.normal_force = load.normal_force;
        load.force += touch.normal * load.normal_force;
        load.elastic += normal.energy;
        load.dissipated += dissipated + self.jump_in(touch.radius, fresh, dt);
        self.rock(&flat.rocking, touch.spin, dt, &mut load);
        load
    }

    /// Adds what resists rocking to a load: see [`Law::rock`].
    #[inline]
    pub fn rock<D: Dim>(&self, rocking: &[Rocking<D>; 2], spin: D::Spin, dt: f64, load: &mut Load<D>) {
        self.law().rock(rocking, spin, dt, load);
    }
}
