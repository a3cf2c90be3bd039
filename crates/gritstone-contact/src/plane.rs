//! Methods for bodies in the plane.

pub mod centre_distance;
pub mod crossings;
pub mod curvature;
mod oval;
pub mod overlap_point;

pub use curvature::Curvature;
pub use oval::Oval;
pub use overlap_point::OverlapPoint;
