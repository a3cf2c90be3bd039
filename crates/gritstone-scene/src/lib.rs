//! Scene files: what a simulation consists of, in TOML, with units.
//!
//! A file becomes plain structs ([`words`]), numbers in SI units. Everything that is wrong is told at once, each with its
//! line, its key, its value and what is allowed. [`Scene::build`] turns it into what the engine starts from, with a [`Plan`]
//! of what happens when and a [`Report`] of what there is to know before.
//!
//! ```
//! use gritstone_scene::{Scene, template};
//!
//! let text = template("polyhedra-drop").ok_or("no such scene")?.text;
//! let scene = Scene::parse(text, "drop.toml")?;
//! println!("{}", scene.check()?);
//!
//! let wrong = Scene::parse(&text.replace("130 kN/m", "130 kN"), "drop.toml").unwrap_err();
//! assert!(wrong.to_string().contains("materials.steel.kn is \"130 kN\", but must be a stiffness, positive"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table of the format is one `section!` in `words/`: the struct, how it is read and written, the schema and the reference
//! follow from it.

mod build;
pub mod display;
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

pub use build::{
    Action, Arrivals, Build, Built, Intervals, MOST_STEPS, Plan, Planned, Probing, Report, StopWhen,
    TimeStep, Why, steps_up_to,
};
pub use node::Named;
pub use problem::{Problem, Problems, Source};
pub use quantity::{Coordinates, Kind, Number, Quantity, Range};
pub use reference::reference;
pub use scene::Scene;
pub use schema::schema;
pub use templates::{TEMPLATES, Template, template};
