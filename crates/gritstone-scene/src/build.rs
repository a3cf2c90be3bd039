//! From what a scene says to what the engine starts from.

mod arrivals;
mod axes;
mod cell;
mod compounds;
mod crowding;
mod files;
mod grains;
mod grid;
mod laws;
mod memory;
mod mesh;
mod mixes;
mod names;
mod nursery;
mod plan;
mod probes;
mod report;
mod scatter;
mod scenery;
mod shapes;
mod sides;
mod sizes;
mod step;
mod strain;
mod streams;
mod tools;
mod walls;
mod zone;

use std::path::Path;

use gritstone_contact::Setting;
use gritstone_core::{Plane, Space, Vector};
use gritstone_engine::{Dimension, Inlet, Leaving, Outlet, Setup};
use gritstone_force::Interactions;

pub use arrivals::Arrivals;
pub use plan::{Action, Intervals, MOST_STEPS, Plan, Planned, StopWhen, steps_up_to};
pub use probes::Probing;
pub use report::Report;
pub use step::{TimeStep, Why};

use crate::ledger::Ledger;
use crate::problem::{Problem, Problems};
use crate::scene::Scene;
use crate::words::{self, SceneFile};
use scenery::Scenery;

/// A scene that is ready to run.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub enum Build {
    /// In two dimensions.
    Plane(Built<Plane>),
    /// In three dimensions.
    Space(Built<Space>),
}

/// A scene that is ready to run, in its dimension.
#[derive(Clone, Debug)]
pub struct Built<D: Dimension> {
    /// What the engine starts from.
    pub setup: Setup<D>,
    /// Names of its shapes: those of the scene, and those that were made from them in other sizes.
    pub shape_names: Vec<String>,
    /// Where grains come in on the way.
    pub inlets: Vec<Inlet<D>>,
    /// Where grains go out on the way.
    pub outlets: Vec<Outlet<D>>,
    /// What is measured on the way.
    pub probes: Vec<Probing<D>>,
    /// When it ends, what happens on the way, what is written when.
    pub plan: Plan<D>,
    /// What there is to know before it runs.
    pub report: Report,
}

impl Build {
    /// What there is to know before it runs.
    pub fn report(&self) -> &Report {
        match self {
            Self::Plane(built) => &built.report,
            Self::Space(built) => &built.report,
        }
    }
}

impl Scene {
    /// Turns the scene into what the engine starts from; reads the files that it names.
    pub fn build(&self) -> Result<Build, Problems> {
        if self.file.dimension == words::Dimension::Plane {
            build(self).map(Build::Plane)
        } else {
            build(self).map(Build::Space)
        }
    }

    /// What there is to know of the scene before it runs, or everything that is wrong with it.
    pub fn check(&self) -> Result<Report, Problems> {
        self.build().map(|build| build.report().clone())
    }

    /// Everything that can be known to be wrong without reading other files, beside what reading has `found`.
    pub(crate) fn problems(&self, found: Vec<Problem>) -> Result<(), Problems> {
        let mut ledger = Ledger::new(self, found);
        if self.file.dimension == words::Dimension::Plane {
            parts::<Plane>(&self.file, None, &mut ledger);
        } else {
            parts::<Space>(&self.file, None, &mut ledger);
        }
        ledger.close().map(drop)
    }
}

/// What does not depend on where grains are.
struct Parts<D: Setting> {
    /// The scene's shapes in their order, then those that are made from them in other sizes; and their names.
    shapes: Vec<shapes::Made<D>>,
    names: Vec<String>,
    interactions: Interactions,
    walls: Vec<gritstone_engine::Wall<D>>,
    tools: Vec<gritstone_engine::Tool<D>>,
}

fn parts<D: Scenery>(file: &SceneFile, folder: Option<&Path>, ledger: &mut Ledger<'_>) -> Option<Parts<D>> {
    names::check::<D>(file, ledger);
    let shapes = shapes::make(file, ledger);
    let interactions = laws::mix(file, ledger);
    let walls = walls::make(file, &shapes, folder, ledger);
    let tools = walls.as_ref().and_then(|walls| tools::make(file, walls, ledger));
    grains::check_names::<D>(file, &shapes, ledger);
    plan::check::<D>(file, walls.as_deref(), ledger);
    cell::check::<D>(file, walls.as_deref(), ledger);
    if let Some(region) = &file.domain {
        check_corners::<D>("domain", region.low.vector::<D>(), region.high.vector::<D>(), ledger);
    }
    let shapes: Option<Vec<_>> = shapes.into_iter().collect();
    let names = file.shapes.names().map(str::to_owned).collect();
    Some(Parts { shapes: shapes?, names, interactions: interactions?, walls: walls?, tools: tools? })
}

fn build<D: Scenery>(scene: &Scene) -> Result<Built<D>, Problems> {
    let (file, mut ledger) = (&scene.file, Ledger::new(scene, Vec::new()));
    let parts = parts::<D>(file, Some(&scene.folder), &mut ledger).filter(|_| !ledger.is_wrong());
    let built = parts.and_then(|parts| assemble(scene, parts, &mut ledger));
    let warnings = ledger.close()?;
    match built {
        Some(mut built) => {
            built.report.show_warnings(scene.source(), &warnings);
            Ok(built)
        }
        // Not reached: what is missing has been told.
        None => Err(Problems { source: scene.source().clone(), list: Vec::new() }),
    }
}

fn assemble<D: Scenery>(scene: &Scene, mut parts: Parts<D>, ledger: &mut Ledger<'_>) -> Option<Built<D>> {
    let file = &scene.file;
    let mixes = mixes::make(file, &mut parts, ledger)?;
    let mut groups = grains::place(scene, &parts, &mixes, ledger)?;
    let time_step = step::choose(file, &parts, &groups.grains, &mixes, ledger);
    let inlets = streams::inlets(file, &mixes, time_step.seconds, ledger);
    let outlets = streams::outlets(file, time_step.seconds, ledger);
    let plan = plan::make(file, &time_step, &parts.walls, ledger);
    let bench = probes::Bench { file, walls: &parts.walls, dt: time_step.seconds, every: plan.output.every };
    let probes = bench.probes(ledger);
    let cell = cell::make(file);
    cell.iter().for_each(|cell| cell::carry(cell, &mut groups.grains));
    let setup = Setup {
        compounds: compounds::of(&parts.shapes),
        shapes: parts.shapes.into_iter().map(|made| made.shape).collect(),
        densities: laws::densities(file),
        interactions: parts.interactions,
        rules: laws::rules(file),
        grains: groups.grains,
        walls: parts.walls,
        tools: parts.tools,
        gravity: file.gravity.vector::<D>(),
        time_step: time_step.seconds,
        domain: file.domain.as_ref().map(domain::<D>),
        cell,
    };
    cell::check_width(&setup, ledger);
    sides::check(&setup, inlets.as_deref().unwrap_or_default(), ledger);
    crowding::check(&setup, &groups.starts, ledger);
    let (inlets, end) = (inlets?, arrivals::End { steps: plan.steps, dt: time_step.seconds });
    strain::check(file, &setup, plan.steps, ledger);
    arrivals::check(&inlets, &parts.names, &setup, end, ledger);
    let report = Report::new(file, &setup, &plan, time_step, arrivals::expected(&inlets, end));
    Some(Built { setup, shape_names: parts.names, inlets, outlets: outlets?, probes: probes?, plan, report })
}

fn domain<D: Setting>(domain: &words::Domain) -> gritstone_engine::Domain<D> {
    let leaving = match domain.leaving {
        words::Leaving::Error => Leaving::Error,
        words::Leaving::Remove => Leaving::Remove,
        words::Leaving::Keep => Leaving::Keep,
    };
    gritstone_engine::Domain { low: domain.low.vector::<D>(), high: domain.high.vector::<D>(), leaving }
}

/// Tells of a box whose corners are in the wrong order.
fn check_corners<D: Scenery>(key: &str, low: D::Vec, high: D::Vec, ledger: &mut Ledger<'_>) {
    for i in 0..D::N {
        let (l, h) = (low.component(i), high.component(i));
        if l >= h {
            ledger.wrong(
                &format!("{key}.high[{i}]"),
                format_args!("{key}.high[{i}] is {h}, but must be more than {key}.low[{i}], which is {l}"),
            );
        }
    }
}
