//! Small solvers.

pub mod nelder_mead;
pub mod trust_region;
