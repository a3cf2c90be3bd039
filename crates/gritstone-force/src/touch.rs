//! What a law sees, what it remembers, and what it answers.

use gritstone_core::Dim;
use serde::{Deserialize, Serialize};

/// What a law sees of a contact: world axes, b relative to a, normal from a to b.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch<D: Dim> {
    /// How deep the bodies overlap (m); negative when apart, which matters to laws with a reach.
    pub depth: f64,
    /// Unit vector from a to b.
    pub normal: D::Vec,
    /// Velocity of b's material point less that of a's, at the contact point, **at the same moment as the depth**. An
    /// integrator that holds velocities of half a step earlier adds `½·dt·acceleration` first; otherwise damping and
    /// slip are of first order in the time step only.
    pub velocity: D::Vec,
    /// Angular velocity of b less that of a.
    pub spin: D::Spin,
    /// Mean of both angular velocities: it turns the tangent plane about the normal.
    pub mean_spin: D::Spin,
    /// Effective radius R* (m), see [`crate::radius`].
    pub radius: f64,
    /// Effective mass m* (kg), `1/m* = 1/m_a + 1/m_b`.
    pub mass: f64,
    /// Effective mass along the normal at the contact point (kg): `1/m = 1/m* + Σ (r×n)·I⁻¹(r×n)`. A push there changes the
    /// approach speed of the surfaces by the impulse over this mass.
    pub normal_mass: f64,
}

/// What a contact carries from step to step. The default is a fresh contact.
///
/// The lengths are those of springs half a step ahead of now, in the middle between two calls: then the work of a spring
/// over a step is exactly what it stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "D::Vec: Serialize", deserialize = "D::Vec: Deserialize<'de>"))]
pub struct History<D: Dim> {
    /// Stretch of the tangential spring (m), b's side relative to a's.
    pub slip: D::Vec,
    /// Stretch of the rolling spring, as a length at the effective radius (m).
    pub roll: D::Vec,
    /// Stretch of the twisting spring, as a length at its lever (m).
    pub twist: f64,
    /// Stiffness of these springs in the last step (N/m); zero if the bodies did not touch.
    pub stiffness: f64,
    /// Force along the normal in the last step (N).
    pub normal_force: f64,
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
pub struct Load<D: Dim> {
    /// Force on b at the contact point (N).
    pub force: D::Vec,
    /// Torque on b beside that of the force (N·m).
    pub torque: D::Spin,
    /// Energy stored now (J). Negative while adhesion holds the bodies together.
    pub elastic: f64,
    /// Energy that turns into heat from half a step before now to half a step after (J). The heat up to now is the sum
    /// over all steps less half of the last one.
    pub dissipated: f64,
    /// Force along the normal (N), negative when the contact pulls.
    pub normal_force: f64,
}
