//! Numbers of the field: what every other crate of Gritstone speaks in.
//!
//! - [`Dim`]: the plane and space as types, so that an engine can be written once for both;
//! - [`angle`]: directions and rotations from angles, with the same bits everywhere;
//! - [`Pose`]: position and orientation of a body;
//! - [`Contact`]: what two bodies have in common, with frame and sign fixed once;
//! - [`Mass`]: mass properties of a homogeneous body of density one;
//! - [`Mesh`], [`Outline`]: a surface as triangles, a boundary as a polygon, with normals;
//! - [`linalg`]: symmetric matrices and tangent bases; [`solve`]: small solvers;
//! - [`ExactSum`]: sums that do not depend on the order of their terms;
//! - [`lanes`]: eight numbers at a time, for the loops that must be fast.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod angle;
pub mod contact;
pub mod dim;
pub mod exact_sum;
pub mod lanes;
pub mod linalg;
pub mod mass;
pub mod mesh;
pub mod pose;
pub mod solve;
pub mod vector;

pub use contact::Contact;
pub use dim::{Dim, Plane, Space};
pub use exact_sum::ExactSum;
pub use mass::Mass;
pub use mesh::{Mesh, Outline};
pub use pose::Pose;
pub use vector::{Linear, Vector};
