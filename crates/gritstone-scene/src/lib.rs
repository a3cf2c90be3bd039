//! Scene files: what a simulation consists of, in TOML, with units.
//!
//! A file becomes plain structs ([`words`]), numbers in SI units. Everything that is wrong is told at once, each with its
//! line, its key, its value and what is allowed.

mod form;
mod node;
mod problem;
mod quantity;
mod scene;
mod section;
mod units;
pub mod words;

pub use node::Named;
pub use problem::{Problem, Problems, Source};
pub use quantity::{Coordinates, Kind, Number, Quantity, Range};
pub use scene::Scene;
