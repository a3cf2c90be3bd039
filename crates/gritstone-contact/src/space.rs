//! Methods for bodies in space.

mod ascent;
mod auto;
mod hull;
mod method;
mod middle;
mod pair;
mod support_newton;
mod surface;
mod tower;

pub use auto::Auto;
pub use method::{METHODS, Method, Placed, Scratch, method};
pub use pair::{Pair, PairJet, Sample};
pub use support_newton::SupportNewton;
