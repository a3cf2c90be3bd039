//! Contact laws: what two touching grains do to each other.
//!
//! A law is a pure function with explicit memory: it sees a [`Touch`] (depth, normal, relative motion, effective radius
//! and mass), reads and writes the contact's [`History`], and answers with a [`Load`] (force, torque, energies). It knows
//! neither shapes nor bodies. All parameters of a pair of materials are an [`Interaction`]; [`Interactions`] mixes them
//! from what a user says about each [`Material`].
//!
//! The laws are written once, over the numbers and vectors of an [`Arithmetic`]: single contacts in plane and space, and eight
//! contacts at a time.
//!
//! | file | law |
//! |---|---|
//! | [`law`] | what a contact at a point does, from the parts below |
//! | [`linear`] | linear spring and dashpot |
//! | [`hertz`] | Hertz and Mindlin |
//! | [`restitution`] | the damping that gives a restitution, with a contact that cannot pull |
//! | [`slider`] | spring, dashpot and slider: friction, rolling and twisting resistance |
//! | [`coupled`] | friction of faces: sliding and twisting under one limit |
//! | [`cohesion`] | attraction proportional to the contact's area |
//! | [`jkr`] | adhesion after Johnson, Kendall and Roberts |
//! | [`facets`] | flat bodies on bumpy surfaces: an energy of how deep facets are in a body |
//! | [`moment`] | flat bodies: an energy of their overlap's volume and covariance |
//! | [`patch`] | pressure over the patch of a flat contact |
//! | [`radius`] | effective radius from curvatures or from volumes |
//!
//! Units are SI. In the plane forces are per unit of thickness, and Hertz's formula is that of space with the radius of
//! curvature as both principal radii.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arithmetic;
pub mod cohesion;
pub mod coupled;
mod crown;
mod custom;
pub mod facets;
pub mod hertz;
mod interaction;
mod interactions;
pub mod jkr;
pub mod law;
pub mod linear;
mod material;
pub mod moment;
pub mod patch;
pub mod radius;
pub mod restitution;
pub mod slider;
mod touch;
mod transport;

pub use arithmetic::{Arithmetic, InLanes};
pub use crown::{FlatContact, Rocking};
pub use custom::ContactLaw;
pub use facets::{FacetForce, FacetMoments};
pub use interaction::{Cohesion, Interaction, Spring};
pub use interactions::{Interactions, Overrides};
pub use law::{LARGEST_DAMPING, Law};
pub use material::{Adhesion, Damping, Friction, LawError, Material, Stiffness};
pub use moment::{OverlapForce, OverlapMoments, PressedOverlap};
pub use patch::{PatchMoments, PatchPoint, PatchSums, Whole};
pub use touch::{History, Load, Touch, Wrench};
