//! Contacts of bodies with a slight crown: a point that resists rocking and twisting as a line or a face does.
//!
//! **Idea.** Along the normal a crowned body is any curved one. What its flatness means beside that is a long lever: the point
//! wanders by ρ times the angle as the body rocks, and friction acts all over the flat part. So
//! - a dashpot damps rocking, with the damping ratio of the normal dashpot on the stiffness `F ρ` that the wandering point gives;
//! - friction resists sliding and twisting together ([`crate::coupled`]).
//!
//! **Source.** Gritstone.
//!
//! **Notation.** F: force along the normal; ρ: relative radius of curvature beyond that of a body that rolls; I: inertia against
//! rocking; ζ: damping ratio; `T = −2ζ √(F ρ I) ω`, at most [`LARGEST`] `I ω/dt`.

use gritstone_core::{Dim, Linear as _};

use crate::coupled::FaceHold;
use crate::law::{ACROSS, LARGEST_DAMPING, Push};
use crate::{History, Interaction, Load, Touch, Wrench};

/// Largest coefficient over effective inertia by time step. The contacts of a body do not know of each other within a step, and their
/// dashpots act on a velocity that is predicted: n of them are stable up to 1/n. A cylinder in a bed has five or six of them.
const LARGEST: f64 = LARGEST_DAMPING / ACROSS;

/// What is flat at the contact of a crowned body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlatContact<D: Dim> {
    /// Lever of the torque with which friction resists twisting: the mean distance of the flat part's points from its middle (m).
    pub lever: f64,
    /// The two ways in which the bodies can rock on each other.
    pub rocking: [Rocking<D>; 2],
}

/// A way in which two bodies can rock on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rocking<D: Dim> {
    /// Unit vector about which they turn.
    pub axis: D::Spin,
    /// Relative radius of curvature across it, as far as it is larger than that of bodies that roll (m).
    pub radius: f64,
    /// Effective moment of inertia about it (kg·m²): `1/I = Σ axis·I⁻¹ axis`.
    pub inertia: f64,
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
        let hold = FaceHold {
            velocity: touch.velocity,
            grip: push + normal.grip,
            shear: normal.shear,
            lever: flat.lever,
        };
        let mut load = self.hold_face(touch, history, &hold, dt);
        load.normal_force = push - normal.attraction;
        history.normal_force = load.normal_force;
        load.force += touch.normal * load.normal_force;
        load.elastic += normal.energy;
        load.dissipated += dissipated + self.jump_in(touch.radius, fresh, dt);
        for rocking in &flat.rocking {
            let rate = touch.spin.dot(rocking.axis);
            let damping = self.rocking_damping(rocking, push, dt);
            load.torque -= rocking.axis * (damping * rate);
            load.dissipated += damping * rate * rate * dt;
        }
        load
    }

    /// Coefficient of the dashpot against rocking, under this force (N·m·s).
    fn rocking_damping<D: Dim>(&self, rocking: &Rocking<D>, force: f64, dt: f64) -> f64 {
        let Rocking { radius, inertia, .. } = *rocking;
        if radius <= 0.0 || inertia <= 0.0 {
            return 0.0;
        }
        let free = 2.0 * self.damping_ratio * (force * radius * inertia).sqrt();
        free.min(LARGEST * inertia / dt)
    }
}
