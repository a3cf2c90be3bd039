//! Methods for bodies in space.

mod ascent;
mod auto;
pub mod common_normal;
mod crease;
mod disc;
mod flat;
mod gjk;
mod half_space_pair;
mod hull;
pub mod interior_point;
pub mod lanes;
mod memory;
mod method;
pub mod overlap;
mod pair;
pub mod patch;
mod polygon;
mod polyhedra;
pub mod polytope_pair;
mod ring_certificate;
mod rod_pair;
mod round_polytope;
mod search;
mod sphere_sphere;
mod support_newton;
mod surface;

pub use auto::{Auto, certify};
pub use common_normal::CommonNormal;
pub use gjk::Gjk;
pub use interior_point::InteriorPoint;
pub use memory::Memory;
pub use method::{METHODS, Method, Placed, Scratch, method};
pub use overlap::{Outline, Overlap, OverlapIntegrals, View, Wrench, is_flat};
pub use pair::{Pair, PairJet, PointPair, Sample};
pub use patch::Patch;
pub use support_newton::SupportNewton;
