//! One contact: its two bodies, what the narrow phase found, the force that the law gave, and the sums over all contacts of a step.

use gritstone_force::Load;
use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;

/// The two bodies of a contact, by slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyPair {
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// The force of a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ContactForce<D: Dimension> {
    /// On b; a gets the opposite.
    pub(crate) force: D::Vec,
    /// Where it acts on both.
    pub(crate) point: D::Vec,
    /// Torque on b in addition to that of the force; a gets the opposite.
    pub(crate) torque: D::Spin,
    /// Energy in its springs, and energy dissipated in this step (J).
    pub(crate) elastic: f64,
    pub(crate) dissipated: f64,
}

impl<D: Dimension> ContactForce<D> {
    /// The force and torque of a load at a point.
    pub(super) fn new(load: &Load<D>, point: D::Vec) -> Self {
        let Load { force, torque, elastic, dissipated, .. } = *load;
        Self { force, point, torque, elastic, dissipated }
    }
}

/// Result of the narrow phase for a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct ContactGeometry<D: Dimension> {
    /// Signed distance; a lower bound where the bodies have come apart.
    pub(crate) gap: f64,
    /// Unit vector from a to b.
    pub(crate) normal: D::Vec,
    /// Whether the bodies have come apart.
    pub(crate) parted: bool,
}

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepStats {
    /// Largest overlap relative to the smaller grain's size.
    pub(crate) deepest: f64,
    /// Contacts that could not be certified.
    pub(crate) unresolved: u32,
    /// Contacts that have come apart.
    pub(crate) parted: u32,
    /// Contacts that lanes could not solve.
    pub(crate) handed: u32,
}

impl StepStats {
    pub(crate) fn add(self, other: &Self) -> Self {
        Self {
            deepest: self.deepest.max(other.deepest),
            unresolved: self.unresolved + other.unresolved,
            parted: self.parted + other.parted,
            handed: self.handed + other.handed,
        }
    }
}
