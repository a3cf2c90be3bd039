//! Contacts: pairs that touch, their history, and the forces between them.

pub(crate) mod batch;
pub(crate) mod by_body;
mod crown;
pub(crate) mod effective_radius;
pub(crate) mod flat;
pub(crate) mod general;
pub(crate) mod key;
pub(crate) mod laws;
pub(crate) mod overlap;
mod overlap_in_plane;
pub(crate) mod shared_overlap;
pub(crate) mod shared_patch;
pub(crate) mod solves;
pub(crate) mod table;

pub(crate) use crown::ROLLING;
pub(crate) use general::{BodyPair, ContactForce, ContactGeometry, SLACK, StepStats};
pub(crate) use laws::Laws;
pub(crate) use solves::Solves;
pub(crate) use table::ContactTable;
