//! Scene files: what a simulation consists of, in TOML, with units.
//!
//! A file becomes plain structs ([`words`]), numbers in SI units. Everything that is wrong is told at once, each with its
//! line, its key, its value and what is allowed.

mod build;
mod form;
mod ledger;
mod node;
mod problem;
mod quantity;
mod reference;
mod scene;
mod schema;
mod section;
mod templates;
mod units;
pub mod words;

pub use build::{Action, Build, Built, Intervals, Plan, Planned, Region, Report, StopWhen, TimeStep, Why};
pub use node::Named;
pub use problem::{Problem, Problems, Source};
pub use quantity::{Coordinates, Kind, Number, Quantity, Range};
pub use reference::reference;
pub use scene::Scene;
pub use schema::schema;
pub use templates::{TEMPLATES, Template, template};
