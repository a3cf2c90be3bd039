//! Methods for bodies in space.

mod ascent;
mod auto;
pub mod common_normal;
mod hull;
mod method;
mod middle;
mod pair;
mod support_newton;
mod surface;
mod tower;

pub use auto::Auto;
pub use common_normal::CommonNormal;
pub use method::{METHODS, Method, Placed, Scratch, method};
pub use pair::{Pair, PairJet, Sample};
pub use support_newton::SupportNewton;
