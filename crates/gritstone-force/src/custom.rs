//! Contact laws from outside this crate.

use std::fmt::Debug;

use gritstone_core::Dim;

use crate::{History, Load, Touch};

/// A contact law of a user's own, for one pair of materials.
///
/// A pure function with explicit memory: it sees depth, relative velocity, effective radius and mass of a contact, keeps what
/// it needs in the history, and answers with force, torque and energies. It is called once a step for every contact of its
/// materials, and once more when the bodies have come apart, with a depth that is not positive: a law without adhesion then
/// clears the history and returns no force.
pub trait ContactLaw<D: Dim>: Debug + Send + Sync {
    /// What the contact does in this step.
    fn load(&self, touch: &Touch<D>, history: &mut History<D>, dt: f64) -> Load<D>;

    /// How far apart bodies that have touched still act on each other (m), for contacts up to this effective radius.
    fn reach(&self, _largest_radius: f64) -> f64 {
        0.0
    }
}
