//! Methods for bodies in space.

mod ascent;
mod auto;
mod method;
mod pair;
mod support_newton;

pub use auto::Auto;
pub use method::{METHODS, Method, Placed, Scratch, method};
pub use pair::{Pair, PairJet, Sample};
pub use support_newton::SupportNewton;
