//! The properties, one file each.

mod analytic;
mod judge;
mod queries;
mod symmetry;
mod value;

pub use analytic::{aligned_ellipsoids, balls, ellipsoid_and_ball};
pub use queries::{coincident, detection, start};
pub use symmetry::{motion, scaling, swap, translation};
pub use value::{agreement, bounds, truth, witness};
