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
use super::time::{Stop, Time};
use super::tools::Tool;
use super::values::Dimension;
use super::walls::{Domain, Wall};

section! {
    /// A scene: what there is, what it is made of, what happens, and what is written.
    SceneFile {
        /// What the scene is called.
        title: Option<String>;
        /// Number of dimensions: 2 for the plane, 3 for space.
        dimension: Dimension;
        /// Acceleration of free fall; zeros for none.
        gravity: Coordinates<Acceleration>;
        /// How long, and in which steps.
        time: Time;
        /// Reasons to end early.
        stop: Option<Stop>;
        /// How grains push each other.
        contact: Contact = Contact {
            law: Law::HertzMindlin, radius: Radius::Curvature, flat: Flat::Patch,
            crown: Quantity::new(0.0), damping: Damping::Exact,
            method: None,
        };
        /// Materials, by name.
        materials: Named<Material>;
        /// Pairs of materials that differ from what their materials say.
        pairs: Vec<Pair>;
        /// Shapes, by name.
        shapes: Named<Shape>;
        /// Groups of grains.
        grains: Vec<Grains>;
        /// Where grains come in on the way, by name.
        inlets: Named<Inlet>;
        /// Where grains go out on the way, by name.
        outlets: Named<Outlet>;
        /// Walls, by name.
        walls: Named<Wall>;
        /// Walls that move together, by name.
        tools: Named<Tool>;
        /// Where grains may be.
        domain: Option<Domain>;
        /// What repeats.
        cell: Option<Cell>;
        /// What happens at some moment.
        events: Vec<Event>;
        /// What is measured on the way, by name.
        probes: Named<Probe>;
        /// What is written.
        output: Output = Output {
            every: None, vtk: OutputInterval::Default, trajectory: OutputInterval::Default, energies: OutputInterval::Default, walls: OutputInterval::Default, checkpoint: OutputInterval::Default,
        };
    }
}
