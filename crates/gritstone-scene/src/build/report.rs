//! The summary of a scene before it runs.

use std::fmt::{self, Display, Formatter};

use gritstone_engine::Setup;
use serde_json::{Value, json};

use super::cost::{self, Cost};
use super::earlier::Continued;
use super::extents::{Extent, diameters};
use super::from_scene::FromScene;
use super::inflow::Inflow;
use super::memory;
use super::plan::Plan;
use super::rocks::Rocky;
use super::step::TimeStep;
use crate::display::{bytes, clock, length, plain, plural, time};
use crate::problem::{Problem, Source};
use crate::schema::SceneFile;

/// Bounding boxes that are printed.
const MOST_EXTENTS: usize = 12;

/// The summary of a scene before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The scene's title, if it has one.
    pub title: Option<String>,
    /// Two or three.
    pub dimension: u32,
    /// Number of grains.
    pub grains: usize,
    /// Number of shapes that grains have.
    pub shapes: usize,
    /// Number of walls, sides of boxes counted one by one.
    pub walls: usize,
    /// Number of tools.
    pub tools: usize,
    /// Number of materials.
    pub materials: usize,
    /// Number of inlets.
    pub inlets: usize,
    /// What comes in through them by the end, if all finds a place.
    pub inflow: Inflow,
    /// Number of events.
    pub events: usize,
    /// Mass of all grains (kg).
    pub mass: f64,
    /// The time step, and why.
    pub time_step: TimeStep,
    /// Number of steps.
    pub steps: u64,
    /// An estimate of the memory that a run takes (bytes).
    pub memory: f64,
    /// Smallest and largest diameter of the balls (discs) that have the volumes of the grains (m).
    pub diameters: Option<[f64; 2]>,
    /// Bounding boxes of the grains and of walls that are no planes.
    pub extents: Vec<Extent>,
    /// An estimate of the time that a run takes and of the size of its files.
    pub cost: Cost,
    /// What continues from an earlier run, if anything does.
    pub continued: Option<Continued>,
    /// What shapes from files have become.
    pub rocks: Vec<Rocky>,
    /// What is doubtful, with its place.
    pub warnings: Vec<String>,
}

impl Report {
    pub(super) fn new<D: FromScene>(
        file: &SceneFile,
        setup: &Setup<D>,
        plan: &Plan<D>,
        time_step: TimeStep,
        inflow: Inflow,
        extents: Vec<Extent>,
    ) -> Self {
        let mut used: Vec<_> = setup.grains.iter().map(|grain| grain.shape).collect();
        used.sort_unstable();
        used.dedup();
        let volumes: Vec<_> = (0..setup.shapes.len() as u32).map(|shape| setup.volume(shape)).collect();
        let mass = |grain: &gritstone_engine::Grain<D>| {
            volumes[grain.shape as usize] * setup.densities[usize::from(grain.material)]
        };
        // Where grains go out, too, it is not known how many are there at a time.
        let staying = if file.outlets.list.is_empty() { inflow.grains as usize } else { 0 };
        Self {
            title: file.title.clone(),
            dimension: file.dimension as u32,
            grains: setup.grains.len(),
            shapes: used.len(),
            walls: setup.walls.len(),
            tools: setup.tools.len(),
            materials: file.materials.list.len(),
            inlets: file.inlets.list.len(),
            inflow,
            events: plan.events.len(),
            // From zero on: the sum of nothing is a zero with a minus.
            mass: setup.grains.iter().map(mass).fold(0.0, |sum, mass| sum + mass),
            time_step,
            steps: plan.steps,
            memory: memory::estimate(setup.grains.len().saturating_add(staying)),
            diameters: diameters(setup),
            extents,
            cost: cost::estimate(
                file,
                setup,
                setup.grains.len().saturating_add(staying),
                plan.steps,
                &plan.output,
            ),
            continued: None,
            rocks: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Keeps warnings with the lines that they speak of.
    pub(super) fn show_warnings(&mut self, source: &Source, warnings: &[Problem]) {
        self.warnings = warnings.iter().map(|warning| source.show(warning)).collect();
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "title": self.title, "dimension": self.dimension, "grains": self.grains, "shapes": self.shapes,
            "walls": self.walls, "tools": self.tools, "materials": self.materials, "inlets": self.inlets,
            "arriving_grains": self.inflow.grains, "arriving_shapes": self.inflow.shapes, "arriving_mass": self.inflow.mass,
            "events": self.events,
            "mass": self.mass,
            "time_step": self.time_step.seconds, "time_step_automatic": self.time_step.automatic,
            "time_scale": self.time_step.why.seconds, "time_scale_of": self.time_step.why.whose,
            "steps": self.steps, "memory": self.memory,
            "grain_diameters": self.diameters,
            "extents": self.extents.iter().map(Extent::to_json).collect::<Vec<_>>(),
            "estimated_time": self.cost.seconds, "threads": self.cost.threads, "estimated_disk": self.cost.disk, "estimated_vtk": self.cost.vtk,
            "rocks": self.rocks.iter().map(Rocky::to_json).collect::<Vec<_>>(),
            "continued": self.continued.as_ref().map(Continued::to_json),
            "warnings": self.warnings,
        })
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { dimension, grains, shapes, walls, materials, events, mass, steps, .. } = self;
        if let Some(title) = &self.title {
            writeln!(f, "{title}")?;
        }
        writeln!(f, "dimension  {dimension}")?;
        if *grains == 0 && self.inlets > 0 {
            writeln!(f, "grains     none at the start")?;
        } else {
            writeln!(f, "grains     {grains} of {}, {} kg", plural(*shapes, "shape"), plain(*mass))?;
        }
        if let Some([small, large]) = self.diameters {
            let range = if large > 1.001 * small {
                format!("{} to {}", length(small), length(large))
            } else {
                length(small)
            };
            let of = if *dimension == 2 { "disc of the same area" } else { "sphere of the same volume" };
            writeln!(f, "diameter   {range} ({of})")?;
        }
        for (i, rock) in self.rocks.iter().enumerate() {
            writeln!(f, "{}{rock}", if i == 0 { "rocks      " } else { "           " })?;
        }
        if let Some(continued) = &self.continued {
            writeln!(f, "go on      {continued}")?;
        }
        writeln!(f, "walls      {walls}")?;
        for (i, extent) in self.extents.iter().take(MOST_EXTENTS).enumerate() {
            writeln!(f, "{}{}: {extent}", if i == 0 { "extents    " } else { "           " }, extent.name)?;
        }
        if let Some(more) = self.extents.len().checked_sub(MOST_EXTENTS).filter(|more| *more > 0) {
            writeln!(f, "           and {}", plural(more, "other wall"))?;
        }
        if self.tools > 0 {
            writeln!(f, "tools      {}", self.tools)?;
        }
        writeln!(f, "materials  {materials}")?;
        if self.inlets > 0 {
            writeln!(f, "inlets     {}: {} by the end", self.inlets, self.inflow)?;
        }
        if *events > 0 {
            writeln!(f, "events     {events}")?;
        }
        writeln!(f, "time step  {}", self.time_step)?;
        if let Some(note) = self.time_step.note() {
            writeln!(f, "           {note}")?;
        }
        writeln!(f, "steps      {steps}, {}", time(*steps as f64 * self.time_step.seconds))?;
        self.write_cost(f)?;
        for warning in &self.warnings {
            write!(f, "\nwarning: {warning}")?;
        }
        Ok(())
    }
}

impl Report {
    fn write_cost(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Cost { seconds, threads, cores, disk, vtk } = self.cost;
        let of = if threads < cores { format!("{threads} of ") } else { String::new() };
        writeln!(f, "run time   roughly {} on {of}{}", clock(seconds), plural(cores, "core"))?;
        writeln!(f, "memory     about {}", bytes(self.memory))?;
        let vtk = if vtk > 0.0 {
            format!(", {} of it for ParaView (output.vtk)", bytes(vtk))
        } else {
            String::new()
        };
        writeln!(f, "disk       about {}{vtk}", bytes(disk))
    }
}
