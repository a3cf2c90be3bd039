//! Small solvers.

pub mod brent;
pub mod gmres;
pub mod nelder_mead;
pub mod trust_region;
