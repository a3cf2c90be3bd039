//! A scene file as a whole.

use crate::node::Named;
use crate::quantity::{Acceleration, Coordinates, Quantity};
use crate::section::section;

use super::cell::Cell;
use super::contact::{Contact, Damping, Flat, Law, Radius};
use super::events::Event;
use super::grains::Grains;
use super::inlets_outlets::{Inlet, Outlet};
use super::material::{Material, Pair};
use super::output::{Output, OutputInterval};
use super::probes::Probe;
use super::shape::Shape;
use super::time::{Prepare, Stop, Time};
use super::tools::Tool;
use super::values::Dimension;
use super::walls::{Domain, Wall};

impl SceneFile {
    /// Files that walls are read from, as the scene names them.
    pub fn surface_files(&self) -> impl Iterator<Item = &str> {
        self.walls.iter().filter_map(|(_, wall)| match wall {
            Wall::Mesh(mesh) => Some(mesh.file.as_str()),
            _ => None,
        })
    }
}

section! {
    /// A scene: grains, walls, materials, motions, events and output.
    SceneFile {
        /// Title of the scene.
        title: Option<String>;
        /// Number of dimensions, 2 or 3.
        dimension: Dimension;
        /// Acceleration of gravity; zeros for none.
        gravity: Coordinates<Acceleration>;
        /// Duration and time step.
        time: Time;
        /// How the grains come to rest before the run begins.
        prepare: Option<Prepare>;
        /// Conditions that end the run early.
        stop: Option<Stop>;
        /// Contact law.
        contact: Contact = Contact {
            law: Law::HertzMindlin, radius: Radius::BodyFunction, flat: Flat::Patch,
            crown: Quantity::new(0.003), damping: Damping::Exact,
            method: None,
        };
        /// Materials, by name.
        materials: Named<Material>;
        /// Contact parameters of pairs of materials.
        pairs: Vec<Pair>;
        /// Shapes, by name.
        shapes: Named<Shape>;
        /// Groups of grains.
        grains: Vec<Grains>;
        /// Inlets that insert grains during the run, by name.
        inlets: Named<Inlet>;
        /// Outlets that remove grains during the run, by name.
        outlets: Named<Outlet>;
        /// Walls, by name.
        walls: Named<Wall>;
        /// Walls that move together, by name.
        tools: Named<Tool>;
        /// Bounds of the simulation, and what happens to grains that leave.
        domain: Option<Domain>;
        /// Periodic cell.
        cell: Option<Cell>;
        /// Events at given times.
        events: Vec<Event>;
        /// Measurements during the run, by name.
        probes: Named<Probe>;
        /// Output files.
        output: Output = Output {
            every: None, vtk: OutputInterval::Never, trajectory: OutputInterval::Default, energies: OutputInterval::Default, walls: OutputInterval::Default, checkpoint: OutputInterval::Default,
        };
    }
}
