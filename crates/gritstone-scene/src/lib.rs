//! Scene files: what a simulation consists of, in TOML, with units.
//!
//! A file becomes plain structs ([`schema`]), numbers in SI units. Everything that is wrong is told at once, each with its
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
//! A table of the format is one `section!` in `schema/`: the struct, how it is read and written, the schema and the reference
//! follow from it.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod assignment;
mod build;
mod diagnostics;
pub mod display;
mod json;
mod json_schema;
mod node;
mod problem;
mod quantity;
mod reach;
mod reference;
mod scene;
pub mod schema;
mod section;
mod sweep;
mod templates;
mod units;
mod value_type;

pub use assignment::{Assignment, assign};
pub use build::{
    Action, Build, Built, Continued, Cost, Extent, Inflow, Intervals, MOST_STEPS, Plan, Preparation, Report,
    Rocky, SceneRecord, ScheduledEvent, ScheduledProbe, StopWhen, TimeScale, TimeStep, run_files,
    steps_up_to,
};
pub use json::json_to_toml;
pub use json_schema::json_schema;
pub use node::Named;
pub use problem::{Problem, Problems, Source};
pub use quantity::{Coordinates, Kind, Number, Quantity, Range};
pub use reference::reference;
pub use scene::Scene;
pub use sweep::{Parameters, SweepFile, to_toml_value};
pub use templates::{TEMPLATES, Template, template};
