//! Measurements: what can be asked of a world of grains beside its files, one file each.
//!
//! A probe looks and never touches: it sees a [`View`] of the world and gives rows of numbers. Stresses are positive in
//! compression. A grain belongs to a zone when its centre is in it, if nothing else is said; in a periodic cell, the centre of
//! any of its images. Two grains, or a grain and a wall, have one contact, however many of their parts touch. A value that does not
//! exist, such as the fabric of no contacts, is not a number.
//!
//! | probe | what |
//! |---|---|
//! | [`Energies`] | energies, momentum and mean velocity of the grains of a zone |
//! | [`Coordination`] | contacts per grain, and how many grains have how many |
//! | [`SolidFraction`] | how much of a zone is solid |
//! | [`Stress`], [`GrainStress`] | Love–Weber stress of a zone and of each grain |
//! | [`Fabric`] | directions of contacts |
//! | [`Flow`] | number and mass of grains through a plane |
//! | [`WallForces`] | forces and torques on walls |
//! | [`ContactList`] | contacts with their forces |
//! | [`Profile`], [`Repose`] | heights of a bed, and the angle of its slope |
//!
//! A new one is a file that implements [`Measure`] and a line in [`Kind`].

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod columns;
mod contact_list;
mod coordination;
mod energies;
mod fabric;
mod flow;
mod grain_stress;
mod kind;
mod pairs;
mod piece;
mod profile;
mod repose;
mod solid_fraction;
mod stress;
mod tensor;
mod view;
mod wall_forces;

pub use columns::Column;
pub use contact_list::ContactList;
pub use coordination::Coordination;
pub use energies::Energies;
pub use fabric::Fabric;
pub use flow::Flow;
pub use grain_stress::GrainStress;
pub use kind::{Kind, Measure};
pub use profile::{Along, Profile};
pub use repose::Repose;
pub use solid_fraction::SolidFraction;
pub use stress::Stress;
pub use view::{Gauge, View};
pub use wall_forces::WallForces;
