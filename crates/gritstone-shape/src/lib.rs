//! Grain shapes, one file each, and the capabilities that contact methods ask them for.
//!
//! A shape lives in its own frame and knows nothing of poses. It offers what it can: [`Support`] (support function with
//! its derivatives), [`Implicit`] (inside-outside function and gauge with their derivatives), [`Body`] (mass properties,
//! extents), [`Tessellate`] (triangles) or [`Trace`] (outlines). A method that asks for [`Support`] works with every shape
//! that has it, so a new convex shape is one new file plus one line in [`space::Solid`] or [`plane::Figure`], and a shape of
//! another crate is a [`UserShape`]. Radii of curvature ([`space::PrincipalRadii`], [`plane::RadiusOfCurvature`]) and the
//! bounds of placed bodies follow from these capabilities.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod any_shape;
mod bounds;
mod capability;
mod cubic;
mod custom;
mod dirichlet;
pub mod plane;
mod points;
mod power_norm;
mod profile;
pub mod space;

pub use any_shape::AnyShape;
pub use bounds::{AlignedBox, BoundingBall, OrientedBox};
pub use capability::{Body, Implicit, Jet, ShapeError, Support, Tessellate, Trace};
pub use cubic::{Cubic, CubicTerm};
pub use custom::{Custom, UserShape};
