//! The load of an overlap: its energy with damping and friction.
//!
//! **Idea.** Whatever features meet, the contact has one coordinate of its own: `s = √(2U)`, with the force `s` along it, the rate ṡ that
//! the power of the elastic wrench gives, and the mass `m_s` with which the bodies resist that wrench in all six directions. Along it
//! every contact is the same spring, so the dashpot `2ζ√m_s` gives every hit the restitution that was asked for: on a face, an edge, a corner,
//! and however far from the centre. The dashpot acts by strengthening and weakening the whole wrench, never beyond nothing.
//!
//! **Rocking.** A face that rocks about a rest has no such coordinate: its energy hardly changes. A pressure `6ζ√(K·m*)` per
//! approach speed over the face damps that: `T = −6ζ√(K·m*)·(C(n×ω))×n`.
//!
//! **Notation.** W: elastic wrench; `ṡ = −W·v/s`; `1/m_s = W·M⁻¹·W/s²` with M of both bodies; `K = F²/2U`; n: direction of the force;
//! C: covariance; ω: spin of b against a.
//!
//! **Deviations.** As in the point law, the dashpot acts on ṡ in the middle of the step with the force of this step in it, and is bounded
//! by [`LARGEST_DAMPING`].

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use super::{OverlapForce, OverlapMoments};
use crate::coupled::{FaceHold, LEVER};
use crate::{Cohesion, History, Interaction, LARGEST_DAMPING, Load, Touch, Wrench};

/// Damping of rocking over that of pressing.
const ROCKING: f64 = 6.0;

/// What an overlap does but for friction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressedOverlap {
    /// Direction of the elastic force on b.
    pub normal: DVec3,
    /// Force along it (N), negative when the contact pulls.
    pub normal_force: f64,
    /// On b, at the point that positions are from.
    pub wrench: Wrench,
    /// Energy stored now (J), negative while adhesion holds the bodies together.
    pub elastic: f64,
    /// Energy lost in this step (J).
    pub dissipated: f64,
    /// Force that counts for friction (N), its stiffness along the normal (N/m), where it acts, and the lever of its torque (m).
    grip: f64,
    stiffness: f64,
    lever: DVec3,
    twist_lever: f64,
}

/// What damping makes of a wrench.
struct Damped {
    /// By how much the elastic wrench is stronger or weaker.
    scale: f64,
    dissipated: f64,
}

impl Interaction {
    /// What an overlap does in this step. `touch` is at the point that its positions are from; `yielding` is `W·M⁻¹·W`: twice the kinetic
    /// energy that a wrench of impulses gives the two bodies. Where no overlap could be found between bodies that touch, the point law
    /// stands in. To be called once more when the bodies have parted: what its springs still hold is then dissipated.
    pub fn load_overlap(
        &self,
        touch: &Touch<Space>,
        overlap: Option<&OverlapMoments>,
        history: &mut History<Space>,
        dt: f64,
        yielding: impl Fn(&Wrench) -> f64,
    ) -> Load<Space> {
        if touch.depth <= 0.0 {
            return self.part_face(history);
        }
        let last = history.touching().then_some(history.normal_force);
        let pressed = overlap.and_then(|overlap| self.press_overlap(touch, overlap, last, dt, yielding));
        match pressed {
            Some(pressed) => self.load_pressed(touch, &pressed, 1.0, history, dt),
            None => self.load(touch, history, dt),
        }
    }

    /// What an overlap does but for friction; none if it has no force. `last` is the force along the normal in the last step, none if
    /// the bodies did not touch.
    pub fn press_overlap(
        &self,
        touch: &Touch<Space>,
        overlap: &OverlapMoments,
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(&Wrench) -> f64,
    ) -> Option<PressedOverlap> {
        let region = (overlap.centroid, &overlap.covariance);
        self.press_found(touch, &self.overlap_force(overlap), region, last, dt, yielding)
    }

    /// The same of an energy that was found already; `region` is the centroid and the covariance of where it is.
    pub(crate) fn press_found(
        &self,
        touch: &Touch<Space>,
        found: &OverlapForce,
        (centroid, covariance): (DVec3, &Sym3),
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(&Wrench) -> f64,
    ) -> Option<PressedOverlap> {
        let OverlapForce { energy, adhesion, elastic, pull } = *found;
        let force = elastic.force.length();
        if !(energy > 0.0 && force > 0.0) {
            return None;
        }
        let normal = elastic.force / force;
        let attraction = -pull.force.dot(normal);
        let last = last.map(|last| last + attraction);
        let Damped { scale, dissipated } = self.damp(touch, found, last, dt, yielding(&elastic));
        let stiffness = 0.5 * force * force / energy;
        let rocking = self.damp_rocking(touch, normal, covariance, stiffness, dt, &yielding);
        let across = normal.dot(mul(covariance, normal));
        let about_centre = elastic.torque - centroid.cross(elastic.force);
        let gripped = if matches!(self.cohesion, Cohesion::Jkr { .. }) { attraction } else { 0.0 };
        Some(PressedOverlap {
            normal,
            normal_force: scale * force - attraction,
            wrench: Wrench {
                force: elastic.force * scale + pull.force,
                torque: elastic.torque * scale + pull.torque + rocking,
            },
            elastic: energy + adhesion,
            dissipated: dissipated - rocking.dot(touch.spin) * dt,
            grip: scale * force + gripped,
            stiffness,
            lever: centroid + normal.cross(about_centre) / force,
            twist_lever: LEVER * (covariance.trace() - across).max(0.0).sqrt(),
        })
    }

    /// The load of a contact that has this share of an overlap, with its friction.
    pub fn load_pressed(
        &self,
        touch: &Touch<Space>,
        pressed: &PressedOverlap,
        share: f64,
        history: &mut History<Space>,
        dt: f64,
    ) -> Load<Space> {
        let &PressedOverlap { normal, stiffness, lever, twist_lever, .. } = pressed;
        let hold = FaceHold {
            velocity: touch.velocity + touch.spin.cross(lever),
            grip: pressed.grip * share,
            shear: self.shear_ratio() * stiffness * share,
            lever: twist_lever,
        };
        // A part of a whole carries its part of the mass: its dashpots are that part of the whole's.
        let mut load =
            self.hold_face(&Touch { normal, mass: touch.mass * share, ..*touch }, history, &hold, dt);
        load.torque += lever.cross(load.force);
        load.normal_force = pressed.normal_force * share;
        history.normal_force = load.normal_force;
        load.force += pressed.wrench.force * share;
        load.torque += pressed.wrench.torque * share;
        load.elastic += pressed.elastic * share;
        load.dissipated += pressed.dissipated * share;
        load
    }

    /// The damping along the contact's own coordinate. `last` is the force of the last step without what pulls; none if the bodies did
    /// not touch.
    fn damp(
        &self,
        touch: &Touch<Space>,
        found: &OverlapForce,
        last: Option<f64>,
        dt: f64,
        yielding: f64,
    ) -> Damped {
        let force = found.elastic.force.length();
        let s = (2.0 * found.energy).sqrt();
        let by_mass = yielding / (s * s);
        let rate = -power(&found.elastic, touch) / s;
        let mut damping = (2.0 * self.damping_ratio / by_mass.sqrt()).min(LARGEST_DAMPING / (by_mass * dt));
        if last.is_none() {
            damping *= first_part(touch, found, dt);
        }
        // As in the point law: what the velocity was predicted with is replaced by what is found.
        let half = 0.5 * dt * by_mass;
        let free = rate + half * last.unwrap_or(0.0) * s / force;
        let push = ((s + damping * free) / (1.0 + damping * half)).max(0.0);
        Damped { scale: push / s, dissipated: (push - s) * (free - half * push) * dt }
    }

    /// The torque that damps rocking, bounded as the other damping is.
    fn damp_rocking(
        &self,
        touch: &Touch<Space>,
        normal: DVec3,
        covariance: &Sym3,
        stiffness: f64,
        dt: f64,
        yielding: &impl Fn(&Wrench) -> f64,
    ) -> DVec3 {
        if self.damping_ratio == 0.0 {
            return DVec3::ZERO;
        }
        let damping = ROCKING * self.damping_ratio * (stiffness * touch.mass).sqrt();
        let torque = mul(covariance, normal.cross(touch.spin)).cross(normal) * -damping;
        let power = -torque.dot(touch.spin);
        if power <= 0.0 {
            return DVec3::ZERO;
        }
        let change = dt * yielding(&Wrench { force: DVec3::ZERO, torque }) / power;
        torque * ((LARGEST_DAMPING / change).min(1.0) / (1.0 + 0.5 * change.min(LARGEST_DAMPING)))
    }
}

/// What the dashpot does in the first step of a contact, relative to a step in which it acts throughout: the bodies met
/// `depth/advance` of a step ago, and s grows with the power `k = F·δ/2U` of the depth.
fn first_part(touch: &Touch<Space>, found: &OverlapForce, dt: f64) -> f64 {
    let force = found.elastic.force.length();
    let advance = -power(&found.elastic, touch) / force * dt;
    if touch.depth >= advance {
        return 1.0; // They overlapped before.
    }
    let since = touch.depth / advance;
    let until = since + 0.5;
    let power = (0.5 * force * touch.depth / found.energy).max(1.0);
    until / power * libm::pow(until / since, power - 1.0)
}

#[inline(always)]
fn mul(m: &Sym3, x: DVec3) -> DVec3 {
    m.full() * x
}

/// Power of a wrench at the velocity and the spin of b against a.
#[inline(always)]
fn power(wrench: &Wrench, touch: &Touch<Space>) -> f64 {
    wrench.force.dot(touch.velocity) + wrench.torque.dot(touch.spin)
}
