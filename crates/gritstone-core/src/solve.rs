//! Small solvers.

pub mod nelder_mead;
pub mod gmres;
pub mod trust_region;
