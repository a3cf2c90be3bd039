//! What a law sees, what it remembers, and what it answers.

use gritstone_core::lanes::{Mask, Quantity, Real};
use gritstone_core::{Dim, Space};
use serde::{Deserialize, Serialize};

use crate::Arithmetic;

/// A force and a torque about the contact point, on b; a gets the opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench<A: Arithmetic = Space> {
    /// Force (N).
    pub force: A::Vec,
    /// Torque (N·m).
    pub torque: A::Spin,
}

impl<A: Arithmetic> Wrench<A> {
    /// Nothing.
    #[inline(always)]
    pub fn zero() -> Self {
        Self { force: A::Vec::zero(), torque: A::Spin::zero() }
    }

    /// Whether any contact has one.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        let Self { force, torque } = *self;
        A::Num::splat(0.0).lt(force.inner(force) + torque.inner(torque)).any()
    }
}

/// What a law sees of a contact: world axes, b relative to a, normal from a to b.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch<A: Arithmetic> {
    /// How deep the bodies overlap (m); negative when apart, which matters to laws with a reach.
    pub depth: A::Num,
    /// Unit vector from a to b.
    pub normal: A::Vec,
    /// Velocity of b's material point less that of a's, at the contact point, **at the same moment as the depth**. An
    /// integrator that holds velocities of half a step earlier adds `½·dt·acceleration` first; otherwise damping and
    /// slip are of first order in the time step only.
    pub velocity: A::Vec,
    /// Angular velocity of b less that of a.
    pub spin: A::Spin,
    /// Mean of both angular velocities: it turns the tangent plane about the normal.
    pub mean_spin: A::Spin,
    /// Effective radius R* (m), see [`crate::radius`].
    pub radius: A::Num,
    /// How ln R* falls where b moves (1/m, 1/rad), which forces that have an energy need: see
    /// [`crate::radius::EffectiveRadius::gradient`]. Zero for a constant radius.
    pub radius_gradient: Wrench<A>,
    /// Effective mass m* (kg), `1/m* = 1/m_a + 1/m_b`.
    pub mass: A::Num,
    /// Effective mass along what a push does (kg): with the wrench (f, τ) of [`crate::Law::push_wrench`],
    /// `1/m = f²/m* + Σ (r×f + τ)·I⁻¹(r×f + τ)`. A push changes the approach speed of the surfaces by the impulse over this mass.
    pub normal_mass: A::Num,
}

/// What a contact carries from step to step. The default is a fresh contact.
///
/// The lengths are those of springs half a step ahead of now, in the middle between two calls: then the work of a spring
/// over a step is exactly what it stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "A::Vec: Serialize, A::Num: Serialize",
    deserialize = "A::Vec: Deserialize<'de>, A::Num: Deserialize<'de>"
))]
pub struct History<A: Arithmetic> {
    /// Stretch of the tangential spring (m), b's side relative to a's.
    pub slip: A::Vec,
    /// Stretch of the rolling spring, as a length at the effective radius (m).
    pub roll: A::Vec,
    /// Stretch of the twisting spring, as a length at its lever (m).
    pub twist: A::Num,
    /// Where friction of flat bodies acts, from the contact point, which wanders as they rock (m): see [`crate::crown`].
    pub anchor: A::Vec,
    /// Stiffness of these springs in the last step (N/m); zero if the bodies did not touch.
    pub stiffness: A::Num,
    /// Force along the normal in the last step (N).
    pub normal_force: A::Num,
}

impl<D: Dim> History<D> {
    /// Whether the bodies touched in the last step.
    #[inline]
    pub fn touching(&self) -> bool {
        self.stiffness > 0.0
    }
}

/// What a contact does to b; a gets the opposite, at the same point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load<A: Arithmetic> {
    /// Force on b at the contact point (N).
    pub force: A::Vec,
    /// Torque on b beside that of the force (N·m).
    pub torque: A::Spin,
    /// Energy stored now (J). Negative while adhesion holds the bodies together.
    pub elastic: A::Num,
    /// Energy that turns into heat from half a step before now to half a step after (J). The heat up to now is the sum
    /// over all steps less half of the last one.
    pub dissipated: A::Num,
    /// Force along the normal (N), negative when the contact pulls.
    pub normal_force: A::Num,
}
