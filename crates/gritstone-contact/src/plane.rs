//! Methods for bodies in the plane.

mod ascent;
mod auto;
pub mod centre_distance;
mod circle_circle;
pub mod crossings;
pub mod curvature;
mod flat;
mod gjk;
mod half_plane;
mod method;
mod oval;
mod oval_pair;
mod overlap;
pub mod overlap_point;
mod pair;
pub mod patch;
mod polygon_polygon;
mod polygons;
mod ring;
mod search;
mod support_newton;

pub use auto::{Auto, certify};
pub use curvature::Curvature;
pub use gjk::Gjk;
pub use method::{METHODS, Placed, Scratch, method};
pub use oval::Oval;
pub use overlap::{Overlap, OverlapIntegrals, overlaps};
pub use overlap_point::OverlapPoint;
pub use pair::{Pair, PairJet, PointPair, Sample};
pub use patch::Patch;
pub use support_newton::SupportNewton;
