//! A contact at several points, which act as one: a long grain across a drum, the corners of a grain in a hollow wall.
//!
//! **Idea.** Every point has the energy of its own spring, and the contact the sum U of them. It has one coordinate, `s = √(2U)`, with
//! the force s along it, so that one dashpot gives all points together the restitution that was asked for, wherever they are. Friction
//! acts where the sum of the forces does, and resists twisting by how far the points are spread.
//!
//! Points that two others have in common are taken off: see the sign of [`PressedPoint`].
//!
//! **Source.** Gritstone.
//!
//! **Notation.** W: elastic wrench on b; `ṡ = −W·v/s`; `1/m_s = W·M⁻¹·W/s²` with M of both bodies: the mass that they have against W;
//! `c = 2ζ√m_s`, which is the damping of [`Law`](crate::Law) where there is one point.
//!
//! **Deviations.** As in the law of a single point, the dashpot acts on ṡ in the middle of the step with the force of this step in it, and
//! is bounded by [`LARGEST_DAMPING`](crate::LARGEST_DAMPING). Corners have linear springs, with Hertz's law, too, as faces have.

use gritstone_core::{Dim, Linear as _};

use crate::law::{Hold, Normal};
use crate::{Cohesion, History, Interaction, LARGEST_DAMPING, Load, Touch, hertz};

/// One of several points of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressedPoint<D: Dim> {
    /// One; minus one for a point at which two others overlap.
    pub sign: f64,
    /// From the point that the contact's torques are about.
    pub lever: D::Vec,
    /// Unit vector from a to b.
    pub normal: D::Vec,
    /// How deep the bodies overlap there (m), more than zero.
    pub depth: f64,
    /// Its spring.
    pub spring: PointSpring,
}

/// The spring of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointSpring {
    /// That of curved surfaces with this effective radius (m).
    Curved(f64),
    /// That of a corner: a share of a face of this area (m²).
    Corner {
        /// Area of the face.
        area: f64,
        /// The share.
        share: f64,
    },
}

/// The sum over the points.
#[derive(Clone, Copy, Debug, Default)]
struct Sum<D: Dim> {
    /// Elastic force and torque on b, and its energy.
    force: D::Vec,
    torque: D::Spin,
    energy: f64,
    /// Forces of attraction, their torque and energy.
    pull: D::Vec,
    pull_torque: D::Spin,
    pull_energy: f64,
    /// All elastic forces by their magnitudes, what friction counts beside them, and tangential stiffness.
    push: f64,
    grip: f64,
    shear: f64,
    /// Levers with the elastic force, and their squares.
    lever: D::Vec,
    square: f64,
}

impl Interaction {
    /// What a contact at several points does in this step. `touch` is at the point that levers are from; `yielding` is `W·M⁻¹·W` for a
    /// force and a torque: twice the kinetic energy that such impulses give the two bodies.
    pub fn load_points<D: Dim>(
        &self,
        touch: &Touch<D>,
        points: &[PressedPoint<D>],
        yielding: impl Fn(D::Vec, D::Spin) -> f64,
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let sum = self.sum(points, history.touching());
        let force = sum.force.dot(sum.force).sqrt();
        if !(force > 0.0 && sum.energy > 0.0) {
            return self.part(touch.radius, history);
        }
        let normal = sum.force * (1.0 / force);
        let fresh = !history.touching();
        let (scale, dissipated) = self.damp(touch, &sum, yielding(sum.force, sum.torque), history, dt);
        let middle = sum.lever * (1.0 / sum.push);
        let spread = (sum.square / sum.push - middle.dot(middle)).max(0.0).sqrt();
        let grip = (sum.push * scale + sum.grip).max(0.0);
        let hold = Hold {
            velocity: touch.velocity + D::sweep(touch.spin, middle),
            grip,
            shear: sum.shear,
            twist_lever: spread + touch.radius,
            twist_limit: (self.friction * spread + self.twisting * touch.radius) * grip,
        };
        let mut load = self.law().hold(&Touch { normal, ..*touch }, history, &hold, dt);
        load.torque += D::moment(middle, load.force);
        load.torque += sum.torque * scale + sum.pull_torque;
        load.force += sum.force * scale + sum.pull;
        load.normal_force = force * scale + sum.pull.dot(normal);
        history.normal_force = load.normal_force;
        load.elastic += sum.energy + sum.pull_energy;
        load.dissipated += dissipated + if fresh { self.jumps(touch.radius)[0] } else { 0.0 };
        load
    }

    fn sum<D: Dim>(&self, points: &[PressedPoint<D>], touching: bool) -> Sum<D> {
        let mut sum = Sum::<D>::default();
        for &PressedPoint { sign, lever, normal, depth, spring } in points {
            let (response, share) = match spring {
                PointSpring::Curved(radius) => {
                    let Some(response) = self.normal(radius, depth, touching) else { continue };
                    (response, self.energy_share())
                }
                PointSpring::Corner { area, share } => (self.corner::<D>(area, share, depth), 0.5),
            };
            let Normal { repulsion, attraction, grip, shear, energy, .. } = response;
            let (push, stored) = (sign * repulsion, share * repulsion * depth);
            sum.force += normal * push;
            sum.torque += D::moment(lever, normal * push);
            sum.energy += sign * stored;
            sum.pull -= normal * (sign * attraction);
            sum.pull_torque -= D::moment(lever, normal * (sign * attraction));
            sum.pull_energy += sign * (energy - stored);
            sum.push += push;
            sum.grip += sign * grip;
            sum.shear += sign * shear;
            sum.lever += lever * push;
            sum.square += lever.dot(lever) * push;
        }
        sum
    }

    /// Energy over force times depth of a curved point.
    fn energy_share(&self) -> f64 {
        match self.spring {
            crate::Spring::Linear { .. } => 0.5,
            crate::Spring::Hertz { .. } => hertz::ENERGY,
        }
    }

    /// A corner: a share of what a face does at this depth.
    fn corner<D: Dim>(&self, area: f64, share: f64, depth: f64) -> Normal<f64> {
        let stiffness = self.patch_stiffness::<D>(area) * share;
        let attraction = match self.cohesion {
            Cohesion::None => 0.0,
            Cohesion::Linear { density } => density * area * share,
            Cohesion::Jkr { work } => crate::jkr::pull_off(work, (area / std::f64::consts::PI).sqrt()) * share,
        };
        let grip = if let Cohesion::Jkr { .. } = self.cohesion { attraction } else { 0.0 };
        let repulsion = stiffness * depth;
        Normal {
            repulsion,
            attraction,
            grip,
            secant: stiffness,
            shear: self.shear_ratio() * stiffness,
            energy: (0.5 * repulsion - attraction) * depth,
        }
    }

    /// By how much the elastic wrench is stronger or weaker with its dashpot, never less than nothing, and the energy lost.
    fn damp<D: Dim>(
        &self,
        touch: &Touch<D>,
        sum: &Sum<D>,
        yielding: f64,
        history: &History<D>,
        dt: f64,
    ) -> (f64, f64) {
        let s = (2.0 * sum.energy).sqrt();
        let force = sum.force.dot(sum.force).sqrt();
        let by_mass = yielding / (s * s);
        if by_mass <= 0.0 {
            return (1.0, 0.0);
        }
        let rate = -(sum.force.dot(touch.velocity) + sum.torque.dot(touch.spin)) / s;
        let half_step = 0.5 * dt * by_mass;
        let damping = (2.0 * self.damping_ratio / by_mass.sqrt()).min(0.5 * LARGEST_DAMPING / half_step);
        // In its first step the contact has lasted for a part of it.
        let first = !history.touching() && s < rate * dt;
        let damping = damping * if first { s / (rate * dt) + 0.5 } else { 1.0 };
        let pull = -sum.pull.dot(sum.force) / force;
        let last = (history.normal_force + pull) * (s / force);
        let free = rate + half_step * last;
        let push = ((s + damping * free) / (1.0 + damping * half_step)).max(0.0);
        (push / s, (push - s) * (free - half_step * push) * dt)
    }
}
