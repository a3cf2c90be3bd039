//! Contacts: pairs that touch, their history, and the forces between them.

pub(crate) mod batch;
pub(crate) mod by_body;
pub(crate) mod general;
pub(crate) mod patch_cache;
pub(crate) mod shared_patch;

pub(crate) use general::{BodyPair, ContactForce, Laws, StepStats};
pub(crate) use general::{ContactGeometry, Contacts, SLACK};
