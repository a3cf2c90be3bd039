//! Small solvers.

pub mod trust_region;
